// A system call in assembly.
//
// Want: exit 1
// Want: unsupported function .*evil, called by .*main
package main

func evil()

func main() { evil() }
