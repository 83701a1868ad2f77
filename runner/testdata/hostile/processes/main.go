// Processes: started, replaced, signalled.
//
// Want: incomplete: unsupported|exit 0
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	touch := os.Args[1] + "/started"
	fmt.Println(exec.Command("/bin/touch", touch).Run())
	fmt.Println(exec.Command("touch", touch).Run())
	_, err := os.StartProcess("/bin/sh", []string{"sh", "-c", "touch " + touch}, &os.ProcAttr{})
	fmt.Println(err)
	fmt.Println(syscall.Exec("/bin/touch", []string{"touch", touch}, nil))
}
