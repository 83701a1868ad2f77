package report

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heddle-go/heddle/mcrs/trace"
)

const (
	maxColumns = 6  // goroutines side by side; more become a list
	minColumn  = 18 // characters; narrower columns become a list too
	longRun    = 8  // steps of one goroutine in a row before they are folded
	keptOfRun  = 2  // steps kept at both ends of a folded run
	maxRows    = 80 // rows of a table
	keptRows   = 20 // rows kept at its beginning when there are more
)

// Table shows the witness as an interleaving: numbered steps from top to
// bottom, one column for each goroutine, a read with the step its value came
// from. With more goroutines than fit side by side it is a list. Each line ends
// with a newline; there is no trailing space.
func (v *View) Table(f *Finding) string {
	if f.Witness == nil {
		return ""
	}
	steps, _ := v.steps(f)
	if len(steps) == 0 {
		return ""
	}
	rows := bound(foldRuns(steps))
	threads := columns(steps)
	num := len(fmt.Sprint(steps[len(steps)-1].n))
	width := (v.width() - num - 2) / len(threads)
	if len(threads) > maxColumns || width-2 < minColumn {
		return v.list(f.Witness, rows, num)
	}
	return grid(f.Witness, rows, threads, num, width-2)
}

// A row is a step, or several that were folded away.
type row struct {
	*step
	folded int  // number of steps it stands for, 0 for a step itself
	any    bool // the folded steps are of any goroutine
}

// foldRuns folds the middle of long runs of one goroutine, except for steps
// that the finding or another goroutine's read refers to.
func foldRuns(steps []step) []row {
	var rows []row
	for i := 0; i < len(steps); {
		j := i
		for j < len(steps) && steps[j].thread == steps[i].thread {
			j++
		}
		for k := i; k < j; k++ {
			s := &steps[k]
			inner := j-i > longRun && k >= i+keptOfRun && k < j-keptOfRun && !s.pinned
			last := len(rows) - 1
			switch {
			case !inner:
				rows = append(rows, row{step: s})
			case k > i && last >= 0 && rows[last].folded > 0 && rows[last].thread == s.thread:
				rows[last].folded++
			default:
				rows = append(rows, row{step: s, folded: 1})
			}
		}
		i = j
	}
	return rows
}

// bound cuts rows out of the middle of a table that is too long to read.
func bound(rows []row) []row {
	if len(rows) <= maxRows {
		return rows
	}
	cut := len(rows) - maxRows
	n := 0
	for _, r := range rows[keptRows : keptRows+cut] {
		n += max(r.folded, 1)
	}
	gap := row{step: rows[keptRows].step, folded: n, any: true}
	return slices.Concat(rows[:keptRows:keptRows], []row{gap}, rows[keptRows+cut:])
}

// columns returns the goroutines of the steps in the order of their creation.
func columns(steps []step) []int {
	var threads []int
	for i := range steps {
		if !slices.Contains(threads, steps[i].thread) {
			threads = append(threads, steps[i].thread)
		}
	}
	slices.Sort(threads)
	return threads
}

func grid(t *trace.Trace, rows []row, threads []int, num, width int) string {
	var b strings.Builder
	line := func(n string, col int, text string) {
		s := fmt.Sprintf("%*s", num, n)
		if col >= 0 {
			s += strings.Repeat(" ", 2+col*(width+2)) + text
		}
		b.WriteString(strings.TrimRight(s, " ") + "\n")
	}
	head := strings.Repeat(" ", num)
	for _, i := range threads {
		head += "  " + pad(id(t, i), width)
	}
	b.WriteString(strings.TrimRight(head, " ") + "\n")
	for _, r := range rows {
		col := slices.Index(threads, r.thread)
		if r.folded > 0 {
			if r.any {
				col = 0
			}
			line("", col, foldedText(r))
			continue
		}
		n := fmt.Sprint(r.n)
		for _, text := range r.cell(width) {
			line(n, col, text)
			n = ""
		}
	}
	return b.String()
}

func foldedText(r row) string {
	if r.any {
		return fmt.Sprintf("... %d steps ...", r.folded)
	}
	return fmt.Sprintf("(%d more steps)", r.folded)
}

// cell is the text of a step in a column: its line, and under it what it did.
func (s *step) cell(width int) []string {
	var out []string
	switch at := s.at + "  " + s.text; {
	case s.at == "": // the clock has no lines
	case s.text == "":
		out = []string{clipPlace(s.at, width)}
	case utf8.RuneCountInString(at) <= width:
		out = []string{at}
	default:
		out = []string{clipPlace(s.at, width), clip(s.text, width)}
	}
	for _, note := range s.notes {
		out = append(out, wrap(note, width)...)
	}
	return out
}

// clipPlace shortens a place to n characters. The line number stays, and the end of the file's name.
func clipPlace(at string, n int) string {
	r := []rune(at)
	if len(r) <= n || n <= 3 {
		return clip(at, n)
	}
	return "..." + string(r[len(r)-n+3:])
}

func (v *View) list(t *trace.Trace, rows []row, num int) string {
	name := 0
	for _, r := range rows {
		name = max(name, utf8.RuneCountInString(id(t, r.thread)))
	}
	var b strings.Builder
	indent := strings.Repeat(" ", num+2+name+2)
	for _, r := range rows {
		if r.folded > 0 {
			b.WriteString(indent + foldedText(r) + "\n")
			continue
		}
		for i, text := range r.cell(v.width() - len(indent)) {
			prefix := indent
			if i == 0 {
				prefix = fmt.Sprintf("%*d  %s  ", num, r.n, pad(id(t, r.thread), name))
			}
			b.WriteString(strings.TrimRight(prefix+text, " ") + "\n")
		}
	}
	return b.String()
}

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}

// wrap breaks text at spaces into indented lines of at most n characters,
// further lines deeper than the first; a longer word is cut.
func wrap(text string, n int) []string {
	var lines []string
	cur, indent := "", "  "
	for _, w := range strings.Fields(text) {
		switch {
		case cur == "":
			cur = indent + clip(w, n-len(indent))
		case utf8.RuneCountInString(cur)+1+utf8.RuneCountInString(w) <= n:
			cur += " " + w
		default:
			lines = append(lines, cur)
			indent = "    "
			cur = indent + clip(w, n-len(indent))
		}
	}
	return append(lines, cur)
}

// snippet is the source text of a line, without its indentation and trailing comment.
func (v *Code) snippet(p token.Position) string {
	if v.ReadFile == nil || !p.IsValid() {
		return ""
	}
	data, err := v.ReadFile(p.Filename)
	if err != nil {
		return "" // the position alone is what we have then
	}
	n := 1
	for l := range strings.Lines(string(data)) {
		if n == p.Line {
			if i := strings.Index(l, " // "); i >= 0 {
				l = l[:i]
			}
			return strings.Join(strings.Fields(l), " ")
		}
		n++
	}
	return ""
}
