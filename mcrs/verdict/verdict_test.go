package verdict

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestTableIsWhole(t *testing.T) {
	seen := map[Kind]bool{}
	for _, w := range Table {
		if seen[w.Kind] || w.Text == "" || w.Means == "" {
			t.Errorf("row %q is there twice, or empty", w.Kind)
		}
		seen[w.Kind] = true
		if w.Do == "" && w.Kind != Exhausted {
			t.Errorf("%s: nothing says what to do about it", w.Kind)
		}
		if Of(w.Kind) != w {
			t.Errorf("Of(%s) is another row", w.Kind)
		}
		for _, s := range []string{w.Means, w.Do} {
			if s != "" && !strings.HasSuffix(s, ".") {
				t.Errorf("%s: no sentence: %q", w.Kind, s)
			}
		}
	}
	for _, k := range []Kind{Exhausted, InTime, RacesBehind, Complete, Within, Sampled, Refused, NotSupported, Skipped, NotExplored} {
		if !seen[k] {
			t.Errorf("%s is not explained", k)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		v    Verdict
		want string
	}{
		{Verdict{Kind: Exhausted, Preemptions: -1}, "exhausted"},
		{Verdict{Kind: Exhausted, Preemptions: -1, Environment: []string{"FOO"}}, "exhausted; with FOO unset"},
		{Verdict{Kind: Exhausted, Preemptions: -1, Environment: []string{"FOO", "HOME=/tmp", "X="}}, "exhausted; with FOO unset, HOME=/tmp and X="},
		{Verdict{Kind: Exhausted, Preemptions: -1, Environment: strings.Split("ABCDEF", "")}, "exhausted; with A unset, B unset, C unset, D unset, E unset and F unset"},
		{Verdict{Kind: Exhausted, Preemptions: -1, Environment: strings.Split("ABCDEFG", "")}, "exhausted; with A unset, B unset, C unset, D unset, E unset and 2 more environment variables"},
		{Verdict{Kind: Complete, Preemptions: 1, Reason: "stopped"}, "complete up to 1 preemption: stopped"},
		{Verdict{Kind: Complete, Preemptions: 0, InTime: true, Reason: "stopped"}, "complete up to 0 preemptions where no timer fires early: stopped"},
		{Verdict{Kind: Complete, Preemptions: -1, Delays: 1, Reason: "stopped"}, "complete up to 1 delay: stopped"},
		{Verdict{Kind: Complete, Preemptions: -1, Delays: 2, InTime: true, Reason: "stopped"}, "complete up to 2 delays where no timer fires early: stopped"},
		{Verdict{Kind: Complete, Preemptions: 0, Delays: 2, Reason: "stopped"}, "complete up to 2 delays: stopped"},
		{Verdict{Kind: Complete, Preemptions: 1, Delays: 1, InTime: true, Reason: "stopped"}, "complete up to 1 preemption, and up to 1 delay where no timer fires early: stopped"},
		{Verdict{Kind: NotSupported, Preemptions: -1, Delays: 1, Reason: "assembly"}, "not supported: assembly; complete up to 1 delay"},
		{Verdict{Kind: Within, Preemptions: -1, Steps: 90, Of: 4000, Reason: "stopped"}, "complete up to 1 delay within the first 90 steps of about 4000: stopped"},
		{Verdict{Kind: Within, Preemptions: 0, Steps: 90, InTime: true, Reason: "stopped"}, "complete up to 1 delay within the first 90 steps where no timer fires early: stopped"},
		{Verdict{Kind: Complete, Preemptions: 1, Steps: 90, Reason: "stopped"}, "complete up to 1 preemption, and up to 1 delay within the first 90 steps: stopped"},
		{Verdict{Kind: NotSupported, Preemptions: -1, Steps: 90, Reason: "assembly"}, "not supported: assembly; complete up to 1 delay within the first 90 steps"},
		{Verdict{Kind: Sampled, Preemptions: -1, Reason: "stopped"}, "sampled: stopped"},
		{Verdict{Kind: NotSupported, Preemptions: 2, Reason: "assembly"}, "not supported: assembly; complete up to 2 preemptions"},
		{Verdict{Kind: RacesBehind, Preemptions: 1, Behind: "a_test.go:7", Reason: "stopped"}, "exhausted but for races behind a_test.go:7: stopped; complete up to 1 preemption"},
		{Verdict{Kind: InTime, Preemptions: -1, Reason: "stopped"}, "exhausted where no timer fires early; the others: stopped"},
		{Verdict{Kind: InTime, Preemptions: -1, Early: 1, Reason: "stopped"}, "exhausted where only the first timer fires early; the others: stopped"},
		{Verdict{Kind: InTime, Preemptions: -1, Early: 4, Reason: "stopped"}, "exhausted where only the first 4 timers fire early; the others: stopped"},
	} {
		if got := tt.v.String(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.v, got, tt.want)
		}
	}
}

// README's table is this one.
func TestREADME(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "<!-- verdicts -->\n")
	got, _, ok := strings.Cut(rest, "<!-- /verdicts -->")
	var want strings.Builder
	want.WriteString("| verdict | what is promised | what to do |\n| --- | --- | --- |\n")
	for _, w := range Table {
		fmt.Fprintf(&want, "| **%s** | %s | %s |\n", w.Text, w.Means, w.Do)
	}
	if !ok || got != want.String() {
		t.Errorf("README.md has between its marks\n%s\nwant\n%s", got, &want)
	}
}
