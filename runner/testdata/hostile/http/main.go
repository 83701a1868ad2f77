// A request over the network.
//
// Long: loads net/http
// Want: connection refused|refused
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
