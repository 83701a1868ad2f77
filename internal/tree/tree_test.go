package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEnterFindsTheRootsModule checks that the modules of this folder and of others below the root are not taken for
// the root's.
func TestEnterFindsTheRootsModule(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Dir(filepath.Dir(wd))
	for _, below := range []string{".", "../..", "../../analysistest/testdata/bench"} {
		t.Chdir(filepath.Join(wd, below))
		if err := Enter(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.Getwd(); got != want || err != nil {
			t.Errorf("from %s the root is %s, want %s (%v)", below, got, want, err)
		}
	}
	t.Chdir(t.TempDir())
	if err := Enter(); err == nil || !strings.Contains(err.Error(), "clone") {
		t.Errorf("outside of the repository: %v, want an error that says what to do", err)
	}
}
