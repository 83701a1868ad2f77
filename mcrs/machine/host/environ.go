package host

import (
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file notes which environment variables the program asks for. Their values are inputs of the entry, constant in
// all executions, so a verdict names them. Rules:
//
//	ENV1 A variable counts if code outside the standard library asks for it, by os.Getenv or one of its kin. What the
//	     standard library asks for by itself (TMPDIR, GODEBUG, HTTP_PROXY) does not.
//	ENV2 A variable that the program itself has set or unset before in the same execution is no input.
//	ENV3 What package initialisers ask for counts for every entry.

// wholeEnv stands for all variables.
const wholeEnv = "*"

func add(set *map[string]bool, name string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[name] = true
}

func asksEnv(m *vm.Machine, g *vm.G, w []uint64)      { asks(m, g, m.GoString(w[0], w[1])) }
func asksWholeEnv(m *vm.Machine, g *vm.G, _ []uint64) { asks(m, g, wholeEnv) }
func setsEnv(m *vm.Machine, _ *vm.G, w []uint64)      { add(&m.Env.Own, m.GoString(w[0], w[1])) }
func setsWholeEnv(m *vm.Machine, _ *vm.G, _ []uint64) { add(&m.Env.Own, wholeEnv) }

func asks(m *vm.Machine, g *vm.G, name string) {
	if !m.Env.Own[name] && !m.Env.Own[wholeEnv] && userAsksEnv(g) {
		add(&m.Env.Asked, name)
	}
}

// userAsksEnv is ENV1: whether what called a function of syscall, through functions of os alone, is outside the
// standard library.
func userAsksEnv(g *vm.G) bool {
	for i := len(g.Frames) - 2; i >= 0; i-- {
		switch f := g.Frames[i].Func; f.Name {
		case "os.Getenv", "os.LookupEnv", "os.Environ", "os.Expand", "os.ExpandEnv":
		default:
			return !f.Std
		}
	}
	return true // of a go statement
}

// Environment lists what was asked for, as trace.Trace has it.
func Environment(m *vm.Machine) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(m.Env.Asked)) {
		for _, v := range slices.Backward(m.Kernel.Env()) {
			if k, _, _ := strings.Cut(v, "="); k == name {
				name = v
				break
			}
		}
		out = append(out, name)
	}
	return out
}
