// Commands in comments, which only their own tools run.
//
// Want: exit 0
// Want: done
package main

//go:generate touch generate-was-here
//go:build-toolexec touch toolexec-was-here

func main() { println("done") }
