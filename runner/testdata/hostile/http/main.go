// A request over the network.
//
// Want: incomplete: unsupported|exit 0
package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	_, err := http.Get("http://" + os.Args[2])
	fmt.Println(err)
}
