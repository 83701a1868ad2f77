// Loops whose variables are computed from one another: a value may share a register with the variable that it becomes only
// if neither is needed beside the other.
package main

import "fmt"

type count int

func fib(n int) (int, int) {
	a, b := 0, 1
	for i := 0; i < n; i++ {
		a, b = b, a+b
	}
	return a, b
}

func swap(n int) (a, b, c int) {
	a, b, c = 1, 2, 3
	for n > 0 {
		a, b, c = b+1, c+2, a+3
		n--
	}
	return
}

func old(n int) (s int) {
	last := -1
	for i := 0; i < n; i++ {
		s = s*10 + last
		last = i
	}
	return s + last
}

func indexed(a []int) (int, []int) {
	i := 0
	for i < len(a)-1 {
		j := i
		i++
		a[j] += a[i] // both are needed
	}
	return i, a
}

func behind(a []byte) (out []byte) {
	for i := 0; i < len(a); {
		x := a[i]
		i++
		out = append(out, x+byte(i))
	}
	return
}

func store(a []int) []int {
	i, k := 0, 10
	for i < len(a) {
		p := &a[i]
		i += 1
		*p = i * k
		k = k + i
	}
	return a
}

func nested(n int) (s int) {
outer:
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			switch {
			case j == i:
				continue outer
			case j == 5:
				break outer
			}
			s += i*n + j
		}
		s *= 2
	}
	return
}

func after(xs []int, x int) (int, bool) {
	i := 0
	for ; i < len(xs); i++ {
		if xs[i] == x {
			break
		}
	}
	k := i + 1
	for j := 0; j < 3; j++ {
		k += i
	}
	return i*100 + k, i < len(xs)
}

func converted(n count) (s string) {
	for i := count(0); i < n; i = i + 1 {
		before := int(i)
		s += fmt.Sprint(before, i, int64(i)+1, " ")
	}
	return
}

func small(n uint8) (s int) {
	for i := uint8(250); i != n; i++ {
		s = s*3 + int(i)
	}
	return
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func collatz(n int) (steps, most int) {
	for n != 1 {
		if n%2 == 0 {
			n = n / 2
		} else {
			n = 3*n + 1
		}
		if n > most {
			most = n
		}
		steps++
	}
	return
}

func closures(n int) (fs []func() int) {
	for i := 0; i < n; i++ {
		j := i
		fs = append(fs, func() int { j += i; return j })
	}
	return
}

func recovered(n int) (s int) {
	defer func() { recover(); s += 1000 }()
	a := []int{1, 2, 3}
	for i := 0; i < n; i++ {
		s += a[i]
	}
	return s
}

func floats(n int) (x float64) {
	y := 1.0
	for i := 0; i < n; i++ {
		x, y = y, x+y/2
	}
	return x - y
}

func ranges(m map[string]int, s string, n int) (t int) {
	for i := range n {
		t += i
		for k, r := range s {
			t += k * int(r)
			if r == 'b' {
				continue
			}
			t -= i
		}
	}
	for range m {
		t++
	}
	return
}

func main() {
	fmt.Println(fib(50))
	fmt.Println(swap(7))
	fmt.Println(old(9))
	fmt.Println(indexed([]int{1, 2, 3, 4}))
	fmt.Println(behind([]byte("abc")))
	fmt.Println(store(make([]int, 5)))
	fmt.Println(nested(4), nested(9))
	fmt.Println(after([]int{4, 5, 6}, 5))
	fmt.Println(after([]int{4, 5, 6}, 7))
	fmt.Println(converted(3))
	fmt.Println(small(4))
	fmt.Println(gcd(1071, 462))
	fmt.Println(collatz(27))
	for _, f := range closures(4) {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println(recovered(3), recovered(5))
	fmt.Println(floats(9))
	fmt.Println(ranges(map[string]int{"x": 1}, "abc", 4))
}
