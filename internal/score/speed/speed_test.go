//go:build unix

package speed

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/interp"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/heddle-go/heddle/internal/score/speed/kernels"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

// A kernel is run at one size by all that can run it.
type kernel struct {
	name   string
	n      int
	native func(int) int
	repeat int    // native runs in a pair: a short one is told from noise by their number
	file   string // of package kernels, if it imports nothing: for the interpreter of x/tools
}

var all = []kernel{
	{"fib", 32, kernels.Fib, 5, "fib.go"},
	{"loop", 100_000_000, kernels.Loop, 3, "loop.go"},
	{"sort", 100_000, kernels.Sort, 20, ""},
	{"map", 100_000, kernels.Map, 20, ""},
	{"text", 100_000, kernels.Text, 20, ""},
	{"tree", 14, kernels.Tree, 100, ""},
}

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// timed is the processor time that f takes.
func timed(f func()) time.Duration {
	began := cpu()
	f()
	return cpu() - began
}

func median(ds []float64) float64 {
	slices.Sort(ds)
	return ds[len(ds)/2]
}

// BenchmarkKernels runs the kernels in pairs, in the machine and natively. It gives the medians of the processor times
// and of the quotients of pairs. The machine has then compiled nothing yet.
func BenchmarkKernels(b *testing.B) {
	p, r := load(b, "testdata/main.go", false)
	for _, k := range all {
		b.Run(k.name, func(b *testing.B) {
			want := strconv.Itoa(k.native(k.n)) + "\n"
			var ours, natives, quotients []float64
			for b.Loop() {
				m := prepared(b, p, r, k.name, strconv.Itoa(k.n))
				var out bytes.Buffer
				h := timed(func() {
					if code, err := m.Exec(machine.Streams{Stdout: io.Discard, Stderr: &out}, p.Entries); code != 0 || err != nil {
						b.Fatal(code, err, out.String())
					}
				})
				if out.String() != want {
					b.Fatalf("the machine computes %s, want %s", out.String(), want)
				}
				n := timed(func() {
					for range k.repeat {
						k.native(k.n)
					}
				}) / time.Duration(k.repeat)
				ours, natives = append(ours, h.Seconds()*1000), append(natives, n.Seconds()*1000)
				quotients = append(quotients, h.Seconds()/n.Seconds())
			}
			b.ReportMetric(median(ours), "machine-ms")
			b.ReportMetric(median(natives), "native-ms")
			b.ReportMetric(median(quotients), "times-native")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkInterp pairs the machine with golang.org/x/tools/go/ssa/interp.
func BenchmarkInterp(b *testing.B) {
	p, r := load(b, "testdata/main.go", false)
	for _, k := range all {
		if k.file == "" {
			continue
		}
		b.Run(k.name, func(b *testing.B) {
			other := xtools(b, k)
			var ours, theirs, quotients []float64
			for b.Loop() {
				m := prepared(b, p, r, k.name, strconv.Itoa(k.n))
				h := timed(func() {
					if code, err := m.Exec(machine.Streams{Stdout: io.Discard, Stderr: io.Discard}, p.Entries); code != 0 || err != nil {
						b.Fatal(code, err)
					}
				})
				t := timed(func() {
					if code := interp.Interpret(other, 0, types.SizesFor("gc", "amd64"), "main", nil); code != 0 {
						b.Fatal("go/ssa/interp ends with", code)
					}
				})
				ours, theirs = append(ours, h.Seconds()*1000), append(theirs, t.Seconds()*1000)
				quotients = append(quotients, t.Seconds()/h.Seconds())
			}
			b.ReportMetric(median(ours), "machine-ms")
			b.ReportMetric(median(theirs), "interp-ms")
			b.ReportMetric(median(quotients), "times-faster")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// xtools is a kernel as a program of go/ssa/interp. It fails if the result is wrong.
func xtools(b *testing.B, k kernel) *ssa.Package {
	text, err := os.ReadFile(filepath.Join("kernels", k.file))
	if err != nil {
		b.Fatal(err)
	}
	name := strings.ToUpper(k.name[:1]) + k.name[1:]
	src := strings.Replace(string(text), "package kernels", "package main", 1) +
		fmt.Sprintf("\nfunc main() {\n\tif %s(%d) != %d {\n\t\tpanic(\"wrong\")\n\t}\n}\n", name, k.n, k.native(k.n))
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, k.file, src, parser.SkipObjectResolution)
	if err != nil {
		b.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{}, fset, types.NewPackage("main", "main"), []*ast.File{f}, ssa.InstantiateGenerics)
	if err != nil {
		b.Fatal(err)
	}
	return pkg
}

// load makes the program of a file or package.
func load(b *testing.B, pattern string, tests bool) (*program.Program, *program.Recipe) {
	cfg := closure.Config("")
	cfg.Tests, cfg.Mains = tests, !tests
	l, err := program.List(cfg, pattern)
	if err != nil {
		b.Fatal(err)
	}
	if len(l.Errors) > 0 {
		b.Fatal(l.Errors)
	}
	p, err := program.NewUniverse(cfg).Build(l.Recipes[0])
	if err != nil {
		b.Fatal(err)
	}
	return p, l.Recipes[0]
}

// prepared is a machine that has run the package initialisers.
func prepared(b *testing.B, p *program.Program, r *program.Recipe, args ...string) *machine.Machine {
	k := exploration.KernelConfig(r, nil, nil)
	k.Args = append(k.Args, args...)
	m := machine.New(p, machine.Config{Kernel: k})
	if err := m.Prepare(); err != nil {
		b.Fatal(err)
	}
	return m
}

// BenchmarkExecutions explores a test of three goroutines. The rate is that of whole explorations, by processor time.
func BenchmarkExecutions(b *testing.B) {
	p, r := load(b, "./testdata/three", true)
	for _, name := range []string{"bruteforce", "random", "systematic"} {
		b.Run(name, func(b *testing.B) {
			m := prepared(b, p, r).Entry(p.Entries[0])
			var rates []float64
			events := 0
			for b.Loop() {
				x, err := explorers.New(name)
				if err != nil {
					b.Fatal(err)
				}
				var res *explore.Result
				d := timed(func() { res = x.Explore(m, explore.Limits{}) })
				if len(res.Findings) > 0 {
					b.Fatal("findings in a correct program: ", len(res.Findings))
				}
				rates = append(rates, float64(res.Stats.Executions)/d.Seconds())
				events = res.Stats.Events / res.Stats.Executions
			}
			b.ReportMetric(median(rates), "executions/s")
			b.ReportMetric(float64(events), "events/execution")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkLoad starts processes that make one execution of one package, of four, and of one that links net/http. What
// they take is an upper bound of the time until a package is ready. It gives the medians, by the clock and by processor
// time, with that of the go command they start.
func BenchmarkLoad(b *testing.B) {
	exe := filepath.Join(b.TempDir(), "heddle")
	if out, err := exec.Command("go", "build", "-o", exe, "github.com/heddle-go/heddle/cmd/heddle").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	type cost struct{ wall, cpu, rss float64 }
	run := func(pattern string) cost {
		cmd := exec.Command(exe, "-cache=off", "-limit.executions=1", pattern)
		began := time.Now()
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		s := cmd.ProcessState
		return cost{
			time.Since(began).Seconds() * 1000, (s.UserTime() + s.SystemTime()).Seconds() * 1000,
			float64(s.SysUsage().(*syscall.Rusage).Maxrss) / 1024, // Linux counts in KiB
		}
	}
	var wall, cpu, rss, furtherWall, furtherCPU, furtherRSS, linkedCPU, linkedRSS []float64
	for b.Loop() {
		one, four := run("./testdata/ready/a"), run("./testdata/ready/...")
		wall, cpu, rss = append(wall, one.wall), append(cpu, one.cpu), append(rss, one.rss)
		furtherWall, furtherCPU = append(furtherWall, (four.wall-one.wall)/3), append(furtherCPU, (four.cpu-one.cpu)/3)
		furtherRSS = append(furtherRSS, four.rss)
		linked := run("./testdata/linked")
		linkedCPU, linkedRSS = append(linkedCPU, linked.cpu), append(linkedRSS, linked.rss)
	}
	b.ReportMetric(median(wall), "ready-ms")
	b.ReportMetric(median(cpu), "ready-cpu-ms")
	b.ReportMetric(median(rss), "MiB")
	b.ReportMetric(median(furtherWall), "further-ms")
	b.ReportMetric(median(furtherCPU), "further-cpu-ms")
	b.ReportMetric(median(furtherRSS), "MiB-of-four")
	b.ReportMetric(median(linkedCPU), "linked-cpu-ms")
	b.ReportMetric(median(linkedRSS), "linked-MiB")
	b.ReportMetric(0, "ns/op")
}
