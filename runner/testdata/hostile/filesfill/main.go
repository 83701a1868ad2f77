// Files in memory without end.
//
// Want: exit 0
// Want: no space left
package main

import (
	"fmt"
	"os"
)

func main() {
	f, err := os.Create("/tmp/big")
	b := make([]byte, 1<<20)
	for err == nil {
		_, err = f.Write(b)
	}
	fmt.Println(err)
}
