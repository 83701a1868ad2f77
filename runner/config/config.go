// Package config reads heddle.yaml: the flags of a project, limits of single packages, and entries to leave out.
//
//	# heddle.yaml, beside go.mod or in a folder above it
//	timing: off                     # a flag by its name
//	env: [MODE=test]                # a flag that may be repeated
//	baseline: .heddle-baseline.json # relative to this file
//	packages:
//	  ./internal/store/...:         # as on the command line, relative to this file
//	    limit.executions: 50000
//	    timing: structural
//	skip:
//	  - package: ./internal/net
//	    entry: ^TestDial            # a regular expression; without it, every entry
//	    reason: it needs the network
//
// # Where it is looked for
//
// It is looked for beside the go.mod of the current folder's module, and then in the folders above it, up to the one
// that has .git. The flag -config names another file, or "off" for none. The command line overrides the file.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/heddle-go/heddle/runner/cmdline"
)

// Name is the name of the file.
const Name = "heddle.yaml"

// A File is what a configuration file says.
type File struct {
	Path  string // of the file
	Flags []Flag // in the order of the file
	// Baseline is the path of the baseline, "" if there is none.
	Baseline string
	Packages []Package
	Skips    []Skip
}

// A Flag is a flag with a value.
type Flag struct {
	Name, Value string
	Line        int
}

// A Package is what the file says of the packages that a pattern matches.
type Package struct {
	Pattern string
	Flags   []Flag
	Line    int
}

// A Skip leaves entries out.
type Skip struct {
	Pattern string // of packages; "" for all
	Entry   *regexp.Regexp
	Reason  string
	Line    int
}

