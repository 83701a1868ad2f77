// Command edits compares runs of heddle with its cache of verdicts with runs from nothing, over random edits of real
// code.
//
//	go run -C internal ./score/edits [-n 40] [-seed 1] [-run regexp] [-kind regexp] [-keep folder] [-v]
//
// # What is compared
//
// Each target of targets.go is a package of a module that is fetched through the module proxy, or an example of this
// repository. It is copied to a folder, and explored with low limits and an empty cache. Then it is edited -n times.
// An edit comes on top of those before it, up to six; then all are undone. Package edits (analysistest) says what is
// edited. After each edit heddle runs twice over the edited code: with the cache, and with -cache=off. All bytes of
// standard output, of standard error and of -stats must be the same, but for the word (cached) and times.
//
// After a neutral edit no entry may be explored. One that moves lines may make entries be explored that have asked for
// their own lines; these are counted. After all edits are undone no entry may be explored either.
//
// An edit that does not compile is compared too, and undone.
//
// What differs is printed with the edits that lead there; -keep writes the edited module to a folder. The exit code
// is 1 then.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"github.com/heddle-go/heddle/internal/score/heddle"
	"github.com/heddle-go/heddle/internal/tree"
)

type options struct {
	n       int
	seed    uint64
	target  *regexp.Regexp
	kind    *regexp.Regexp
	keep    string
	verbose bool
}

func main() {
	heddle.Serve()
	var o options
	flag.IntVar(&o.n, "n", 40, "edits of each target")
	flag.Uint64Var(&o.seed, "seed", 1, "of the random source")
	target := flag.String("run", "", "only targets whose name matches this regular expression")
	kind := flag.String("kind", "", "only kinds of edits whose name matches this regular expression")
	flag.StringVar(&o.keep, "keep", "", "write modules over which runs differ to this `folder`")
	flag.BoolVar(&o.verbose, "v", false, "print every edit")
	flag.Parse()
	var err error
	if o.target, err = regexp.Compile(*target); err == nil {
		o.kind, err = regexp.Compile(*kind)
	}
	if err == nil {
		err = tree.Enter()
	}
	if err == nil {
		err = score(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "edits:", err)
		os.Exit(1)
	}
}
