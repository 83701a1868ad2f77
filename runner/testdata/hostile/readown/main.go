// A program may read the files of its own package, and what is below.
//
// Want: exit 0
// Want: package main
package main

import (
	"fmt"
	"os"
)

func main() {
	b, err := os.ReadFile("main.go")
	fmt.Printf("%.0v%s\n", err, b[len(b)-200:])
	_ = "package main"
}
