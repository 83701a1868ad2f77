package runner

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/config"
)

// This file is heddle.yaml under go vet.
//
// The go command keeps what the tool says in a cache. Its key holds the tool's version (-V=full), its flags and the
// files of the package. A configuration file is none of these. So the version that the tool tells holds a hash of the
// files that it may read: those of the modules that the go command works on from the current folder, with their
// baselines. A unit reads only the file of its own module, and none if that is a dependency. So a change of the file
// makes go vet ask again, and what it says from its cache is what the tool would say.

// versionLine is what the tool says for -V=full. It is "" if no configuration file is there: unitchecker knows what to
// say then.
func versionLine() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	files := configFiles(dir)
	if len(files) == 0 {
		return ""
	}
	h := sha256.New()
	exe, err := os.Executable()
	if err == nil {
		err = hashFile(h, exe)
	}
	if err != nil {
		return ""
	}
	for _, name := range files {
		_ = hashFile(h, name) // a baseline that is not there hashes as nothing
	}
	// The form is that of unitchecker, which the go command reads.
	return fmt.Sprintf("%s version devel comments-go-here buildID=%02x\n", exe, string(h.Sum(nil)))
}

func hashFile(w io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.Copy(w, f)
	fmt.Fprintf(w, "\n%d\n", n) // where one file ends
	return err
}

// configFiles are the files that units of the modules around dir read: their configuration and the baselines that it
// names.
func configFiles(dir string) []string {
	var out []string
	for _, m := range append(workspace(dir), dir) {
		name, err := config.Find(m)
		if name == "" || err != nil || slices.Contains(out, name) {
			continue
		}
		out = append(out, name)
		if f, err := readConfig(name, m, vetFlags()); err == nil && f.Baseline != "" {
			out = append(out, f.Baseline)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// workspace returns the folders of the modules of the workspace around dir, none if there is no workspace.
func workspace(dir string) []string {
	name := os.Getenv("GOWORK")
	if name == "off" {
		return nil
	}
	for name == "" {
		if file := filepath.Join(dir, "go.work"); fileExists(file) {
			name = file
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil
		}
		dir = parent
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	work, err := modfile.ParseWork(name, data, nil)
	if err != nil {
		return nil // the go command complains of it
	}
	var out []string
	for _, u := range work.Use {
		path := filepath.FromSlash(u.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(name), path)
		}
		out = append(out, path)
	}
	return out
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// vetFlags are the flags that the file may set, as the standalone command has them.
func vetFlags() *flag.FlagSet {
	fs, _ := new(options).flagSet()
	_ = exploration.Analyzer.Flags.Set("workers", "1") // go vet starts several tools side by side
	return fs
}

// vetConfig adds to the arguments of a unit what the configuration file of its module says.
func vetConfig(args []string) ([]string, error) {
	unit, err := readUnit(args[len(args)-1])
	if err != nil || !ofMainModule(unit) {
		return args, nil // unitchecker says what is wrong, or the package is a dependency's
	}
	f, err := readConfig("", unit.Dir, vetFlags())
	if f == nil || err != nil {
		return args, err
	}
	if exploration.Baseline, err = readBaseline("", f); err != nil {
		return args, err
	}
	if err := applyConfig(f, flag.NewFlagSet("", flag.ContinueOnError), func(string) bool { return true }); err != nil { // the special ones
		return args, err
	}
	var more []string
	for _, x := range f.Flags {
		if isVetFlag(x.Name) && !givenIn(args, x.Name) {
			more = append(more, "-"+x.Name+"="+x.Value)
		}
	}
	return append(more, args...), nil
}

// ofMainModule reports whether a unit is of a module that the go command works on: those have no version.
func ofMainModule(unit *unitchecker.Config) bool {
	path, version := unit.ModulePath, unit.ModuleVersion
	if path == "" && unit.Module != nil {
		path, version = unit.Module.Path, unit.Module.Version
	}
	return path != "" && version == "" && unit.Dir != ""
}

func readUnit(name string) (*unitchecker.Config, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c := new(unitchecker.Config)
	return c, json.NewDecoder(bytes.NewReader(data)).Decode(c)
}

// isVetFlag reports whether the tool has the flag under go vet too.
func isVetFlag(name string) bool {
	for _, a := range passes.All {
		if a.Name == name {
			return true
		}
	}
	return slices.Contains(exploration.Aliases, name)
}

// givenIn reports whether a flag is among the arguments, under its short name or its long one.
func givenIn(args []string, name string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		n, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		return strings.HasPrefix(arg, "-") && (n == name || n == exploration.Analyzer.Name+"."+name)
	})
}
