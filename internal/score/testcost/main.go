// Command testcost runs go test ./... of the repository's root. It says what processor time each package's tests take,
// with that of processes they start.
//
//	go run -C internal ./score/testcost [-total 120s] [-package 60s] [go test flags]
//
// Compiling is left out, and reported apart. The command ends with 1 if a test fails, if the sum is more than -total,
// or if a package's time is more than -package.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/heddle-go/heddle/internal/tree"
)

// record names the file that the runs of test binaries add a line to.
const record = "HEDDLE_TESTCOST"

func main() {
	if file := os.Getenv(record); file != "" && len(os.Args) > 1 {
		os.Exit(one(file, os.Args[1:]))
	}
	total := flag.Duration("total", 120*time.Second, "the most that all packages may take")
	each := flag.Duration("package", 60*time.Second, "the most that one may take")
	flag.Parse()
	ok, err := score(*total, *each, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "testcost:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// one runs a test binary, in the place of go test, and notes what it took.
func one(file string, args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, record+"=") })
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "testcost:", err)
		return 1
	}
	dir, _ := os.Getwd() // the package's folder
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		s := cmd.ProcessState
		_, err = fmt.Fprintf(f, "%s\t%d\t%d\n", dir, s.UserTime()+s.SystemTime(), s.SysUsage().(*syscall.Rusage).Maxrss/1024)
		f.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testcost:", err)
		return 1
	}
	return cmd.ProcessState.ExitCode()
}

// score runs all tests and prints the table.
func score(total, each time.Duration, args []string) (bool, error) {
	if err := tree.Enter(); err != nil {
		return false, err
	}
	root, err := os.Getwd()
	if err != nil {
		return false, err
	}
	exe, err := os.Executable()
	if err != nil {
		return false, err
	}
	f, err := os.CreateTemp("", "testcost")
	if err != nil {
		return false, err
	}
	defer os.Remove(f.Name())
	began := time.Now()
	cmd := exec.Command("go", slices.Concat([]string{"test", "-count=1", "-exec", exe}, args, []string{"./..."})...)
	cmd.Env = append(os.Environ(), record+"="+f.Name())
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		for line := range strings.Lines(string(out)) {
			if !strings.HasPrefix(line, "ok ") && !strings.HasPrefix(line, "?") {
				fmt.Fprint(os.Stderr, line)
			}
		}
		return false, fmt.Errorf("go test: %w", err)
	}
	type cost struct {
		name string
		time time.Duration
		mib  int
	}
	var costs []cost
	var sum time.Duration
	for s := bufio.NewScanner(f); s.Scan(); {
		dir, rest, _ := strings.Cut(s.Text(), "\t")
		var c cost
		if _, err := fmt.Sscanf(rest, "%d\t%d", &c.time, &c.mib); err != nil {
			return false, err
		}
		if c.name, err = filepath.Rel(root, dir); err != nil {
			return false, err
		}
		costs, sum = append(costs, c), sum+c.time
	}
	slices.SortFunc(costs, func(a, b cost) int { return int(b.time - a.time) })
	ok := sum <= total
	fmt.Println("| package | processor time | MiB |\n| --- | --- | --- |")
	for _, c := range costs {
		if c.time >= time.Second {
			fmt.Printf("| %s | %.1f s | %d |\n", c.name, c.time.Seconds(), c.mib)
		}
		ok = ok && c.time <= each
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	fmt.Printf("| all %d packages | %.1f s | |\n\n%.1f s more for the go command and the compiler; %.0f s by the clock\n",
		len(costs), sum.Seconds(), (used - sum).Seconds(), time.Since(began).Seconds())
	if !ok {
		fmt.Printf("more than %s in all, or %s for a package\n", total, each)
	}
	return ok, nil
}
