// Package baseline has the file of findings that a project has accepted for now. A finding that is in it is not
// reported.
//
// A finding is known by its fingerprint (report.View.Fingerprint). That holds no line numbers, so the finding stays
// known when code moves. Equal fingerprints are counted: one more than the baseline has is reported.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Version is the version of the file's form, and of what goes into a fingerprint.
const Version = 1

// A File is the file.
type File struct {
	Version  int     `json:"version"`
	Findings []Entry `json:"findings"`
}

// An Entry is what findings with one fingerprint have in common. Check, Package and Message are for people.
type Entry struct {
	Fingerprint string `json:"fingerprint"`
	Check       string `json:"check"`
	Package     string `json:"package"`
	Message     string `json:"message"`
	Count       int    `json:"count"`
}

// Add counts a finding.
func (f *File) Add(fingerprint, check, pkg, message string) {
	for i := range f.Findings {
		if f.Findings[i].Fingerprint == fingerprint {
			f.Findings[i].Count++
			return
		}
	}
	f.Findings = append(f.Findings, Entry{fingerprint, check, pkg, message, 1})
}

// Read reads a baseline. Its errors are one line, and say what to do.
func Read(name string) (*File, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("baseline %s: no such file; heddle -write-baseline %s writes one", name, name)
	}
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	return Parse(name, data)
}

// Parse takes the contents of a file apart.
func Parse(name string, data []byte) (*File, error) {
	again := fmt.Sprintf("; heddle -write-baseline %s writes a new one", name)
	var f File
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := json.Unmarshal(data, &struct {
		Version *int `json:"version"`
	}{&f.Version}); err != nil {
		return nil, fmt.Errorf("baseline %s is broken: %v%s", name, err, again)
	}
	if f.Version != Version {
		return nil, fmt.Errorf("baseline %s has version %d, and this heddle reads version %d%s", name, f.Version, Version, again)
	}
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("baseline %s is broken: %v%s", name, err, again)
	}
	for _, e := range f.Findings {
		if e.Fingerprint == "" || e.Count < 1 {
			return nil, fmt.Errorf("baseline %s is broken: an entry has no fingerprint or no count%s", name, again)
		}
	}
	return &f, nil
}

// Write writes the file, as a whole or not at all.
func (f *File) Write(name string) error {
	f.Version = Version
	if f.Findings == nil {
		f.Findings = []Entry{}
	}
	slices.SortFunc(f.Findings, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Check, b.Check), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	data, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".heddle-*")
	if err != nil {
		return fmt.Errorf("cannot write the baseline: %w", err)
	}
	_, err = tmp.Write(append(data, '\n'))
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
		return fmt.Errorf("cannot write the baseline: %w", err)
	}
	return nil
}

// A Set is a baseline in use.
type Set struct {
	left map[string]int
}

// NewSet returns the set of a file; that of nil has nothing.
func NewSet(f *File) *Set {
	s := &Set{left: map[string]int{}}
	if f != nil {
		for _, e := range f.Findings {
			s.left[e.Fingerprint] += e.Count
		}
	}
	return s
}

// Take reports whether the baseline has the finding, and takes it out.
func (s *Set) Take(fingerprint string) bool {
	if s.left[fingerprint] == 0 {
		return false
	}
	s.left[fingerprint]--
	return true
}

// Left is the number of findings that were not met.
func (s *Set) Left() (n int) {
	for _, k := range s.left {
		n += k
	}
	return n
}
