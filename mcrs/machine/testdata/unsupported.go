package main

import "syscall"

func main() {
	syscall.Setegid(1)
	println("not reached")
}
