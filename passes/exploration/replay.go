package exploration

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/passes/closure"
)

// ErrOtherSources says that a token was made from other sources than those at hand.
var ErrOtherSources = errors.New("the token belongs to other sources")

// Replay runs the schedule of a token again, on the program of c, which is that of the token's
// package. The result holds what the run showed.
func Replay(c *closure.Result, tok *seed.Token) (*EntryResult, error) {
	if c.Err != nil {
		return nil, c.Err
	}
	if tokenDigest(c.Recipe.Digest) != tok.Digest {
		return nil, fmt.Errorf("%w of %s: check out those that it was made from, or run heddle again for a new token", ErrOtherSources, tok.Package)
	}
	regime, faults, err := cutFaults(tok.Regime)
	if err != nil {
		return nil, err
	}
	t, err := load(c, given{tok.Env, faults})
	if err != nil {
		return nil, err
	}
	var names []string
	entries := t.entries()
	for _, e := range entries {
		if e.name == tok.Entry {
			return replayEntry(c, t, e, t.machine(e), tok, regime)
		}
		names = append(names, e.name)
	}
	if a, b, ok := findPair(entries, tok.Entry); ok {
		return replayEntry(c, t, a, t.pair(a, b), tok, regime)
	}
	return nil, fmt.Errorf("%s has no entry %s; there are %s", tok.Package, tok.Entry, strings.Join(names, ", "))
}

func replayEntry(c *closure.Result, t target, e entry, m sched.Machine, tok *seed.Token, inRegime string) (*EntryResult, error) {
	out := newEntryResult(c, t, e)
	out.Name = tok.Entry
	out.token = func(*report.Finding) string { return tok.String() }
	err := protect(func() error {
		s := sched.NewReplay(tok.Seed, sched.Halt{})
		regime, err := explore.ParseRegime(inRegime)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		w := regime.Machine(m).Run(s, sched.Options{Stacks: true})
		if n := s.Diverged(); n >= 0 {
			return fmt.Errorf("%s cannot be replayed: step %d of its schedule is not possible; heddle's version may be another than the token's", e.name, n)
		}
		out.Result = &explore.Result{Findings: regime.Shown(w)}
		out.distinct()
		return nil
	})
	return &out, err
}

// formatToken makes the replay token of a finding.
func formatToken(pkg, entry, digest string, f *report.Finding) string {
	t := seed.Token{Package: pkg, Entry: entry, Digest: tokenDigest(digest), Seed: f.Seed, Env: flags.env}
	t.Regime = explore.RegimeOf(f, flags.leaks == string(explore.LeaksAll)).String()
	if text := flags.faults.String(); text != "" {
		t.Regime += withFaults + text
	}
	return t.String()
}

// withFaults marks in a token, behind all else of its regime, what may go wrong in the network.
const withFaults = "+faults="

// cutFaults takes what may go wrong from a token's regime.
func cutFaults(regime string) (rest string, f machine.Faults, err error) {
	rest, text, _ := strings.Cut(regime, withFaults)
	if f, err = machine.ParseFaults(text); err != nil {
		return "", f, fmt.Errorf("the token's regime, %q, is none that this version knows: %w", regime, err)
	}
	return rest, f, nil
}

// tokenDigest is the digest of a recipe as tokens hold it: bytes, not hexadecimal.
func tokenDigest(digest string) string {
	b, err := hex.DecodeString(digest)
	if err != nil {
		return digest // any string is a digest
	}
	return string(b)
}
