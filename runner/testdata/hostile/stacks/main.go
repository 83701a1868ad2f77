// Many goroutines with deep stacks.
//
// Flags: -limit.memory=32
// Want: exit 1
// Want: incomplete: memory limit of 32 MiB reached
package main

func deep(n int, c chan int) int {
	if n == 0 {
		<-c
		return 0
	}
	return deep(n-1, c) + 1
}

func main() {
	c := make(chan int)
	for range 1000 {
		go deep(100_000, c)
	}
	c <- 1
}
