// Package bench holds the benchmark programs of model checkers for weak memory and of maximal causality reduction, as Go
// tests: shared variables are plain ints, which race on purpose. internal/score/explore runs them under each explorer.
package bench

import (
	"sync"
	"testing"
)

// start runs goroutines and waits for them.
func start(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Add(1)
		go func() {
			f()
			wg.Done()
		}()
	}
	wg.Wait()
}

func repeat(n int, f func()) (fs []func()) {
	for range n {
		fs = append(fs, f)
	}
	return fs
}

var a, b, c, x, y, z, p, i, j int

func TestSB(t *testing.T) {
	start(func() { x = 1; a = y }, func() { y = 1; b = x })
}

func TestIndep4(t *testing.T) {
	start(func() { x = 1 }, func() { a = x }, func() { y = 1 }, func() { b = y })
}

func nwriters(n int) { start(append(repeat(n, func() { x = 1 }), func() { a = x })...) }

func TestNWriters2(t *testing.T)  { nwriters(2) }
func TestNWriters8(t *testing.T)  { nwriters(8) }
func TestNWriters64(t *testing.T) { nwriters(64) }

func counter(n int) {
	add := func(d int) func() {
		return func() {
			for range n {
				t := c
				c = t + d
			}
		}
	}
	start(add(1), add(-1))
}

func TestCounter1(t *testing.T) { counter(1) }
func TestCounter2(t *testing.T) { counter(2) }
func TestCounter3(t *testing.T) { counter(3) }
func TestCounter4(t *testing.T) { counter(4) }
func TestCounter5(t *testing.T) { counter(5) }
func TestCounter6(t *testing.T) { counter(6) }

func fib(n int) {
	i, j = 1, 1
	start(func() {
		for range n {
			u := i
			v := j
			i = u + v
		}
	}, func() {
		for range n {
			u := j
			v := i
			j = u + v
		}
	})
}

func TestFib1(t *testing.T) { fib(1) }
func TestFib2(t *testing.T) { fib(2) }
func TestFib3(t *testing.T) { fib(3) }
func TestFib4(t *testing.T) { fib(4) }
func TestFib5(t *testing.T) { fib(5) }
func TestFib6(t *testing.T) { fib(6) }

var mu sync.Mutex

func lockcnt(n int) {
	start(repeat(n, func() {
		mu.Lock()
		c = c + 1
		mu.Unlock()
	})...)
}

func TestLockCnt2(t *testing.T)  { lockcnt(2) }
func TestLockCnt3(t *testing.T)  { lockcnt(3) }
func TestLockCnt4(t *testing.T)  { lockcnt(4) }
func TestLockCnt5(t *testing.T)  { lockcnt(5) }
func TestLockCnt6(t *testing.T)  { lockcnt(6) }
func TestLockCnt8(t *testing.T)  { lockcnt(8) }
func TestLockCnt10(t *testing.T) { lockcnt(10) }
func TestLockCnt12(t *testing.T) { lockcnt(12) }

func pingpong(n int) {
	p = 1
	start(repeat(n, func() {
		if p == 0 {
			return
		}
		if p == 0 {
			return
		}
		t := p
		p = 0
		p = t
	})...)
}

func TestPingPong2(t *testing.T)  { pingpong(2) }
func TestPingPong3(t *testing.T)  { pingpong(3) }
func TestPingPong4(t *testing.T)  { pingpong(4) }
func TestPingPong8(t *testing.T)  { pingpong(8) }
func TestPingPong10(t *testing.T) { pingpong(10) }

var f1, f2, turn int

