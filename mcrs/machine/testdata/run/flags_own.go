package main

import (
	"flag"
	"fmt"
	"testing"
)

// A program that is no test binary has none of testing's flags, until it asks for them.
var (
	run   = flag.String("test.run", "all", "what to run")
	count = flag.Int("test.count", 2, "how often")
)

func main() {
	flag.Parse()
	fmt.Println(*run, *count, flag.Lookup("test.v") == nil, testing.Testing())
	fmt.Println(testing.AllocsPerRun(1, func() {}))
	defer func() {
		fmt.Println(recover() != nil, flag.Lookup("test.short") != nil)
	}()
	flag.CommandLine.SetOutput(discard{})
	testing.Init()
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }
