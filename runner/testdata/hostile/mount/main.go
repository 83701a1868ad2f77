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
	if err := syscall.Mount("none", os.Args[1], "tmpfs", 0, ""); err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
}
