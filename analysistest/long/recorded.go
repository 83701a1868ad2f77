package long

import (
	"os"
	"strings"
	"testing"
)

// Recording is the environment variable that makes Recorded write its files anew.
const Recording = "HEDDLE_RECORD"

// Recorded returns what a natively compiled program does, as native tells it. To compile and link one takes a second of
// processor time. So the short tests read from a file what the long ones have made sure of.
func Recorded(t *testing.T, file string, native func() string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	record := os.Getenv(Recording) == "1"
	if err == nil && !On() && !record {
		return string(text)
	}
	if err != nil && !record {
		t.Fatalf("%v: %s=1 go test records what the compiled program does", err, Recording)
	}
	got := native()
	switch {
	case record:
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	case got != string(text):
		t.Errorf("%s: the compiled program does something else than was recorded; %s=1 go test records it anew\ngot\n%s\nrecorded\n%s",
			file, Recording, strings.TrimSpace(got), strings.TrimSpace(string(text)))
	}
	return got
}
