package heddle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// This file runs the command for who looks at all that it writes.

// An Output is what a run of the command wrote, and how it ended.
type Output struct {
	Code          int
	Stdout        string
	Stderr        string
	Stats         []byte
	ProcessorTime time.Duration
	MiB           int // resident, at most
}

// Output runs the command in the package's folder with a folder for its cache, or "off".
func (p *Package) Output(cache string, args ...string) (Output, error) {
	stats, err := os.CreateTemp("", "heddle-stats")
	if err != nil {
		return Output{}, err
	}
	stats.Close()
	defer os.Remove(stats.Name())
	o, err := p.run(cache, append([]string{"-stats=" + stats.Name()}, args...))
	if err != nil {
		return o, err
	}
	if o.Code == exitMemory || o.Code == exitTime {
		return o, fmt.Errorf("%s: %s", p.Path, strings.TrimSpace(o.Stderr))
	}
	o.Stats, err = os.ReadFile(stats.Name())
	return o, err
}

// errWall says that the safety net ended a process.
var errWall = errors.New("safety net")

// run runs the command. Its statistics are not read.
func (p *Package) run(cache string, args []string) (Output, error) {
	exe, err := os.Executable()
	if err != nil {
		return Output{}, err
	}
	ctx := context.Background()
	if p.Wall > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.Wall)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", environment, p.Processor/time.Second), "HEDDLE_CACHE="+cache)
	cmd.WaitDelay = time.Second
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Output{}, fmt.Errorf("%w: %v of wall time", errWall, p.Wall)
	case err != nil && !errors.As(err, &exit):
		return Output{}, err
	}
	o := Output{Code: cmd.ProcessState.ExitCode(), Stdout: out.String(), Stderr: errs.String()}
	o.ProcessorTime, o.MiB = taken(cmd.ProcessState)
	return o, nil
}
