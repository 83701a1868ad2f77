package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/heddle-go/heddle/internal/score/worker"
)

// This file defines the file of outcomes, by which a run goes on where another one stopped. It is a line of JSON for
// each outcome. Of several of one function the last counts.

// kept are the outcomes of earlier runs. Its methods do nothing if there is no file.
type kept struct {
	mu         sync.Mutex
	file       *os.File
	build      string // of this command, and so of the machine
	wrong, own bool   // take no outcome that is not right; take those of this build alone
	outcomes   map[string]keptOutcome
	builds     map[string]bool // of those that were taken or added
}

type keptOutcome struct {
	Package, Name, Build string
	Outcome              worker.Outcome
}

// newKept reads a file, or makes it.
func newKept(name string, wrong, own bool) (*kept, error) {
	if name == "" {
		return nil, nil
	}
	k := &kept{wrong: wrong, own: own, outcomes: map[string]keptOutcome{}, builds: map[string]bool{}}
	var err error
	if k.build, err = buildName(); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range bytes.Lines(data) {
		var o keptOutcome
		if json.Unmarshal(line, &o) == nil { // the last line may have been cut off
			k.outcomes[o.Package+" "+o.Name] = o
		}
	}
	k.file, err = os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	return k, err
}

// buildName names the running command by what is in it.
func buildName() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(exe)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// outcome returns how a function ended in an earlier run.
func (k *kept) outcome(path string, v *verdict) (worker.Outcome, bool) {
	if k == nil {
		return worker.Outcome{}, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	o, ok := k.outcomes[path+" "+v.Name]
	if !ok || k.own && o.Build != k.build {
		return worker.Outcome{}, false
	}
	was := *v
	was.machine = o.Outcome
	if k.wrong && !was.right() && o.Build != k.build {
		return worker.Outcome{}, false
	}
	k.builds[o.Build] = true
	return o.Outcome, true
}

// add writes an outcome to the file.
func (k *kept) add(path string, v *verdict) error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	o := keptOutcome{path, v.Name, k.build, v.machine}
	k.builds[k.build] = true
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = k.file.Write(append(data, '\n'))
	return err
}

// report says of how many builds the outcomes are, if of several.
func (k *kept) report(w io.Writer) {
	if k != nil && len(k.builds) > 1 {
		fmt.Fprintf(w, "the outcomes are of %d builds of the machine\n", len(k.builds))
	}
}
