package exploration

import (
	"encoding/hex"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// formatToken makes the replay token of a finding.
func formatToken(pkg, entry, digest string, f *report.Finding) string {
	t := seed.Token{Package: pkg, Entry: entry, Digest: tokenDigest(digest), Seed: f.Seed, Env: flags.env}
	switch {
	case f.Timing:
		t.Regime = explore.RegimeTiming
	case f.Memory != event.SC:
		t.Regime = f.Memory.String()
	}
	if flags.leaks == string(explore.LeaksAll) && f.Category == report.GoroutineLeak {
		t.Regime += allLeaks
	}
	return t.String()
}

// allLeaks marks in a token, behind its regime of time, a leak by -leaks=all.
const allLeaks = "+leaks"

// tokenDigest is the digest of a recipe as tokens hold it: bytes, not hexadecimal.
func tokenDigest(digest string) string {
	b, err := hex.DecodeString(digest)
	if err != nil {
		return digest // any string is a digest
	}
	return string(b)
}
