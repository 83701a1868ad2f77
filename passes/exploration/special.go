package exploration

import "github.com/heddle-go/heddle/passes/closure"

// This file is what a configuration file says of single packages and entries.

// A Special is what is special about an entry. What is 0 or "" is as the flags have it.
type Special struct {
	Skip               string // why the entry is not explored
	Executions, Events int
	Work               int // millions
	Memory             int // MiB
	Timing             string
}

// SpecialOf, if not nil, says what is special about an entry of a package, whose folder is dir. A driver with a configuration file sets it.
var SpecialOf func(pkg, dir, entry string) Special

func specialOf(c *closure.Result, e entry) Special {
	if SpecialOf == nil {
		return Special{}
	}
	dir := ""
	if p := c.Recipe.Package(c.Recipe.Root); p != nil {
		dir = p.Dir
	}
	return SpecialOf(c.Packages[0], dir, e.name)
}
