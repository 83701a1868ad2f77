// Command gotest is the conformance score of the machine. It runs the programs of GOROOT/test natively and in the
// machine, and compares what they print and how they end.
//
//	go run -C internal ./score/gotest [-run regexp] [-v] [-j 2] [-list] [-collect bytes]
//
// # What counts
//
// A program is a file below GOROOT/test whose first line is exactly "// run" and that has no //go:build line. It is
// compiled alone, as Go's own test driver does (go tool compile -p main), and read where it stands. A program agrees
// when the exit code and the standard output are the same. Standard error has to be the same to the byte if the program
// ends with 0. Else the text before the first goroutine's trace has to be the same; numbers in base 16 are left out,
// for they are addresses. A program is run natively twice. What differs between the two runs is not compared.
//
// Native results are kept in the user's cache folder, by toolchain and content. The machine's limits are counts of
// instructions and bytes, so that the score does not depend on the host's load. The limit of wall time is a safety net.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A verdict is the comparison of one program.
type verdict struct {
	name   string
	reason string // "" if it agrees
	group  string // failures of one reason
	steps  int64
	took   time.Duration
}

var collectEvery int64

func main() {
	pattern := flag.String("run", "", "only programs whose name matches this regular expression")
	verbose := flag.Bool("v", false, "print every program, and how the outputs of failing ones differ")
	jobs := flag.Int("j", runtime.NumCPU(), "number of worker processes")
	list := flag.Bool("list", false, "list the programs and stop")
	worker := flag.Bool("worker", false, "run programs named on standard input (internal)")
	flag.Int64Var(&collectEvery, "collect", 0, "collect the machine's heap whenever so many bytes have been allocated")
	flag.Parse()
	if *worker {
		work()
		return
	}
	if err := score(*pattern, *verbose, *jobs, *list); err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		os.Exit(1)
	}
}

func score(pattern string, verbose bool, jobs int, list bool) error {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	dir := filepath.Join(build.Default.GOROOT, "test")
	names, err := programs(dir)
	if err != nil {
		return err
	}
	all := len(names)
	if pattern != "" {
		var some []string
		for _, n := range names {
			if re.MatchString(n) {
				some = append(some, n)
			}
		}
		names = some
	}
	if list {
		fmt.Println(strings.Join(names, "\n"))
		return nil
	}
	nat, err := newNative(dir)
	if err != nil {
		return err
	}
	defer nat.close()

	known, err := knownList()
	if err != nil {
		return err
	}
	verdicts := make([]verdict, len(names))
	var count, good atomic.Int32
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(jobs, max(len(names), 1)) {
		wg.Go(func() {
			w := &client{}
			defer w.stop()
			for i := range next {
				verdicts[i] = judge(nat, w, names[i], verbose)
				v := verdicts[i]
				if v.reason == "" {
					good.Add(1)
				}
				if verbose || v.reason != "" {
					show(v)
				}
				if n := count.Add(1); n%50 == 0 {
					fmt.Fprintf(os.Stderr, "%d of %d programs, %d agree\n", n, len(names), good.Load())
				}
			}
		})
	}
	for i := range names {
		next <- i
	}
	close(next)
	wg.Wait()
	summary(verdicts, all)
	return compare(verdicts, known)
}

//go:embed known.txt
var knownText string

// knownList parses known.txt: a program, the group of its failure and the reason in a line, separated by tabs.
func knownList() (map[string]string, error) {
	known := map[string]string{}
	for i, l := range strings.Split(knownText, "\n") {
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		f := strings.Split(l, "\t")
		if len(f) != 3 || f[2] == "" || known[f[0]] != "" {
			return nil, fmt.Errorf("known.txt:%d: not a new program, a group and a reason with a tab between", i+1)
		}
		known[f[0]] = f[1]
	}
	return known, nil
}

