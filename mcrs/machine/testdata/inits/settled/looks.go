// INIT3: how many goroutines there are is no message.
package main

import "runtime"

var found []int

func init() {
	done := make(chan bool)
	go func() { close(done) }()
	found = append(found, runtime.NumGoroutine(), 2, 3)
	<-done
}

func main() {
	if len(found) != 3 {
		panic("the initialiser has not run, or more than once")
	}
	found = append(found, 0) // each execution begins anew
}
