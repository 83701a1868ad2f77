package program

import (
	"os"
	"strings"
)

// Config says what is loaded, and how.
type Config struct {
	// Dir is the directory that patterns are relative to; "" is the current one.
	Dir string

	// BuildFlags are passed to go list, such as -tags=a,b, -mod=vendor or -modfile=x.
	BuildFlags []string

	// Env is the environment of the go command; nil is os.Environ().
	Env []string

	// Tests asks for test binaries. Without it only main packages have entries.
	Tests bool

	// Mains asks for a second recipe of package main where a main package also has tests.
	Mains bool

	// Overlay adds files to standard packages: import path -> file name -> source text. A file with the name of one of
	// the package's own replaces it. Such a file may import
	// only packages that are in the closure anyway (see Extra).
	Overlay map[string]map[string]string

	// Extra are import paths of standard packages that belong to every program, imported or not.
	Extra []string

	// Boundary reports whether the bodies of a standard package's functions are dropped. Nil is [DefaultBoundary].
	Boundary func(importPath string) bool

	// KeepBody reports whether a function of a boundary package keeps its body. A method is named as
	// "(*T).Name" or "T.Name". Nil keeps none.
	KeepBody func(importPath, funcName string) bool

	// LateBodies lets most function bodies wait until Program.Body asks for one, those of the standard library
	// unchecked. It suits those who look at what runs, not those who look at everything.
	LateBodies bool
}

// DefaultBoundary holds for the runtime and the packages below internal/runtime, which every Go program takes for
// granted. Package pprof's labels are plain code that stands there for the runtime's sake.
func DefaultBoundary(importPath string) bool {
	return importPath == "runtime" || strings.HasPrefix(importPath, "internal/runtime/") && !strings.HasPrefix(importPath, "internal/runtime/pprof/")
}

// stdTags are the build tags that select pure Go variants: of the standard library, and of modules with assembly, by
// the two names that are in common use for it.
var stdTags = []string{"purego", "math_big_pure_go", "noasm"}

func (c *Config) boundary(importPath string) bool {
	if c.Boundary != nil {
		return c.Boundary(importPath)
	}
	return DefaultBoundary(importPath)
}

func (c *Config) keepBody(importPath, name string) bool {
	return c.KeepBody != nil && c.KeepBody(importPath, name)
}

// environ returns the environment for the go command: the user's, with extra assignments appended.
func (c *Config) environ(extra ...string) []string {
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	env = append(append([]string(nil), env...), extra...)
	if c.Dir != "" {
		env = append(env, "PWD="+c.Dir)
	}
	return env
}

// splitTags removes -tags from flags and returns its value, split, and what remains.
func splitTags(flags []string) (tags, rest []string) {
	add := func(value string) {
		tags = append(tags, strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	for i := 0; i < len(flags); i++ {
		name, value, hasValue := strings.Cut(strings.TrimPrefix(flags[i], "-"), "=")
		switch {
		case name != "tags" && name != "-tags":
			rest = append(rest, flags[i])
		case hasValue:
			add(value)
		case i+1 < len(flags):
			i++
			add(flags[i])
		}
	}
	return tags, rest
}
