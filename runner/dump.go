package runner

import (
	"fmt"
	"io"
	"strings"

	"github.com/heddle-go/heddle/mcrs/constraint"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/exploration"
)

// dumps are the letters of -dump: what engine developers look at.
var dumps = []struct {
	letter rune
	what   string
	write  func(io.Writer, *exploration.Report)
}{
	{'c', "the constraints: of a race, the question whether its accesses can meet, else which orders of the witness are possible (SMT-LIB text)", dumpConstraints},
	{'i', "internal errors: the stack of a fault of Heddle itself", dumpInternal},
	{'s', "the seed: every step of the witness's schedule", dumpSeed},
	{'t', "the trace: every event of the witness", dumpTrace},
}

func dumpUsage() string {
	var b strings.Builder
	for _, d := range dumps {
		fmt.Fprintf(&b, "%c: %s\n", d.letter, d.what)
	}
	return strings.TrimRight(b.String(), "\n")
}

func checkDump(letters string) error {
	for _, l := range letters {
		ok := false
		var known []string
		for _, d := range dumps {
			ok = ok || d.letter == l
			known = append(known, string(d.letter))
		}
		if !ok {
			return fmt.Errorf("-dump=%s: there is no letter %q; letters are %s", letters, l, strings.Join(known, ", "))
		}
	}
	return nil
}

// dump writes what the letters ask for, in the order of the table above.
func dump(w io.Writer, letters string, r *exploration.Report) {
	for _, d := range dumps {
		if strings.ContainsRune(letters, d.letter) {
			fmt.Fprintf(w, "-- %s: %s of %s --\n", r.Category, strings.SplitN(d.what, ":", 2)[0], r.Entry.Name)
			d.write(w, r)
		}
	}
}

func dumpInternal(w io.Writer, r *exploration.Report) {
	if r.Category == report.Internal {
		fmt.Fprintf(w, "%s\n", r.Witness.Output)
	}
}

func dumpConstraints(w io.Writer, r *exploration.Report) {
	var err error
	switch t := r.Witness; {
	case t == nil || len(t.Events) == 0:
		fmt.Fprintln(w, "; no events")
	case r.Category == report.DataRace && len(r.Events) == 2:
		err = constraint.WriteAdjacent(w, t, r.Events[0], r.Events[1])
	default:
		err = constraint.WriteTrace(w, t)
	}
	if err != nil {
		fmt.Fprintf(w, "; %v\n", err)
	}
}

func dumpSeed(w io.Writer, r *exploration.Report) {
	for i, s := range r.Seed {
		fmt.Fprintf(w, "%6d %s", i, s.Thread)
		if s.Case >= 0 {
			fmt.Fprintf(w, " case %d", s.Case)
		}
		if s.Partner != "" {
			fmt.Fprintf(w, " with %s", s.Partner)
			if s.PartnerCase >= 0 {
				fmt.Fprintf(w, " case %d", s.PartnerCase)
			}
		}
		fmt.Fprintln(w)
	}
}

func dumpTrace(w io.Writer, r *exploration.Report) {
	t := r.Witness
	fmt.Fprintf(w, "status %s, %d goroutines, %d events\n", t.Status, len(t.Threads), len(t.Events))
	for i := range t.Events {
		e := &t.Events[i]
		fmt.Fprintf(w, "%6d %s/%d %s", i, t.Threads[e.Thread].ID, e.Seq, e.Kind)
		fmt.Fprintf(w, " at %#x+%d key %#x value %#x other %d case %d partner %d", e.Loc.Addr, e.Loc.Size, e.Key, e.Value, e.Other, e.Case, e.Partner)
		fmt.Fprintf(w, " %s\n", r.View.Line(e.Site))
	}
}
