package runner

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/heddle-go/heddle/mcrs/explore"
)

// A progress tells who waits how far an exploration is: on a terminal in a line that goes away, else in lines that depend on the number of executions
// alone, so that the output stays the same from run to run.
type progress struct {
	w     io.Writer
	shown bool // w is a terminal
	bar   *progressbar.ProgressBar
	of    string // what the bar is about
	told  int    // executions at which of was told last
}

// tellFrom is the number of executions of an entry from which on there is something to tell; then whenever it has doubled.
const tellFrom = 1000

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	return &progress{w: w, shown: ok && term.IsTerminal(int(f.Fd()))}
}

// tell is exploration.Progress.
func (p *progress) tell(pkg, entry string, x explore.Progress) {
	if of := pkg + " " + entry; of != p.of {
		p.clear()
		p.of, p.told = of, 0
	}
	if p.shown {
		p.show(x)
		return
	}
	if x.Executions >= max(tellFrom, 2*p.told) {
		p.told = x.Executions
		fmt.Fprintf(p.w, "heddle: %s: %s\n", p.of, counts(x))
	}
}

func counts(x explore.Progress) string {
	s := fmt.Sprintf("%d executions, %d behaviours", x.Executions, x.Behaviours)
	if x.Waiting >= 0 {
		s += fmt.Sprintf(", %d to look at", x.Waiting)
	}
	return s
}

// show draws the bar. It ends where what is to be looked at would: that is an estimate, and grows.
func (p *progress) show(x explore.Progress) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(1, progressbar.OptionSetWriter(p.w), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(20), progressbar.OptionSetElapsedTime(true))
	}
	p.bar.ChangeMax(x.Executions + max(x.Waiting, 1))
	p.bar.Describe(p.of + ": " + counts(x))
	_ = p.bar.Set(x.Executions)
}

// clear takes the bar away, before something else is written.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
