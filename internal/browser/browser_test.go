package browser

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/heddle-go/heddle/runner"
)

var screenshots = flag.String("screenshots", "", "write the screenshots of docs/ to this folder")

// start opens a browser for the test. The test is skipped where there is none; .ci/run installs one.
func start(t *testing.T) context.Context {
	t.Helper()
	name := ""
	for _, n := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(n); err == nil {
			name = p
			break
		}
	}
	if name == "" {
		t.Skip("no Chromium on the PATH; .ci/run installs one")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(name), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// explore writes the report of a package and returns its address.
func explore(t *testing.T, patterns ...string) string {
	t.Helper()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	if code := runner.Main(append([]string{"-html", dir}, patterns...), runner.Streams{Out: &out, Err: &errs}); code != 3 {
		t.Fatalf("heddle -html ended with %d, want findings\n%s%s", code, out.String(), errs.String())
	}
	return "file://" + filepath.Join(dir, "index.html")
}

type action = chromedp.Action[chromedp.Void]

func run(t *testing.T, ctx context.Context, actions ...action) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

func eval[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func size(width int64) action { return chromedp.EmulateViewport(width, 900) }

// fits checks that nothing sticks out of the page at the width of the screen.
func fits(t *testing.T, ctx context.Context, width int64) {
	t.Helper()
	if w := eval[int64](t, ctx, "document.documentElement.scrollWidth"); w > width {
		t.Errorf("at %d pixels the page is %d wide", width, w)
	}
}

// uncovered checks that the selected step is on the screen, and the source not before it.
func uncovered(t *testing.T, ctx context.Context, when string) {
	t.Helper()
	// What the page does about another size it does at the next frame, after which comes this one.
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	if !eval[bool](t, ctx, `(() => {
		const row = document.querySelector('tr.current .cell'), box = row.getBoundingClientRect();
		const seen = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
		return box.top >= 0 && box.bottom <= innerHeight && row.contains(seen);
	})()`) {
		t.Errorf("%s the selected step cannot be seen", when)
	}
}

// dark asks for a dark page.
func dark(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
	return chromedp.Void{}, err
}

func shoot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), png, 0o666); err != nil {
		t.Fatal(err)
	}
}

const currentStep = `document.querySelector('tr.current') ? document.querySelector('tr.current').id : ''`

func TestDeadlockOfFour(t *testing.T) {
	ctx := start(t)
	url := explore(t, "./testdata/philosophers")
	run(t, ctx, size(1280), chromedp.Navigate(url), chromedp.WaitVisible(chromedp.CSS("#f1")))
	if n := eval[int](t, ctx, `document.querySelectorAll('.finding').length`); n != 1 {
		t.Fatalf("%d findings on the page, want the deadlock", n)
	}
	if n := eval[int](t, ctx, `document.querySelectorAll('#f1 tr.final').length`); n != 5 {
		t.Errorf("%d steps are marked as blocked, want the test and four philosophers", n)
	}
	fits(t, ctx, 1280)

	// j and k step; the source follows.
	run(t, ctx, chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("k"))
	if id := eval[string](t, ctx, currentStep); id != "f1-s2" {
		t.Errorf("after j, j, j, k the step is %q, want f1-s2", id)
	}
	line := eval[string](t, ctx, `document.querySelector('#f1-s2 code').textContent`)
	if hit := eval[string](t, ctx, `document.querySelector('#f1 .source .hit').textContent`); !strings.Contains(hit, line) {
		t.Errorf("the source shows %q, the step is at %q", hit, line)
	}
	uncovered(t, ctx, "at 1280 pixels")
	if x := eval[[]float64](t, ctx, `Array.from(document.querySelectorAll('#f1 .source pre span')).slice(0, 2).map((s) => {
		const r = document.createRange(); r.selectNodeContents(s.lastChild); return r.getBoundingClientRect().left - s.getBoundingClientRect().left })`); len(x) != 2 || x[0] != x[1] {
		t.Errorf("the text of source lines begins %v pixels from the left: a tab would be of no certain width", x)
	}
	if n := eval[int](t, ctx, `document.querySelectorAll('#f1 svg > path.hot').length`); n == 0 {
		t.Error("no arrow of the selected step stands out")
	}
	shoot(t, ctx, "report-deadlock")

	// What a screen reader gets: a table with a header for each goroutine, and the current step.
	if n := eval[int](t, ctx, `document.querySelectorAll('#f1 thead th[scope=col]').length`); n != 6 {
		t.Errorf("%d columns have a header, want a number and five goroutines", n)
	}
	if got := eval[string](t, ctx, `document.activeElement.getAttribute('aria-current')`); got != "step" {
		t.Errorf("the focused step says aria-current=%q", got)
	}
	run(t, ctx, size(390))
	fits(t, ctx, 390)
	uncovered(t, ctx, "at 390 pixels")
	if h := eval[float64](t, ctx, `document.querySelector('#f1 caption').getBoundingClientRect().height`); h > 60 {
		t.Errorf("at 390 pixels the caption is %v pixels high", h)
	}
	shoot(t, ctx, "report-deadlock-narrow")
}

