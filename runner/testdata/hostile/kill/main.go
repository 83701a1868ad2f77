// Signals to the host's processes.
//
// Want: incomplete: unsupported|exit 0
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	for _, pid := range []int{os.Getppid(), 0, -1} {
		fmt.Println(syscall.Kill(pid, syscall.SIGKILL))
	}
	p, _ := os.FindProcess(os.Getppid())
	fmt.Println(p.Kill())
}
