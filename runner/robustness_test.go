package runner

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

// TestRobustnessTable shows that what docs/checks/robustness.md says of programs and their races is what the check
// finds.
func TestRobustnessTable(t *testing.T) {
	long.Only(t, "it explores ten entries under two memory models")
	page, err := os.ReadFile("../docs/checks/robustness.md")
	if err != nil {
		t.Skip("the documentation is not here: ", err)
	}
	_, table, _ := strings.Cut(string(page), "<!-- robustness -->\n")
	table, _, ok := strings.Cut(table, "<!-- /robustness -->")
	rows := strings.Split(strings.TrimSpace(table), "\n")
	if !ok || len(rows) < 5 {
		t.Fatal("the page has no table")
	}
	for _, row := range rows[2:] {
		cells := strings.Split(row, "|")
		dir, test := strings.Trim(cells[1], " `"), strings.Trim(cells[2], " `")
		for i, model := range []string{"tso", "pso"} {
			says := strings.TrimSpace(cells[4+i])
			stdout, stderr, _ := in(t, filepath.Join(filepath.Dir(filepath.Dir(testdata)), dir), "-robustness", "-memory="+model, "-run=^"+test+"$", ".")
			none := strings.Contains(stderr, "its races show nothing more under "+model)
			some := regexp.MustCompile(`\(robustness\)\n.*\n(?:.*\n)*?\t\S+ in ` + test + ", " + model).MatchString(stdout)
			if none == some || none != (says == "nothing more") {
				t.Errorf("%s of %s under %s: the page says %q\n%s%s", test, dir, model, says, stdout, stderr)
			}
		}
	}
}
