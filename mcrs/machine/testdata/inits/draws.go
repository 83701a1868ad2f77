package main

import "math/rand/v2"

func main() {
	drawn := 0
	for range 9900 {
		drawn += rand.IntN(10)
	}
	println(drawn)
}
