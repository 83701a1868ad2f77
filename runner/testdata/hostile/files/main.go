// Files outside the package, by every kind of path, for reading and writing.
//
// Always: what a program may read matters most
// Want: exit 0
// Want: read absolute: .*no such file
// Want: read through symbolic link: .*(no such file|not permitted|permission denied)
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	outside := os.Args[1]
	up := strings.Repeat("../", 40)
	read := func(what, name string) {
		b, err := os.ReadFile(name)
		if err == nil {
			fmt.Printf("%s: %.40s\n", what, b)
		} else {
			fmt.Printf("%s: %v\n", what, err)
		}
	}
	secret := filepath.Join(outside, "secret")
	read("read absolute", secret)
	read("read relative", up+secret)
	read("read through symbolic link", "link")
	read("read through linked folder", "linkdir/secret")
	read("read through own folder", "../files/../.."+secret)
	os.Symlink(secret, "mine")
	read("read through new link", "mine")
	os.Chdir("/")
	read("read after chdir", secret[1:])
	read("shadow", "/etc/shadow")
	read("environ", "/proc/self/environ")
	read("memory", "/proc/self/mem")
	read("fd", "/proc/self/fd/0")
	os.Chdir(filepath.Dir(outside))
	for _, name := range []string{secret, up + secret, filepath.Join(outside, "new"), "/etc/heddle", "/dev/null", "link", "new"} {
		fmt.Println("write", os.WriteFile(name, []byte("overwritten"), 0o666) == nil)
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o777)
		if err == nil {
			fmt.Fprintln(f, "appended")
			f.Truncate(0)
			f.Close()
		}
		os.Chmod(name, 0)
		os.Truncate(name, 0)
		os.Rename(name, name+".moved")
		os.Link(name, name+".linked")
		os.Remove(name)
	}
	os.RemoveAll(outside)
	os.MkdirAll(filepath.Join(outside, "made"), 0o777)
	syscall.Unlink(secret)
}
