package runner

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/runner/cmdline"
)

// A progress tells whoever waits how far an exploration is. On a terminal it does so in a line that goes away.
// Elsewhere the lines depend on the number of executions alone, so that the output stays the same from run to run.
type progress struct {
	w     io.Writer
	shown bool // w is a terminal
	at    explore.Place
	told  int // executions at which it was told last
	since time.Time
	drawn time.Time // when the bar was drawn last; zero if it is not there
}

// tellFrom is the number of executions from which on the progress of an entry is told. It is told again whenever the
// number has doubled.
const tellFrom = 1000

func newProgress(w io.Writer) *progress {
	return &progress{w: w, shown: cmdline.IsTerminal(w) && os.Getenv("TERM") != "dumb"}
}

// tell is called after each execution (exploration.Watcher).
func (p *progress) tell(at explore.Place, x explore.Progress) {
	if at != p.at {
		p.clear()
		p.at, p.told, p.since = at, 0, time.Now()
	}
	if p.shown {
		p.show(x)
		return
	}
	if x.Executions >= max(tellFrom, 2*p.told) {
		p.told = x.Executions
		fmt.Fprintf(p.w, "heddle: %s: %s\n", p.of(), count(x.Executions, "run", "runs"))
	}
}

// of names the entry: "example.com/p: TestPool (3 of 41)".
func (p *progress) of() string {
	return fmt.Sprintf("%s: %s (%d of %d)", p.at.Package, p.at.Entry, p.at.N, p.at.Of)
}

const (
	barWidth = 20
	// redraw is how long a bar stays as it is.
	redraw = 100 * time.Millisecond
	// eraseLine takes the cursor to the line's beginning and erases the line (ECMA-48: CR; EL).
	eraseLine = "\r\x1b[K"
)

// show draws the bar. It is full where a limit strikes; most entries end long before.
func (p *progress) show(x explore.Progress) {
	now := time.Now()
	if now.Sub(p.drawn) < redraw {
		return
	}
	p.drawn = now
	percent := min(x.Percent, 99)
	full := percent * barWidth / 100
	fmt.Fprintf(p.w, "%s%s: %s, %d s; of its limits %3d%% |%s%s|", eraseLine, p.of(), count(x.Executions, "run", "runs"), int(now.Sub(p.since).Seconds()), percent,
		strings.Repeat("█", full), strings.Repeat(" ", barWidth-full))
}

// clear takes the bar away, before something else is written.
func (p *progress) clear() {
	if !p.drawn.IsZero() {
		fmt.Fprint(p.w, eraseLine)
		p.drawn = time.Time{}
	}
}
