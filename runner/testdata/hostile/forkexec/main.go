// fork and exec below package os.
//
// Want: incomplete: unsupported|exit 0
package main

import (
	"fmt"
	"os"
	"syscall"
)

func main() {
	_, err := syscall.ForkExec("/bin/touch", []string{"touch", os.Args[1] + "/forked"}, nil)
	fmt.Println(err)
}