// compare checks the verdicts against the list.
func compare(vs []verdict, known map[string]string) error {
	var wrong []string
	for _, v := range vs {
		switch group, listed := known[v.name]; {
		case !listed && v.reason != "":
			wrong = append(wrong, v.name+" does not agree and is not listed: "+v.reason)
		case listed && v.reason == "":
			wrong = append(wrong, v.name+" agrees and is listed")
		case listed && group != v.group:
			wrong = append(wrong, fmt.Sprintf("%s is listed as %q, and fails as %q", v.name, group, v.group))
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("known.txt is not right:\n\t%s", strings.Join(wrong, "\n\t"))
	}
	return nil
}

// programs returns the names, below dir, of the programs that count.
func programs(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if counts(data) {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	sort.Strings(names)
	return names, err
}

// counts reports whether a file is a program of the score.
func counts(src []byte) bool {
	first, _, _ := bytes.Cut(src, []byte("\n"))
	if string(bytes.TrimRight(first, "\r")) != "// run" {
		return false
	}
	for s := bufio.NewScanner(bytes.NewReader(src)); s.Scan(); {
		if bytes.HasPrefix(s.Bytes(), []byte("//go:build")) {
			return false
		}
	}
	return true
}

func show(v verdict) {
	if v.reason == "" {
		fmt.Printf("ok    %-40s %12d %8.2fs\n", v.name, v.steps, v.took.Seconds())
	} else {
		fmt.Printf("FAIL  %-40s %s\n", v.name, v.reason)
	}
}

func summary(vs []verdict, all int) {
	good := 0
	groups := map[string][]string{}
	for _, v := range vs {
		if v.reason == "" {
			good++
		} else {
			groups[v.group] = append(groups[v.group], v.name+": "+v.reason)
		}
	}
	keys := make([]string, 0, len(groups))
	for k := range groups {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if a, b := len(groups[keys[i]]), len(groups[keys[j]]); a != b {
			return a > b
		}
		return keys[i] < keys[j]
	})
	for _, k := range keys {
		fmt.Printf("\n%s: %d\n", k, len(groups[k]))
		for _, s := range groups[k] {
			fmt.Printf("\t%s\n", strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n\t\t"))
		}
	}
	fmt.Printf("\nscore: %d of %d programs agree with the native run", good, len(vs))
	if len(vs) != all {
		fmt.Printf(" (of %d in all)", all)
	}
	fmt.Println()
}

// judge compares one program.
func judge(nat *native, w *client, name string, verbose bool) verdict {
	v := verdict{name: name}
	want, err := nat.run(name)
	if err != nil {
		v.reason, v.group = oneLine(err.Error()), "the native toolchain failed"
		return v
	}
	got := w.run(name)
	v.steps, v.took = got.Steps, got.Took
	if got.Err != "" {
		v.reason = got.Err
		v.group = groupOf(got.Err)
		if !verbose {
			v.reason = oneLine(v.reason)
		}
		return v
	}
	diff := func(what, a, b string) {
		v.group = what + " differs"
		v.reason = v.group + ": " + firstDiff(a, b)
		if verbose {
			v.reason += fmt.Sprintf("\nnative:\n%s\nmachine:\n%s", clip(a), clip(b))
		}
	}
	switch {
	case want.Code != got.Code:
		diff("exit code", fmt.Sprintf("%d %s", want.Code, want.Stderr), fmt.Sprintf("%d %s", got.Code, got.Stderr))
	case !want.VaryOut && want.Stdout != got.Stdout:
		diff("standard output", want.Stdout, got.Stdout)
	case !want.VaryErr && head(want) != head(got):
		diff("standard error", head(want), head(got))
	}
	return v
}

// head is the part of standard error that is compared.
func head(o outcome) string {
	s := o.Stderr
	if o.Code == 0 {
		return s
	}
	if i := strings.Index(s, "\ngoroutine "); i >= 0 {
		s = s[:i]
	}
	var b strings.Builder
	for _, l := range strings.Split(s, "\n") {
		if strings.HasPrefix(l, "[signal ") || strings.HasPrefix(l, "exit status ") {
			continue
		}
		b.WriteString(strings.TrimRight(address.ReplaceAllString(l, "0x"), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

var address = regexp.MustCompile(`0x[0-9a-f]+`)

// groupOf is what failures of one reason have in common.
func groupOf(s string) string {
	if i := strings.Index(s, "unsupported "); i >= 0 {
		s = s[i:]
		s, _, _ = strings.Cut(s, ", called by")
		return s
	}
	for _, g := range []string{"limit of ", "memory limit", "machine panic", "type-check", "worker"} {
		if strings.Contains(s, g) {
			return g
		}
	}
	return "other"
}

func oneLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > 300 {
		s = s[:300]
	}
	return s
}

// firstDiff shows the first lines that differ.
func firstDiff(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		p, q := "<end>", "<end>"
		if i < len(x) {
			p = x[i]
		}
		if i < len(y) {
			q = y[i]
		}
		if p != q {
			return fmt.Sprintf("line %d: native %.120q, machine %.120q", i+1, p, q)
		}
	}
	return "equal"
}

func clip(s string) string {
	if len(s) > 3000 {
		return s[:3000] + "…"
	}
	return s
}
