// INIT3: which of two goroutines comes first to a Once is not said.
package main

import "sync"

var found []int

func init() {
	var once sync.Once
	first, done := 0, make(chan bool)
	go func() {
		once.Do(func() { first = 1 })
		close(done)
	}()
	once.Do(func() { first = 2 })
	<-done
	found = append(found, first, 2, 3)
}

func main() {
	if len(found) != 3 {
		panic("the initialiser has not run, or more than once")
	}
	found = append(found, 0) // each execution begins anew
}
