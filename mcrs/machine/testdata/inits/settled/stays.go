// INIT4: a goroutine that has not ended is in no snapshot.
package main

var found []int

func init() {
	c := make(chan int)
	go func() {
		for i := range 4 {
			c <- i
		}
	}()
	for range 3 {
		found = append(found, <-c)
	}
}

func main() {
	if len(found) != 3 {
		panic("the initialiser has not run, or more than once")
	}
	found = append(found, 0) // each execution begins anew
}
