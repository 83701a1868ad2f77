package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// Identity is the same for findings that people would call the same one,
// whatever entry, package or schedule shows it: the category and the lines of the
// two accesses, of the blocked operations, or of the panic. The line at which a
// test fails is a finding of its own for each entry. What a goroutine logs to a test that has completed testing
// notices at the beginning, or when it writes: one finding, whatever it says.
func (v *View) Identity(f *Finding) string {
	t := f.Witness
	var places []string
	add := func(frames []trace.Frame) {
		if i := v.nearest(frames); i >= 0 {
			places = append(places, v.Source.Position(frames[i].Site).String())
		}
	}
	entry := fmt.Sprintf("%q %s", v.Packages, v.Entry)
	switch {
	case t == nil:
	case f.Category == TestFailure:
		// The line is that of Position: of several assertions by one library each is a finding.
		frames := v.failFrames(f)
		if i := v.own(frames); i >= 0 {
			frames = frames[i:]
		}
		if add(frames); len(places) > 0 {
			places = append(places, entry)
		}
	case f.Category == Robustness:
		for _, i := range overtaking(f) {
			add(v.frames(t, i))
		}
	case f.Category == DataRace:
		for _, i := range f.Events {
			add(v.frames(t, i))
		}
	case f.Category == Deadlock, f.Category == GoroutineLeak, f.Category == Livelock:
		for _, i := range f.Threads {
			add(v.threadFrames(t, i))
		}
	case f.Category == Panics:
		add(v.failFrames(f))
		places = append(places, lateLog.ReplaceAllString(firstLine(t.Panic), "late log"))
	}
	if len(places) == 0 {
		return fmt.Sprintf("%s %s %s", f.Category, entry, f.Key)
	}
	slices.Sort(places)
	return string(f.Category) + " " + strings.Join(slices.Compact(places), " ")
}

// lateLog is what package testing says of it.
var lateLog = regexp.MustCompile(`^panic: (Log in goroutine|Output called|Write called) after .* has completed.*`)

func firstLine(s string) string {
	l, _, _ := strings.Cut(s, "\n")
	return l
}
