// A very large array as a value.
//
// Want: exit [12]
// Want: memory limit|stack|in its frame
package main

type big [1 << 30]byte

func f(b big) byte { return b[5] }

func main() {
	p := new(big)
	println(f(*p))
}
