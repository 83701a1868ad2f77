package analysistest_test

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/passes/exploration"
)

// eachExplorer runs f with the default explorer. With the long tests it runs f with the others, too, but for some, for
// those that sample, and for delay and bruteforce: they execute each schedule, of which many entries have too many, and
// f wants every entry to come to its end.
func eachExplorer(t *testing.T, f func(t *testing.T), but ...string) {
	names := []string{explorers.Default}
	if long.On() {
		names = slices.DeleteFunc(explorers.Names(), func(name string) bool {
			return explorers.Samples(name) || name == "delay" || name == "bruteforce" || slices.Contains(but, name)
		})
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
