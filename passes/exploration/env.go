package exploration

import (
	"errors"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/passes/closure"
)

// This file defines what entries are given: the environment, the same everywhere but for -env, and what a configuration
// file says of single packages and entries.

// given is what entries are given from outside: variables beside environ, and what may go wrong in the network.
type given struct {
	env    []string
	faults machine.Faults
}

// A FaultsFlag is the value of the flag -faults.
type FaultsFlag struct{ machine.Faults }

func (f *FaultsFlag) Set(s string) (err error) {
	f.Faults, err = machine.ParseFaults(s)
	return err
}

// environ is the environment without -env.
var environ = []string{"HOME=/tmp", "LANG=C", "PATH=/usr/bin:/bin", "TMPDIR=/tmp", "TZ=UTC", "USER=heddle"}

// An EnvFlag is the value of the flag -env: a list of NAME=VALUE. Setting it to "" empties it, for that is its default.
type EnvFlag []string

func (f *EnvFlag) String() string {
	if f == nil {
		return ""
	}
	return strings.Join(*f, " ")
}

func (f *EnvFlag) Set(s string) error {
	name, value, ok := strings.Cut(s, "=")
	switch {
	case s == "":
		*f = nil
		return nil
	case !ok || name == "":
		return errors.New("want NAME=VALUE")
	case strings.ContainsRune(s, 0):
		return errors.New("a name or value has no zero byte")
	}
	*f = withVariable(*f, name, value)
	return nil
}

// withVariable returns an environment in which name has a value; the order is that in which names were first set.
func withVariable(env []string, name, value string) []string {
	env = slices.Clone(env)
	for i, v := range env {
		if n, _, _ := strings.Cut(v, "="); n == name {
			env[i] = name + "=" + value
			return env
		}
	}
	return append(env, name+"="+value)
}

// withEnv is the environment with some variables more.
func withEnv(more []string) []string {
	env := environ
	for _, v := range more {
		name, value, _ := strings.Cut(v, "=")
		env = withVariable(env, name, value)
	}
	return env
}

// A Special is what is special about an entry. What is 0 or "" is as the flags have it.
type Special struct {
	Skip               string // why the entry is not explored
	Executions, Events int
	Work               int // millions
	Memory             int // MiB
	Timing             string
}

// SpecialOf, if not nil, says what is special about an entry of a package, whose folder is dir. A driver with a
// configuration file sets it.
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
