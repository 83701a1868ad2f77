// The file system changed by other means than files: a named pipe, written to and read.
//
// Want: exit 0
// Want: ^hello
package main

import (
	"fmt"
	"os"
	"syscall"
)

func main() {
	name := os.TempDir() + "/fifo"
	if err := syscall.Mkfifo(os.Args[1]+"/fifo", 0o666); err == nil {
		fmt.Println("made")
	}
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		fmt.Println(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		fmt.Println(err)
	}
	f.WriteString("hello")
	p := make([]byte, 5)
	f.Read(p)
	fmt.Println(string(p))
}
