// The alone command races, and imports nothing: it is loaded in a fifth of the time that a package with tests takes.
package main

var n int

func main() {
	done := make(chan bool)
	go func() { n++; close(done) }()
	n++
	<-done
	println(pick(n, 2))
}
