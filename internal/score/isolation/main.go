// Command isolation runs the hostile programs of runner/testdata/hostile under a trace of system calls, and fails if
// one reached out of the machine. It needs strace.
//
//	go run -C internal ./score/isolation [-run regexp] [-v]
//
// # What may be seen
//
// Heddle's own threads may do this:
//
//   - Open files for reading: those of the program's module, of GOROOT, of the module cache and the build cache,
//     /dev/null, and what `heddle help` opens too, which is what every Go process does.
//   - Write to what they were started with.
//   - Start one other program: go list or go env. What that starts is the go command's own; of it only sockets count.
//     (With -new-from-rev, which is not used here, they start git.)
//
// Failures are: another file opened, a file opened for writing, made, changed or removed, a socket, another program
// started, a signal sent to another process.
package main

import (
	"flag"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/heddle-go/heddle/internal/tree"
)

func main() {
	pattern := flag.String("run", "", "only programs whose name matches this regular expression")
	verbose := flag.Bool("v", false, "say what was seen of each program")
	flag.Parse()
	if err := check(*pattern, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "isolation:", err)
		os.Exit(1)
	}
}

// A subject is the installation that is tested.
type subject struct {
	exe, module, outside, log string
	allowed                   []string // folders
	common                    map[string]bool
}

func check(pattern string, verbose bool) error {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	if _, err := exec.LookPath("strace"); err != nil {
		return fmt.Errorf("%w: install it (apt-get install strace)", err)
	}
	if err := tree.Enter(); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "isolation")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	s, err := prepare(tmp)
	if err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(s.module, "*", "main.go"))
	if err != nil {
		return err
	}
	ran, bad, opens, execs := 0, 0, 0, 0
	one := func(name string, args ...string) error {
		if !re.MatchString(name) {
			return nil
		}
		tr, err := s.trace(args...)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r := s.judge(tr)
		ran++
		opens += r.opens
		execs += r.execs
		for _, f := range r.faults {
			bad++
			fmt.Printf("%s: %s\n", name, f)
		}
		if verbose {
			fmt.Printf("%s: %d files opened, %d programs started, %d faults\n", name, r.opens, r.execs, len(r.faults))
		}
		return nil
	}
	for _, n := range names {
		name := filepath.Base(filepath.Dir(n))
		if err := one(name, "run", "-limit.memory=64", "./"+name, s.outside, "127.0.0.1:9"); err != nil {
			return err
		}
	}
	if err := one("tests", "./tests"); err != nil {
		return err
	}
	fmt.Printf("%d programs: %d files opened, all in the module, GOROOT and caches; %d programs started, all go list or go env; %d faults\n", ran, opens, execs, bad)
	if bad > 0 {
		return fmt.Errorf("%d faults", bad)
	}
	return nil
}

// prepare builds heddle, copies the programs, and learns what every process opens.
func prepare(tmp string) (*subject, error) {
	s := &subject{
		exe: filepath.Join(tmp, "heddle"), module: filepath.Join(tmp, "module"), outside: filepath.Join(tmp, "outside"), log: filepath.Join(tmp, "log"),
	}
	if out, err := exec.Command("go", "build", "-o", s.exe, "./cmd/heddle").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build ./cmd/heddle: %w\n%s", err, out)
	}
	if err := os.CopyFS(s.module, os.DirFS(filepath.Join("runner", "testdata", "hostile"))); err != nil {
		return nil, err
	}
	if err := os.Mkdir(s.outside, 0o777); err != nil {
		return nil, err
	}
	secret := filepath.Join(s.outside, "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o666); err != nil {
		return nil, err
	}
	if err := os.Symlink(secret, filepath.Join(s.module, "files", "link")); err != nil {
		return nil, err
	}
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		return nil, err
	}
	s.allowed = append(strings.Fields(string(out)), s.module, build.Default.GOROOT)
	tr, err := s.trace("help")
	if err != nil {
		return nil, err
	}
	s.common = map[string]bool{"/dev/null": true} // the go command's standard input
	for _, c := range tr.calls {
		if p, ok := c.path(s.module); ok && strings.HasPrefix(c.name, "open") {
			s.common[p] = true
		}
	}
	return s, nil
}
