// INIT2: what a goroutine does when it is no longer waited for may come later.
package main

import "runtime"

var found []int

func init() {
	done := make(chan bool)
	go func() {
		close(done)
		found = append(found, 1, 2, 3)
	}()
	<-done
	runtime.Gosched()
}

func main() {
	if len(found) != 3 {
		panic("the initialiser has not run, or more than once")
	}
	found = append(found, 0) // each execution begins anew
}
