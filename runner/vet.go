package runner

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
)

// This file is the vet mode. The go command asks the tool for its version and
// flags (-V=full, -flags) and then starts it for each package with a file *.cfg. x/tools'
// unitchecker speaks that protocol; facts and caching are its and the go command's.

// isVet reports whether the go command is calling.
func isVet(args []string) bool {
	return slices.Contains(args, "-V=full") || slices.Contains(args, "-flags") ||
		len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg")
}

// vet hands over to unitchecker. It does not return.
func vet(args []string) {
	if slices.Contains(args, "-V=full") {
		if line := versionLine(); line != "" {
			fmt.Print(line)
			os.Exit(exitOK)
		}
	}
	if config := args[len(args)-1]; factsOnly(config) {
		// Every check depends on closure's facts, so unitchecker would run them all, and
		// with them the exploration of every dependency, to throw the answers away.
		unitchecker.Run(config, []*analysis.Analyzer{closure.Analyzer})
	}
	if strings.HasSuffix(args[len(args)-1], ".cfg") {
		more, err := vetConfig(args)
		if err != nil {
			fail(err)
		}
		args, os.Args = more, append(os.Args[:1:1], more...)
	}
	closure.FlagsFrom(&analysis.Analyzer{
		Name: "heddletags", Doc: "pass the build tags on", ResultType: reflect.TypeFor[closure.BuildFlags](),
		Run: func(*analysis.Pass) (any, error) { return closure.BuildFlags(tagsOf(args)), nil },
	})
	for _, name := range exploration.Aliases {
		f := exploration.Analyzer.Flags.Lookup(name)
		flag.Var(f.Value, name, f.Usage)
	}
	if slices.Contains(args, "-fix") || slices.Contains(args, "-fix=true") {
		_ = exploration.Analyzer.Flags.Set("fixes", "true") // go vet -fix applies what is suggested
	}
	checkVetFlags(args)
	os.Args = append(os.Args[:1:1], askOptional(args)...)
	unitchecker.Main(passes.All...)
}

// askOptional has exploration look for what optional checks report that are asked for. It leaves these out of the
// arguments, unless other checks are switched on: to unitchecker a check that is named runs alone.
func askOptional(args []string) (out []string) {
	var asked []string
	alone := false
	for _, arg := range args {
		name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		on, err := strconv.ParseBool(value)
		on = on && err == nil || !given
		switch {
		case !strings.HasPrefix(arg, "-") || !isCheck(name) || name == exploration.Analyzer.Name:
		case exploration.Optional(name):
			exploration.Ask(name, on)
			asked = append(asked, arg)
			continue
		default:
			alone = alone || on
		}
		out = append(out, arg)
	}
	if alone {
		return append(asked, out...)
	}
	return out
}

// checkVetFlags ends the tool with one line if a flag has a value that makes no sense. unitchecker would add all that
// it knows of flags, and an explorer that does not exist would be noticed only when an entry is explored.
func checkVetFlags(args []string) {
	fs := flag.NewFlagSet("heddle", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, a := range passes.All {
		a.Flags.VisitAll(func(f *flag.Flag) { fs.Var(f.Value, a.Name+"."+f.Name, f.Usage) })
	}
	for _, name := range exploration.Aliases {
		fs.Var(exploration.Analyzer.Flags.Lookup(name).Value, name, "")
	}
	for i, arg := range args { // the go command hands them on as they were typed: -name=value or -name value
		name, value, ok := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		f := fs.Lookup(name)
		if f == nil || !strings.HasPrefix(arg, "-") {
			continue // unitchecker's own, or no flag
		}
		if !ok {
			if isSwitch(f) || i+1 == len(args) {
				continue
			}
			value = args[i+1]
		}
		if err := f.Value.Set(value); err != nil {
			fail(fmt.Errorf("-%s=%s: %w", name, value, err))
		}
	}
	if err := exploration.CheckFlags(); err != nil {
		fail(err)
	}
}

// isSwitch reports whether the flag may stand without a value.
func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// fail ends the tool.
func fail(err error) {
	fmt.Fprintf(os.Stderr, "heddle: %v\n", err)
	os.Exit(exitFailure)
}

// factsOnly reports whether the unit is a dependency of which only facts are wanted.
func factsOnly(config string) bool {
	data, err := os.ReadFile(config)
	if err != nil {
		return false // it is no file, or unitchecker will say what is wrong with it
	}
	var c unitchecker.Config
	return json.Unmarshal(data, &c) == nil && c.VetxOnly
}

// tagsOf finds the build tags among the arguments. The go command passes them
// on, unitchecker ignores them, and closure needs them to list the same files.
func tagsOf(args []string) []string {
	for i, arg := range args {
		name, value, ok := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if name != "tags" || !strings.HasPrefix(arg, "-") {
			continue
		}
		if !ok && i+1 < len(args) {
			value = args[i+1]
		}
		return []string{"-tags=" + value}
	}
	return nil
}