// TestDekker: a loop that waits is left when its guard is true for the third time.
func TestDekker(t *testing.T) {
	turn = 1
	side := func(me, other int, mine, theirs *int) func() {
		return func() {
			n1, n2 := 0, 0
			*mine = 1
			for *theirs == 1 {
				if n2++; n2 > 2 {
					break
				}
				if turn != me {
					*mine = 0
					for turn != me {
						if n1++; n1 > 2 {
							break
						}
					}
					*mine = 1
				}
			}
			x = me
			_ = use(x)
			turn = other
			*mine = 0
		}
	}
	start(side(1, 2, &f1, &f2), side(2, 1, &f2, &f1))
}

func use(v int) int { return v }

func TestPeterson(t *testing.T) {
	side := func(me, other int, mine, theirs *int) func() {
		return func() {
			n := 0
			*mine = 1
			turn = other
			for *theirs == 1 && turn == other {
				if n++; n > 2 {
					break
				}
			}
			x = me
			*mine = 0
		}
	}
	start(side(1, 2, &f1, &f2), side(2, 1, &f2, &f1))
}

var enter, number [2]int

func TestBakery(t *testing.T) {
	side := func(me int) func() {
		return func() {
			n1, n2 := 0, 0
			enter[me] = 1
			most := 0
			for k := range 2 {
				if number[k] > most {
					most = number[k]
				}
			}
			number[me] = 1 + most
			enter[me] = 0
			for k := range 2 {
				for enter[k] == 1 {
					if n1++; n1 > 2 {
						break
					}
				}
				for number[k] != 0 && number[k] < number[me] {
					if n2++; n2 > 2 {
						break
					}
				}
			}
			x = me + 1
			number[me] = 0
		}
	}
	start(side(0), side(1))
}

var sh int

func TestLamport(t *testing.T) {
	side := func(me int, mine *int) func() {
		return func() {
			n1, n2, n3, n4 := 0, 0, 0, 0
			for {
				if n1++; n1 > 2 {
					break
				}
				*mine = 1
				x = me
				if y != 0 {
					*mine = 0
					for y != 0 {
						if n2++; n2 > 2 {
							break
						}
					}
					continue
				}
				y = 1
				if x != me {
					*mine = 0
					for f2 >= 1 {
						if n3++; n3 > 2 {
							break
						}
					}
					if y != me {
						for y != 0 {
							if n4++; n4 > 2 {
								break
							}
						}
						continue
					}
				}
				break
			}
			sh = me
			_ = use(sh)
			y = 0
			*mine = 0
		}
	}
	start(side(1, &f1), side(2, &f2))
}

func TestRVExample(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		for range 2 {
			mu.Lock()
			x = 0
			mu.Unlock()
			if x > 0 {
				y = y + 1
				x = 2
			}
		}
		wg.Done()
	}()
	go func() {
		for range 2 {
			if x > 1 {
				if y != 3 {
					y = 2
				}
			}
		}
		wg.Done()
	}()
	for range 2 {
		mu.Lock()
		x = 1
		y = 1
		mu.Unlock()
	}
	wg.Wait()
}

// branches starts pairs of goroutines, each pair with a variable of its own.
func branches(k int) {
	vars := make([]int, k)
	var fs []func()
	for i := range vars {
		fs = append(fs, func() { vars[i] = 1 }, func() {
			if vars[i] == 1 {
				vars[i] = 2
			}
		})
	}
	start(fs...)
}

func TestBranches2(t *testing.T)  { branches(2) }
func TestBranches5(t *testing.T)  { branches(5) }
func TestBranches10(t *testing.T) { branches(10) }
func TestBranches20(t *testing.T) { branches(20) }

func airline(k int) {
	cap := k - max(1, k/10)
	sold, stop := 0, false
	var wg sync.WaitGroup
	for range k {
		mu.Lock()
		s := stop
		mu.Unlock()
		if s {
			break
		}
		wg.Add(1)
		go func() {
			mu.Lock()
			if sold >= cap {
				stop = true
			} else {
				sold++
			}
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	if sold < cap {
		panic("unsold")
	}
}

func TestAirline3(t *testing.T) { airline(3) }
func TestAirline5(t *testing.T) { airline(5) }
