package godebug

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// TestSettings has a program change GODEBUG: settings follow, but for the immutable one, which keeps what the process
// began with. The toolchain's table has no other.
func TestSettings(t *testing.T) {
	s := Given("panicnil=1", []string{"GODEBUG=fips140=only,asynctimerchan=1"})
	s.Change("fips140=on,asynctimerchan=2")
	for name, want := range map[string]string{"fips140": "only", "asynctimerchan": "2", "panicnil": "1"} {
		if is := s.Value(name); is != want {
			t.Errorf("%s is %q, want %q", name, is, want)
		}
	}
	table, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src", "internal", "godebugs", "table.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`\{Name: "(\w+)".*Immutable: true`).FindAllSubmatch(table, -1)
	if len(found) != 1 || !bytes.Equal(found[0][1], []byte(immutable)) {
		t.Errorf("immutable settings of the toolchain: %q", found)
	}
}
