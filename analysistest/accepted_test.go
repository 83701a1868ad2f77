package analysistest

import "testing"

// TestAccepted shows that union has a rule for goroutines that differ in the connection alone that was accepted (NET14
// of package inet). TestNetwork has the same entries.
func TestAccepted(t *testing.T) { hasRules(t, "testdata/network", "TestServed") }
