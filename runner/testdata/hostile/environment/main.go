// The host's environment and identity.
//
// Want: exit 0
// Want: secret ""
// Want: HOME=/tmp
// Want: year 2026
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	fmt.Printf("secret %q\n", os.Getenv("HEDDLE_HOSTILE_SECRET"))
	fmt.Println(os.Environ())
	os.Setenv("HEDDLE_HOSTILE_SECRET", "changed")
	os.Clearenv()
	os.Chdir("/")
	h, _ := os.Hostname()
	fmt.Println("host", h, os.Getpid(), os.Getuid())
	fmt.Println("year", time.Now().UTC().Year())
	time.Sleep(1000 * time.Hour)
}
