// Machine code loaded at run time.
//
// Want: exit [01]
// Want: plugin
package main

import (
	"fmt"
	"plugin"
)

func main() {
	_, err := plugin.Open("/lib/x86_64-linux-gnu/libc.so.6")
	fmt.Println("plugin", err)
}