func TestLongRace(t *testing.T) {
	ctx := start(t)
	url := explore(t, "./testdata/longrace")
	run(t, ctx, size(1280), dark,
		chromedp.Navigate(url), chromedp.WaitVisible(chromedp.CSS("#f1")))
	if n := eval[int](t, ctx, `document.querySelectorAll('#f1 tr.step').length`); n < 100 {
		t.Errorf("the witness has %d steps: is it still the long one?", n)
	}
	if n := eval[int](t, ctx, `document.querySelectorAll('#f1 tr.final').length`); n != 2 {
		t.Errorf("%d steps are marked, want the two accesses", n)
	}
	if c := eval[string](t, ctx, `getComputedStyle(document.body).backgroundColor`); c != "rgb(20, 24, 28)" {
		t.Errorf("with a dark scheme the page's background is %s", c)
	}
	fits(t, ctx, 1280)
	eval[bool](t, ctx, `(() => { const r = document.querySelector('#f1 tr.final'); r.click(); r.scrollIntoView({block: 'center'}); return true })()`)
	shoot(t, ctx, "report-race")
	run(t, ctx, size(390))
	fits(t, ctx, 390)
	uncovered(t, ctx, "at 390 pixels")
	shoot(t, ctx, "report-race-narrow")
}

// The page shows the table that heddle replay prints for its token.
func TestEqualsReplay(t *testing.T) {
	ctx := start(t)
	run(t, ctx, chromedp.Navigate(explore(t, "./testdata/philosophers")), chromedp.WaitVisible(chromedp.CSS("#f1")))
	command := eval[string](t, ctx, `document.querySelector('#f1 .token input').value`)
	table := eval[string](t, ctx, `document.querySelector('#f1 pre.table').textContent`)
	if m := regexp.MustCompile(`^heddle replay (h1\S+)$`).FindStringSubmatch(command); m == nil {
		t.Fatalf("the page's command is %q", command)
	} else {
		var out, errs bytes.Buffer
		if code := runner.Main([]string{"replay", m[1], "./testdata/philosophers"}, runner.Streams{Out: &out, Err: &errs}); code != 3 {
			t.Fatalf("replay ended with %d\n%s", code, errs.String())
		}
		if table == "" || !strings.Contains(out.String(), table) {
			t.Errorf("the page's table\n%s\nis not in what replay prints\n%s", table, out.String())
		}
	}
}

func TestFilter(t *testing.T) {
	ctx := start(t)
	run(t, ctx, size(1280), chromedp.Navigate(explore(t, "./testdata/philosophers", "./testdata/longrace")), chromedp.WaitVisible(chromedp.CSS("#f2")))
	const shown = `document.getElementById('shown').textContent`
	if got := eval[string](t, ctx, shown); got != "2 of 2 shown" {
		t.Fatalf("at first %q", got)
	}
	// The slash goes to the filter. Letters typed there are no commands. (A driven browser types the slash there as
	// well.)
	run(t, ctx, chromedp.KeyEvent("/"))
	if got := eval[string](t, ctx, `document.activeElement.id`); got != "filter" {
		t.Fatalf("after a slash %q has the focus", got)
	}
	const empty = `(() => { const f = document.getElementById('filter'); f.value = ''; f.dispatchEvent(new Event('input')); return true })()`
	eval[bool](t, ctx, empty)
	run(t, ctx, chromedp.KeyEvent("TestDine npk"), chromedp.KeyEvent(kb.Backspace), chromedp.KeyEvent(kb.Backspace), chromedp.KeyEvent(kb.Backspace))
	if got := eval[string](t, ctx, shown); got != "1 of 2 shown" {
		t.Errorf("filtered by TestDine: %q", got)
	}
	eval[bool](t, ctx, empty)
	run(t, ctx, chromedp.KeyEvent(kb.Escape), chromedp.Click(chromedp.CSS(`input[value="datarace"]`)))
	if got := eval[string](t, ctx, `Array.from(document.querySelectorAll('.finding')).filter(f => !f.hidden).map(f => f.dataset.check).join()`); got != "deadlock" {
		t.Errorf("without datarace the page shows %q", got)
	}
}
