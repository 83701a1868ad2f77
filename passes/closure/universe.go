package closure

import "github.com/heddle-go/heddle/program"

// kept is the universe that KeepUniverse made, or nil.
var kept *program.Universe

// NewUniverse returns a universe for the programs of Config.
func NewUniverse(buildFlags ...string) *program.Universe {
	if kept != nil {
		return kept
	}
	return program.NewUniverse(Config("", buildFlags...))
}

// KeepUniverse makes NewUniverse return one universe from now on. It is for tests, which load many small programs in
// one process. All of them then share the standard library, which is most of what a program takes to load. What one
// test loads stays in memory for the next. Packages are told apart by their contents.
func KeepUniverse() { kept = program.NewUniverse(Config("")) }
