// The file system changed by other means than files.
//
// Want: incomplete: unsupported system call|exit 3
package main

import (
	"fmt"
	"os"
	"syscall"
)

func main() {
	if err := syscall.Mkfifo(os.Args[1]+"/fifo", 0o666); err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
}
