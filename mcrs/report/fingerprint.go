package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file has the fingerprint of a finding: what it is known by after its lines have moved.

// Fingerprint is the same for a finding before and after lines were added, removed or indented elsewhere. It is a hash
// of the check, and for each side of the finding of the function, the name of the file and the text of the line. A
// failing test is known by its name too, a panic by its text without the numbers. Whatever package's tests show the
// same finding, its fingerprint is the same.
func (v *View) Fingerprint(f *Finding) string {
	return v.knownBy(f, "heddle 1", v.side)
}

// Likeness is a fingerprint that names no file, and of folders the last part of the package's path alone: it stays the
// same when files are renamed, and folders around. If moved is not nil, it is what that part was before, of a package
// whose folder has another name now; "" of others.
func (v *View) Likeness(f *Finding, moved func(dir string) string) string {
	return v.knownBy(f, "", func(frames []trace.Frame) string {
		i := v.nearest(frames)
		if i < 0 {
			return ""
		}
		fn, at := frames[i].Func, v.Source.Position(frames[i].Site)
		fn = fn[strings.LastIndexByte(fn, '/')+1:]
		if pkg, name, ok := strings.Cut(fn, "."); ok && moved != nil {
			if was := moved(filepath.Dir(at.Filename)); was != "" && strings.HasSuffix(pkg, "_test") {
				fn = was + "_test." + name
			} else if was != "" {
				fn = was + "." + name
			}
		}
		return fn + " " + v.snippet(at)
	})
}

// Stacks returns the positions of the functions in which a finding's operations stand, and of those that called them.
func (v *Code) Stacks(f *Finding) (out []token.Position) {
	for _, frames := range v.sides(f) {
		for _, x := range frames {
			if p := v.Source.Position(x.Site); p.IsValid() {
				out = append(out, p)
			}
		}
	}
	return out
}

func (v *View) knownBy(f *Finding, version string, side func([]trace.Frame) string) string {
	parts := []string{version, string(f.Category)}
	var sides []string
	for _, frames := range v.sides(f) {
		sides = append(sides, side(frames))
	}
	slices.Sort(sides)
	parts = append(parts, slices.Compact(sides)...)
	switch {
	case f.Category == Panics && f.Witness != nil:
		parts = append(parts, numbers.ReplaceAllString(firstLine(f.Witness.Panic), "N"))
	case f.Category == TestFailure, len(sides) == 0:
		parts = append(parts, v.Entry)
		if version != "" {
			parts[len(parts)-1] = fmt.Sprintf("%q %s", v.Packages, v.Entry)
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:16])
}

var numbers = regexp.MustCompile(`0x[0-9a-f]+|\d+`)

// sides are the stacks that a finding is about.
func (v *Code) sides(f *Finding) [][]trace.Frame {
	t := f.Witness
	if t == nil {
		return nil
	}
	var out [][]trace.Frame
	switch f.Category {
	case Robustness:
		for _, i := range overtaking(f) {
			out = append(out, v.frames(t, i))
		}
	case DataRace:
		for _, i := range f.Events {
			out = append(out, v.frames(t, i))
		}
	case Deadlock, GoroutineLeak, Livelock:
		for _, i := range f.Threads {
			if i >= 0 && i < len(t.Threads) {
				out = append(out, v.threadFrames(t, i))
			}
		}
	default:
		out = append(out, v.failFrames(f))
	}
	return out
}

func (v *Code) side(frames []trace.Frame) string {
	i := v.nearest(frames)
	if i < 0 {
		return ""
	}
	p := v.Source.Position(frames[i].Site)
	return fmt.Sprintf("%s %s %s", frames[i].Func, filepath.Base(p.Filename), v.snippet(p))
}
