package main

import "github.com/heddle-go/heddle/mcrs/machine/testdata/cgo"

func main() { println(cgo.One()) }