// Find returns the path of the configuration file of the module around dir, "" if it has none.
func Find(dir string) (string, error) {
	module := ""
	for {
		if module == "" && exists(filepath.Join(dir, "go.mod")) {
			module = dir
		}
		if name := filepath.Join(dir, Name); module != "" && exists(name) {
			return name, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir || module != "" && exists(filepath.Join(dir, ".git")) {
			return "", nil
		}
		dir = parent
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Read reads a file. known are the names of the flags that it may set, perPackage of those that it may set for single
// packages.
func Read(name string, known, perPackage []string) (*File, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("-config: %s: no such file", name)
	}
	if err != nil {
		return nil, fmt.Errorf("-config: %w", err)
	}
	return Parse(name, data, known, perPackage)
}

// Parse takes the contents of a file apart. Its errors are one line, and begin with the file and the line.
func Parse(name string, data []byte, known, perPackage []string) (*File, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	p := &parser{name: name, file: &File{Path: abs}, known: known, perPackage: perPackage}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, p.broken(err)
	}
	if len(doc.Content) == 0 {
		return p.file, nil // an empty file
	}
	if err := p.top(doc.Content[0]); err != nil {
		return nil, err
	}
	return p.file, nil
}

type parser struct {
	name              string
	file              *File
	known, perPackage []string
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)$`)

// broken is an error of the YAML parser on one line.
func (p *parser) broken(err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if m := yamlLine.FindStringSubmatch(strings.TrimPrefix(text, "yaml: ")); m != nil {
		return fmt.Errorf("%s:%s: not YAML: %s", p.name, m[1], m[2])
	}
	return fmt.Errorf("%s: not YAML: %s", p.name, strings.TrimPrefix(text, "yaml: "))
}

func (p *parser) errorf(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.name, n.Line, fmt.Sprintf(format, args...))
}

// pairs calls f for each key of a mapping. Keys that stand twice are an error.
func (p *parser) pairs(n *yaml.Node, what string, f func(key, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return p.errorf(n, "%s must be names with values", what)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			return p.errorf(key, "%s stands here twice", key.Value)
		}
		seen[key.Value] = true
		if err := f(key, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) top(n *yaml.Node) error {
	return p.pairs(n, "the file", func(key, value *yaml.Node) error {
		switch key.Value {
		case "baseline":
			s, err := p.scalar(value)
			if err != nil {
				return err
			}
			p.file.Baseline = p.beside(s)
			return nil
		case "packages":
			return p.packages(value)
		case "skip":
			return p.skips(value)
		}
		if !slices.Contains(p.known, key.Value) {
			names := append([]string{"baseline", "packages", "skip"}, p.known...)
			return p.errorf(key, "there is no key %s%s", key.Value, cmdline.DidYouMean("", key.Value, names))
		}
		flags, err := p.flags(key, value)
		p.file.Flags = append(p.file.Flags, flags...)
		return err
	})
}

// flags is a flag with its value, or with each of a list of values.
func (p *parser) flags(key, value *yaml.Node) ([]Flag, error) {
	values := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		values = value.Content
	}
	var out []Flag
	for _, v := range values {
		s, err := p.scalar(v)
		if err != nil {
			return nil, err
		}
		out = append(out, Flag{key.Value, s, v.Line})
	}
	return out, nil
}

func (p *parser) scalar(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", p.errorf(n, "want one value")
	}
	if n.Tag == "!!int" { // 10_000 is a number of YAML's and none of a flag's
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return strconv.FormatInt(i, 10), nil
		}
	}
	return n.Value, nil
}

func (p *parser) packages(n *yaml.Node) error {
	return p.pairs(n, "packages", func(key, value *yaml.Node) error {
		pkg := Package{Pattern: key.Value, Line: key.Line}
		err := p.pairs(value, "packages: "+key.Value, func(key, value *yaml.Node) error {
			if !slices.Contains(p.perPackage, key.Value) {
				return p.errorf(key, "%s cannot be set for a package%s", key.Value, cmdline.DidYouMean("", key.Value, p.perPackage))
			}
			flags, err := p.flags(key, value)
			pkg.Flags = append(pkg.Flags, flags...)
			return err
		})
		p.file.Packages = append(p.file.Packages, pkg)
		return err
	})
}

func (p *parser) skips(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return p.errorf(n, "skip must be a list")
	}
	for _, item := range n.Content {
		s := Skip{Line: item.Line}
		err := p.pairs(item, "an item of skip", func(key, value *yaml.Node) error {
			text, err := p.scalar(value)
			if err != nil {
				return err
			}
			switch key.Value {
			case "package":
				s.Pattern = text
			case "reason":
				s.Reason = strings.Join(strings.Fields(text), " ")
			case "entry":
				if s.Entry, err = regexp.Compile(text); err != nil {
					return p.errorf(value, "entry: %v", err)
				}
			default:
				return p.errorf(key, "there is no key %s in skip%s", key.Value, cmdline.DidYouMean("", key.Value, []string{"package", "entry", "reason"}))
			}
			return nil
		})
		switch {
		case err != nil:
			return err
		case s.Reason == "":
			return p.errorf(item, "this item of skip has no reason")
		case s.Pattern == "" && s.Entry == nil:
			return p.errorf(item, "this item of skip names neither a package nor an entry")
		}
		p.file.Skips = append(p.file.Skips, s)
	}
	return nil
}

// beside is a path of the file, relative to its folder.
func (p *parser) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(p.file.Path), filepath.FromSlash(name))
}

// Matches reports whether a pattern means a package: by its import path, or, if it begins with ".", by its folder,
// relative to the file's.
func (f *File) Matches(pattern, pkg, dir string) bool {
	if pattern == "" {
		return true
	}
	name := pkg
	if strings.HasPrefix(pattern, ".") {
		rel, err := filepath.Rel(filepath.Dir(f.Path), dir)
		if err != nil || dir == "" {
			return false
		}
		name, pattern = path.Clean(filepath.ToSlash(rel)), path.Clean(pattern)
	}
	if pattern == "..." {
		return !strings.HasPrefix(name, "..")
	}
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == base || strings.HasPrefix(name, base+"/")
	}
	return name == pattern
}
