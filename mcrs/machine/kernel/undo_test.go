//go:build linux && amd64

package kernel

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

// TestRestore performs random operations after a snapshot, goes back, and
// compares all that can be seen; snapshots are nested.
func TestRestore(t *testing.T) {
	clock := int64(0)
	for seed := range long.Pick(40, 150) {
		g := gen{rand.New(rand.NewPCG(uint64(seed), 3))}
		k := New(Config{Now: func() int64 { clock++; return clock }, Stdin: strings.NewReader(strings.Repeat("input ", 100))})
		empty := account(k, 0)
		w := emulated(k)
		w.do(sys("mkdir", "/tmp/w", 0o755))
		w.do(sys("chdir", "/tmp/w"))
		step := func(n int) {
			for range n {
				if g.IntN(12) == 0 {
					w.do(pick(g, sys("getrandom", out(9), 9, 0), sys("umask", g.IntN(512)), sys("read", 0, out(7), 7), sys("flock", g.handle(), pick(g, 5, 6, 8))))
				}
				for _, o := range g.op() {
					w.do(o)
				}
			}
		}
		type save struct {
			m    Mark
			dump string
		}
		step(60)
		stack := []save{{k.Snapshot(), dump(k)}}
		for range 12 {
			step(40)
			if got := account(k, empty); got != k.p.used {
				t.Fatalf("seed %d: %d bytes charged, %d held", seed, k.p.used, got)
			}
			if g.IntN(3) == 0 {
				stack = append(stack, save{k.Snapshot(), dump(k)})
				continue
			}
			i := g.IntN(len(stack))
			k.Restore(stack[i].m)
			stack = stack[:i+1]
			if got := dump(k); got != stack[i].dump {
				t.Fatalf("seed %d: not as it was:\n%s", seed, firstDifference(got, stack[i].dump))
			}
		}
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + "\n" + y[i]
		}
	}
	return "length"
}
