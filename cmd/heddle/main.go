// The heddle command finds concurrency bugs by running a package's own tests
// under every interleaving that matters. See `heddle help`.
package main

import (
	"os"

	"github.com/heddle-go/heddle/runner"
	"github.com/heddle-go/heddle/runner/heap"
)

func main() {
	heap.Manage()
	os.Exit(runner.Main(os.Args[1:], runner.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
