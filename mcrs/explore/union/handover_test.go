package union

import "testing"

// A reason to hand over is the same whatever was executed before in the process.
func TestReasonHasNoSiteNumber(t *testing.T) {
	for reason, want := range map[string]string{
		"no rule for a lock that is used as memory, at site 33784":               "no rule for a lock that is used as memory",
		"goroutine G1 lets the host read or write memory at site 12, or 3 bytes": "goroutine G1 lets the host read or write memory, or 3 bytes",
	} {
		if got := siteNumber.ReplaceAllString(reason, ""); got != want {
			t.Errorf("%q becomes %q, want %q", reason, got, want)
		}
	}
}
