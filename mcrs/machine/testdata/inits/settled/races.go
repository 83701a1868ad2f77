// INIT2: two goroutines access one variable.
package main

var found []int

func init() {
	done := make(chan bool)
	n := 0
	go func() { n = 1; close(done) }()
	found = append(found, n, 2, 3)
	<-done
}

func main() {
	if len(found) != 3 {
		panic("the initialiser has not run, or more than once")
	}
	found = append(found, 0) // each execution begins anew
}
