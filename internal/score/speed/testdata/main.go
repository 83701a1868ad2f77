// The kernels as a program of the machine: their name and size are its arguments.
package main

import (
	"os"
	"strconv"

	"github.com/heddle-go/heddle/internal/score/speed/kernels"
)

func main() {
	n, _ := strconv.Atoi(os.Args[2])
	k := map[string]func(int) int{
		"fib": kernels.Fib, "loop": kernels.Loop, "sort": kernels.Sort, "map": kernels.Map, "text": kernels.Text, "tree": kernels.Tree,
	}
	println(k[os.Args[1]](n))
}
