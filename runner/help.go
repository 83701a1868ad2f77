package runner

import (
	"flag"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/runner/cmdline"
)

const usage = `Heddle runs a package's own tests under every interleaving of their goroutines
that matters, and reports data races, deadlocks, leaked goroutines, panics and failing tests.

Usage:

	heddle [flags] [packages]              check packages (default: the one in this folder)
	heddle replay TOKEN [packages]         run the schedule of a finding again and show it
	heddle run package|file.go [args]      run a program in Heddle's machine, once
	heddle run -test [-run R] [-short] [-v] packages
	                                       run the tests of packages in it, once
	heddle graph [-from POS] [packages]    write the dependence graph of a package, or a slice
	heddle help [command|check|topic|flag] this text, or more about one of the below
	heddle completion bash|zsh|fish        write a completion script for a shell
	heddle version
	go vet -vettool=$(which heddle) ...    check as part of go vet

Packages are named as for the go command, or by folders or .go files.

	heddle ./...                           the packages of this module
	heddle -run TestPool ./pool            one test
	heddle -datarace -json pool/pool.go    one check, on the package of a file

The exit code is 0 if nothing was found, 3 if something was, 1 if heddle could
not do its work. An entry that is not "exhausted" in the summary was not explored to the end:
heddle help verdicts says what is promised then.

`

// help is `heddle help`: the general help, or that of what is named.
func (c *cli) help(words []string) error {
	if len(words) == 0 {
		return c.generalHelp()
	}
	for _, w := range words {
		if isHelp := slices.Contains([]string{"h", "help"}, strings.TrimLeft(w, "-")); isHelp {
			w = "help"
		}
		if err := c.helpAbout(w); err != nil {
			return err
		}
	}
	return nil
}

func (c *cli) helpAbout(word string) error {
	for _, cmd := range c.root.Commands() {
		if cmd.Name() == word {
			c.helpCommandText(cmd)
			return nil
		}
	}
	for _, t := range topics {
		if t.name == word {
			return t.write(c.std.Out)
		}
	}
	for _, a := range passes.All {
		if a.Name == word {
			helpCheck(c.std.Out, a)
			return nil
		}
	}
	if fs := named(c.flags[c.root], strings.TrimLeft(word, "-")); hasFlags(fs) {
		printFlags(c.std.Out, fs)
		return nil
	}
	if topic, ok := words[strings.ToLower(word)]; ok {
		return c.helpAbout(topic)
	}
	return fmt.Errorf("there is no check, command, topic or flag %q%s (heddle help lists them)", word, cmdline.DidYouMean("", word, c.helpWords()))
}

// words are what else there is help about, with the topic or flags that have it.
var words = map[string]string{
	"comments": "accept", "ignore": "accept", "nolint": "accept", "suppress": "accept",
	"heddle.yaml": "config", "settings": "config",
	"finding": "findings", "schedule": "findings", "token": "findings",
	"limits": "limit", "fixed": "fix",
	"exhausted": "verdicts", "sampled": "verdicts", "refused": "verdicts", "skipped": "verdicts", "summary": "verdicts", "verdict": "verdicts",
}

// named are the flags of a name, as budget, or of a kind, as limit.
func named(fs *flag.FlagSet, name string) *flag.FlagSet {
	some := flag.NewFlagSet(name, flag.ContinueOnError)
	visible(fs).VisitAll(func(f *flag.Flag) {
		if f.Name == name || strings.HasPrefix(f.Name, name+".") {
			some.Var(f.Value, f.Name, f.Usage)
		}
	})
	return some
}

func (c *cli) generalHelp() error {
	w := c.std.Out
	fmt.Fprint(w, usage+"Checks:\n\n")
	for _, a := range passes.All {
		title, _, _ := strings.Cut(a.Doc, "\n")
		fmt.Fprintf(w, "\t%-14s %s\n", a.Name, title)
	}
	fmt.Fprint(w, "\nTopics:\n\n")
	for _, t := range topics {
		fmt.Fprintf(w, "\t%-14s %s\n", t.name, t.title)
	}
	fmt.Fprint(w, "\nFlags:\n\n")
	printFlags(w, c.flags[c.root])
	return nil
}

// helpCommandText writes the help of one command.
func (c *cli) helpCommandText(cmd *cobra.Command) {
	if cmd == c.root {
		_ = c.generalHelp()
		return
	}
	w := c.std.Out
	fmt.Fprintf(w, "%s: %s\n\nUsage:\n\n\t%s\n", cmd.CommandPath(), cmd.Short, cmd.UseLine())
	if cmd.Long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(cmd.Long))
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n\n%s\n", strings.Trim(cmd.Example, "\n"))
	}
	if len(cmd.Commands()) > 0 {
		fmt.Fprint(w, "\nCommands:\n\n")
		for _, sub := range cmd.Commands() {
			fmt.Fprintf(w, "\t%-14s %s\n", sub.Name(), sub.Short)
		}
	}
	if fs := c.flags[cmd]; fs != nil && hasFlags(fs) {
		fmt.Fprint(w, "\nFlags:\n\n")
		printFlags(w, fs)
	}
}

func hasFlags(fs *flag.FlagSet) (any bool) {
	fs.VisitAll(func(*flag.Flag) { any = true })
	return any
}

func printFlags(w io.Writer, fs *flag.FlagSet) {
	short := visible(fs)
	short.SetOutput(w)
	short.PrintDefaults()
}

// stamp is the version that a release is built with (-ldflags "-X github.com/heddle-go/heddle/runner.stamp=v1.2.3").
var stamp string

// version is the release's stamp. Without one it is what the go command recorded in the binary, with the commit that it
// was built from.
func version() string {
	v, commit := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			v = info.Main.Version
		}
		commit = commitOf(info)
	}
	if stamp != "" {
		v = stamp
	}
	return fmt.Sprintf("heddle %s%s %s %s/%s", v, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commitOf is " (commit, date)" of a binary, as far as it is known.
func commitOf(info *debug.BuildInfo) string {
	var at, on, changed string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			at = s.Value[:min(len(s.Value), 12)]
		case "vcs.time":
			on = ", " + s.Value
		case "vcs.modified":
			if s.Value == "true" {
				changed = ", with changes"
			}
		}
	}
	if at == "" {
		return ""
	}
	return " (" + at + on + changed + ")"
}
