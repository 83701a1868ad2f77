package analysistest_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/passes/exploration"
)

// eachExplorer runs f with the default explorer. With the long tests it runs f with the others, too, but for those that
// execute each schedule, or a sample. Those by formulas take a minute here, and are left out.
func eachExplorer(t *testing.T, f func(t *testing.T)) {
	names := []string{explorers.Default}
	if long.On() {
		names = append(names, "systematic", "mcr", "se-mcr", "icb")
	}
	flag := exploration.Analyzer.Flags.Lookup("explorer")
	defer flag.Value.Set(flag.Value.String())
	for _, name := range names {
		if err := flag.Value.Set(name); err != nil {
			t.Fatal(err)
		}
		t.Run(name, f)
	}
}
