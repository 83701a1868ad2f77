package analysistest_test

import (
	"flag"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/passes/exploration"
)

// eachExplorer runs f with the default explorer, and with the long tests with systematic and mcr too. With the flag
// -explorers=all it runs f with all but some, those that sample, and delay and bruteforce: they execute each schedule,
// of which many entries have too many, and f wants every entry to come to its end.
func eachExplorer(t *testing.T, f func(t *testing.T), but ...string) {
	names := long.Pick([]string{explorers.Default}, []string{explorers.Default, "systematic", "mcr"})
	if flag.Lookup("explorers").Value.String() == "all" {
		names = slices.DeleteFunc(explorers.Names(), func(name string) bool {
			return explorers.Samples(name) || name == "delay" || name == "bruteforce" || slices.Contains(but, name)
		})
	}
	choice := exploration.Analyzer.Flags.Lookup("explorer")
	defer choice.Value.Set(choice.Value.String())
	for _, name := range names {
		if err := choice.Value.Set(name); err != nil {
			t.Fatal(err)
		}
		t.Run(name, f)
	}
}
