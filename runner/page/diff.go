package page

import "strings"

// This file makes the diff of a suggested fix: the lines that go and come, each with a few lines around it.

// A Fix is a suggested fix, as the page shows it.
type Fix struct {
	Message string
	Files   []FileDiff
}

// A FileDiff is what becomes of a file.
type FileDiff struct {
	Name  string // as positions have it
	Lines []DiffLine
}

// A DiffLine is a line of a diff. Sign is "-" for one that goes, "+" for one that comes, " " for one that stays, and "@" where lines were left out.
type DiffLine struct {
	Sign string
	Text string
}

// Kind is the name of the line's class on the page.
func (l DiffLine) Kind() string {
	return map[string]string{"-": "gone", "+": "new", " ": "same", "@": "gap"}[l.Sign]
}

const (
	around = 3 // lines that are shown before and after a change
	// comparable bounds the table of a comparison. Where it would be larger, all lines between the first difference and the last go and come.
	comparable = 4 << 20
)

// Diff compares two texts line by line. It returns nil if they are the same.
func Diff(from, to string) []DiffLine {
	if from == to {
		return nil
	}
	a, b := strings.Split(strings.TrimSuffix(from, "\n"), "\n"), strings.Split(strings.TrimSuffix(to, "\n"), "\n")
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	all := appendLines(nil, " ", a[:head])
	all = append(all, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	return shorten(appendLines(all, " ", a[len(a)-tail:]))
}

func appendLines(out []DiffLine, sign string, lines []string) []DiffLine {
	for _, l := range lines {
		out = append(out, DiffLine{sign, l})
	}
	return out
}

// middle compares by a longest common subsequence: common[i][j] is the length of that of a[i:] and b[j:].
func middle(a, b []string) []DiffLine {
	if len(a)*len(b) > comparable {
		return appendLines(appendLines(nil, "-", a), "+", b)
	}
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []DiffLine
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, DiffLine{" ", a[i]})
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			out = append(out, DiffLine{"-", a[i]})
			i++
		default:
			out = append(out, DiffLine{"+", b[j]})
			j++
		}
	}
	return appendLines(appendLines(out, "-", a[i:]), "+", b[j:])
}

// shorten leaves out the lines that are far from every change.
func shorten(all []DiffLine) []DiffLine {
	near := make([]bool, len(all))
	for i, l := range all {
		if l.Sign == " " {
			continue
		}
		for k := max(i-around, 0); k <= min(i+around, len(all)-1); k++ {
			near[k] = true
		}
	}
	var out []DiffLine
	for i, l := range all {
		switch {
		case near[i]:
			out = append(out, l)
		case len(out) > 0 && out[len(out)-1].Sign != "@":
			out = append(out, DiffLine{Sign: "@"})
		}
	}
	if n := len(out) - 1; n >= 0 && out[n].Sign == "@" {
		out = out[:n]
	}
	return out
}
