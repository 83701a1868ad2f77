// Command incremental measures what a second run of heddle costs, on a module of fifty packages.
//
//	go run -C internal ./score/incremental [-packages 50] [-times 3] [-keep]
//
// The module is made for it (module.go): packages in layers, each with a few tests with goroutines, under a git
// repository. Processor time is measured, with that of processes that heddle starts (go list, git). So a busy computer
// does not matter much. Of several times the least is taken.
//
//	go list     go list -deps -test -json ./..., as heddle calls it
//	nothing     heddle ./..., with an empty cache
//	unchanged   heddle ./... again
//	edit of P   heddle -new-from-rev=HEAD ./... after an edit of a function of P, that nobody imports, some, and many
//	new type    the same after P, that many import, was given a type with a method
//
// The exit code is 1 if an unchanged run took more than 1.5 times what go list takes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/heddle-go/heddle/internal/score/heddle"
)

// most is how many times what go list takes an unchanged run may take.
const most = 1.5

func main() {
	heddle.Serve()
	n := flag.Int("packages", 50, "packages of the module")
	times := flag.Int("times", 3, "how often each run is measured")
	keep := flag.Bool("keep", false, "leave the module where it is, and say where")
	flag.Parse()
	dir, err := os.MkdirTemp("", "heddle-incremental")
	if err == nil {
		err = score(dir, *n, *times)
	}
	if *keep {
		fmt.Println(dir)
	} else {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "incremental:", err)
		os.Exit(1)
	}
}

// A bench is a module that is measured.
type bench struct {
	dir, store string
	times      int
	p          *heddle.Package
}

func score(dir string, n, times int) error {
	for name, value := range map[string]string{"GOWORK": "off", "GOFLAGS": "", "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
		"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	b := &bench{dir: filepath.Join(dir, "module"), store: filepath.Join(dir, "store"), times: times}
	if err := writeModule(b.dir, n); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "a"}} {
		if _, err := b.command("git", args...); err != nil {
			return err
		}
	}
	b.p = &heddle.Package{Dir: b.dir, Path: "./...", Wall: 20 * time.Minute}
	list, err := b.least(func() (time.Duration, error) { return b.command("go", "list", "-deps", "-test", "-json", "./...") })
	if err != nil {
		return err
	}
	b.tell("go list", list, "")
	first, err := b.heddle("./...")
	if err != nil {
		return err
	}
	b.tell("nothing", first.ProcessorTime, last(first.Stderr))
	var again heddle.Output
	unchanged, err := b.least(func() (_ time.Duration, err error) {
		again, err = b.heddle("./...")
		return again.ProcessorTime, err
	})
	if err != nil {
		return err
	}
	b.tell("unchanged", unchanged, fmt.Sprintf("%.2f times go list; %s", float64(unchanged)/float64(list), last(again.Stderr)))
	if strings.ReplaceAll(again.Stderr, " (cached)", "") != first.Stderr || again.Stdout != first.Stdout {
		return errors.New("the unchanged run says something else")
	}
	for _, edited := range []int{n - 1, n / 2, 0} {
		if err := b.edit("edit of "+packageDir(edited), edited, function); err != nil {
			return err
		}
	}
	if err := b.edit("new type in "+packageDir(0), 0, newType); err != nil {
		return err
	}
	if float64(unchanged) > most*float64(list) {
		return fmt.Errorf("an unchanged run takes more than %.1f times what go list takes", most)
	}
	return nil
}

// function edits a function of a package, for the n-th time.
func function(text string, n int) string {
	text = strings.Replace(text, "const step = 1", fmt.Sprintf("const step = 1 + %d - %[1]d", n), 1)
	return strings.Replace(text, "return c.n", fmt.Sprintf("return c.n + %d - %[1]d", n), 1)
}

// newType adds a type with a method.
func newType(text string, n int) string {
	return fmt.Sprintf("%s\ntype more struct{ a [%d]int }\n\nfunc (m more) Len() int { return len(m.a) }\n", text, n)
}

// edit measures a run after an edit of a package, that many times with another one.
func (b *bench) edit(what string, i int, change func(text string, n int) string) error {
	name := filepath.Join(b.dir, packageDir(i), "code.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var said string
	n := 0
	took, err := b.least(func() (time.Duration, error) {
		n++
		edited := change(string(text), n)
		if edited == string(text) {
			return 0, errors.New("there is nothing to edit")
		}
		if err := os.WriteFile(name, []byte(edited), 0o666); err != nil {
			return 0, err
		}
		out, err := b.heddle("-new-from-rev=HEAD", "./...")
		said = last(out.Stderr)
		return out.ProcessorTime, err
	})
	if err != nil {
		return err
	}
	b.tell(what, took, said)
	return os.WriteFile(name, text, 0o666)
}

// heddle runs the command.
func (b *bench) heddle(args ...string) (heddle.Output, error) {
	out, err := b.p.Output(b.store, args...)
	if err == nil && out.Code != 0 {
		err = fmt.Errorf("heddle %q: exit code %d\n%s%s", args, out.Code, out.Stdout, out.Stderr)
	}
	return out, err
}

// command runs another one in the module.
func (b *bench) command(name string, args ...string) (time.Duration, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = b.dir, os.Stderr
	err := cmd.Run()
	if err != nil {
		return 0, fmt.Errorf("%s %q: %w", name, args, err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// least is the least of several times.
func (b *bench) least(f func() (time.Duration, error)) (time.Duration, error) {
	var out time.Duration
	for i := range b.times {
		took, err := f()
		if err != nil {
			return 0, err
		}
		if i == 0 || took < out {
			out = took
		}
	}
	return out, nil
}

func (b *bench) tell(what string, took time.Duration, more string) {
	fmt.Printf("%-14s %6.2f s  %s\n", what, took.Seconds(), more)
}

// last is the last line of a text.
func last(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}
