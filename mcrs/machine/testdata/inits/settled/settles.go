// As Register of Prometheus: a goroutine describes something, and the initialiser waits for it.
package main

var found []int

func init() {
	described := make(chan *[1]int, 10)
	go func() {
		for i := range 3 {
			x := new([1]int)
			x[0] = i
			described <- x
		}
		close(described)
	}()
	for x := range described {
		found = append(found, x[0])
	}
}

func main() {
	if len(found) != 3 {
		panic("the initialiser has not run, or more than once")
	}
	found = append(found, 0) // each execution begins anew
}
