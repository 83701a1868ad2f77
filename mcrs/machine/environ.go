package machine

import (
	"maps"
	"slices"
	"strings"
)

// This file notes which environment variables the program asks for. Their values are inputs of the entry, constant in all executions, so a verdict names
// them. Rules:
//
//	ENV1 A variable counts if code outside the standard library asks for it, by os.Getenv or one of its kin. What the standard library asks for by
//	     itself (TMPDIR, GODEBUG, HTTP_PROXY) does not.
//	ENV2 A variable that the program itself has set or unset before in the same execution is no input.
//	ENV3 What package initialisers ask for counts for every entry.

// wholeEnv stands for all variables.
const wholeEnv = "*"

// envNotes is what an execution asked for, and set itself.
type envNotes struct {
	asked, own map[string]bool
}

func (n *envNotes) clone() envNotes { return envNotes{maps.Clone(n.asked), maps.Clone(n.own)} }

func add(set *map[string]bool, name string) {
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[name] = true
}

func asksEnv(m *Machine, g *G, w []uint64)      { m.asksEnv(g, m.goString(w[0], w[1])) }
func asksWholeEnv(m *Machine, g *G, _ []uint64) { m.asksEnv(g, wholeEnv) }
func setsEnv(m *Machine, _ *G, w []uint64)      { add(&m.env.own, m.goString(w[0], w[1])) }
func setsWholeEnv(m *Machine, _ *G, _ []uint64) { add(&m.env.own, wholeEnv) }

func (m *requests) asksEnv(g *G, name string) {
	if !m.env.own[name] && !m.env.own[wholeEnv] && g.userAsksEnv() {
		add(&m.env.asked, name)
	}
}

// userAsksEnv is ENV1: whether what called a function of syscall, through functions of os alone, is outside the standard library.
func (g *goStack) userAsksEnv() bool {
	for i := len(g.frames) - 2; i >= 0; i-- {
		switch f := g.frames[i].f; f.name {
		case "os.Getenv", "os.LookupEnv", "os.Environ", "os.Expand", "os.ExpandEnv":
		default:
			return !f.std
		}
	}
	return true // of a go statement
}

// environment lists what was asked for, as trace.Trace has it.
func (m *Machine) environment() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(m.env.asked)) {
		for _, v := range slices.Backward(m.kernel.Env()) {
			if k, _, _ := strings.Cut(v, "="); k == name {
				name = v
				break
			}
		}
		out = append(out, name)
	}
	return out
}
