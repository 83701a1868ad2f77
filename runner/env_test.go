package runner

import (
	"regexp"
	"strings"
	"testing"
)

// TestEnv: -env gives a variable, the verdict names it, and a token holds it.
func TestEnv(t *testing.T) {
	stdout, stderr, code := heddle(t, "./env")
	if code != 0 || stdout != "" || !strings.Contains(stderr, `TestSlow: skipped, 1 run: "set ENV_SLOW"; with ENV_SLOW unset`+"\n") {
		t.Errorf("without -env: exit code %d\n%s%s", code, stdout, stderr)
	}
	stdout, stderr, code = heddle(t, "-env", "OTHER=x", "-env", "ENV_SLOW=a=b", "./env")
	if code != 3 || !strings.Contains(stderr, "runs, 1 finding; with ENV_SLOW=a=b\n") {
		t.Errorf("with -env: exit code %d\n%s%s", code, stdout, stderr)
	}
	token := regexp.MustCompile(`replay (h1\S+)`).FindStringSubmatch(stdout)
	if token == nil {
		t.Fatalf("no token in\n%s", stdout)
	}
	if stdout, stderr, code := heddle(t, "replay", token[1]); code != 3 || !strings.Contains(stdout, "data race") {
		t.Errorf("replay: exit code %d\n%s%s", code, stdout, stderr)
	}
	for _, bad := range []string{"ENV_SLOW", "=x", "A=\x00"} {
		if stdout, stderr, code := heddle(t, "-env", bad, "./env"); code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "-env") {
			t.Errorf("-env %q: exit code %d\n%s%s", bad, code, stdout, stderr)
		}
	}
	if stdout, stderr, code := heddle(t, "run", "-test", "-v", "-env", "ENV_SLOW=1", "./env"); code != 0 || !strings.Contains(stdout, "--- PASS: TestSlow") {
		t.Errorf("heddle run -env: exit code %d\n%s%s", code, stdout, stderr)
	}
}
