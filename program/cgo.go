package program

import (
	"os"
	"slices"
	"strings"
)

// This file says which files ask for cgo, or for pure Go.

// fileAsks reports whether a line of a file asks for something. It says yes where it is not sure.
func fileAsks(name string, asks func(line string) bool) bool {
	text, err := os.ReadFile(name)
	if err != nil {
		return false // who reads it next will say so
	}
	for line := range strings.Lines(string(text)) {
		if asks(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// constrains reports whether a line is a build constraint.
func constrains(line string) bool {
	return strings.HasPrefix(line, "//go:build") || strings.HasPrefix(line, "// +build") || strings.HasPrefix(line, "//+build")
}

// asksCgo reports whether a line imports "C", or is a build constraint with cgo.
func asksCgo(line string) bool {
	if constrains(line) {
		return strings.Contains(line, "cgo")
	}
	return strings.HasPrefix(line, `"C"`) || strings.HasPrefix(line, "import") && strings.Contains(line, `"C"`)
}

// asksPure reports whether a line is a build constraint with one of stdTags.
func asksPure(line string) bool {
	return constrains(line) && slices.ContainsFunc(stdTags, func(tag string) bool { return strings.Contains(line, tag) })
}
