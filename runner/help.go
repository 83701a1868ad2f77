package runner

import (
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes"
)

const usage = `Heddle runs a package's own tests under every interleaving of their goroutines
that matters, and reports data races, deadlocks, leaked goroutines, panics and failing tests.

Usage:

	heddle [flags] [packages]              check packages (default: the one in this folder)
	heddle replay TOKEN [packages]         run the schedule of a finding again and show it
	heddle run package|file.go [args]      run a program in Heddle's machine, once
	heddle run -test [-run R] [-short] [-v] package
	                                       run a package's tests in it, once
	heddle graph [-from POS] [packages]    write the dependence graph of a package, or a slice
	heddle help [check]                    this text, or the documentation of a check
	heddle help verdicts                   what the words of the summary mean, and what to do
	heddle version
	go vet -vettool=$(which heddle) ...    check as part of go vet

The exit code is 0 if nothing was found, 3 if something was, 1 if heddle could
not do its work. An entry that is not "exhausted" in the summary was not explored to the end:
heddle help verdicts says what is promised then.

Checks:

`

// help writes the general help, or that of the checks named.
func help(w io.Writer, names []string) error {
	if len(names) == 0 {
		fmt.Fprint(w, usage)
		for _, a := range passes.All {
			title, _, _ := strings.Cut(a.Doc, "\n")
			fmt.Fprintf(w, "\t%-14s %s\n", a.Name, title)
		}
		fmt.Fprint(w, "\nFlags:\n\n")
		fs, _ := new(options).flagSet()
		short := flag.NewFlagSet("heddle", flag.ContinueOnError)
		fs.VisitAll(func(f *flag.Flag) {
			if _, _, ok := strings.Cut(f.Name, "exploration."); !ok {
				short.Var(f.Value, f.Name, f.Usage)
			}
		})
		short.SetOutput(w)
		short.PrintDefaults()
		return nil
	}
	if len(names) == 1 && names[0] == "verdicts" {
		return helpVerdicts(w)
	}
	for _, name := range names {
		if err := helpCheck(w, name); err != nil {
			return err
		}
	}
	return nil
}

// helpVerdicts writes what each verdict means.
func helpVerdicts(w io.Writer) error {
	fmt.Fprint(w, "The summary says of each entry how far it was explored. From the most that can be promised to the least:\n")
	for _, x := range verdict.Table {
		fmt.Fprintf(w, "\n%s (%s in -stats)\n", x.Text, x.Kind)
		fill(w, "\t", x.Means)
		if x.Do != "" {
			fill(w, "\t", "What to do: "+x.Do)
		}
	}
	return nil
}

// fill writes text in lines of at most 80 characters.
func fill(w io.Writer, indent, text string) {
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) > 76 && line != indent {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			line = indent
		}
		line += word + " "
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

func helpCheck(w io.Writer, name string) error {
	var known []string
	for _, a := range passes.All {
		known = append(known, a.Name)
		if a.Name != name {
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", a.Name, a.Doc)
		fs := flag.NewFlagSet(a.Name, flag.ContinueOnError)
		n := 0
		a.Flags.VisitAll(func(f *flag.Flag) {
			fs.Var(f.Value, a.Name+"."+f.Name, f.Usage)
			n++
		})
		if n > 0 {
			fmt.Fprint(w, "\nFlags:\n\n")
			fs.SetOutput(w)
			fs.PrintDefaults()
		}
		return nil
	}
	return fmt.Errorf("there is no check %q; checks are %s", name, strings.Join(known, ", "))
}

// version writes the version that the go command recorded in the binary.
func version(w io.Writer, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("version takes no arguments")
	}
	v := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	fmt.Fprintf(w, "heddle %s %s %s/%s\n", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
