// A million goroutines that wait.
//
// Flags: -limit.memory=16
// Want: exit 1
// Want: incomplete: limit of .* goroutines reached|incomplete: memory limit
package main

func main() {
	c := make(chan int)
	for range 1_000_000 {
		go func() { <-c }()
	}
	close(c)
}
