package gclplugin

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/passes/exploration"
)

// This file reads the settings: the flags that concern every check, and the checks' own names.
//
// golangci-lint reads its configuration with keys in lower case, and takes a dot in a key for a level of its own. So
// the keys have dashes where flags have dots: limit-executions. What golangci-lint has made of limit.executions is
// understood too.

// configure sets the flags, and returns the checks that are asked for.
func configure(conf any) ([]*analysis.Analyzer, error) {
	values := make(map[string]any)
	if conf != nil {
		m, ok := conf.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("want keys with values, got %v", conf)
		}
		flatten(values, "", m)
	}
	on, off := make(map[string]bool), make(map[string]bool)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if slices.ContainsFunc(checks(), func(a *analysis.Analyzer) bool { return a.Name == key }) {
			b, ok := values[key].(bool)
			if !ok {
				return nil, fmt.Errorf("%s: want true or false, got %v", key, values[key])
			}
			on[key], off[key] = b, !b
			exploration.Ask(key, b)
			continue
		}
		if err := set(key, values[key]); err != nil {
			return nil, err
		}
	}
	if err := exploration.CheckFlags(); err != nil {
		return nil, err
	}
	only := false
	for key := range on {
		only = only || on[key] && !exploration.Optional(key)
	}
	var out []*analysis.Analyzer
	for _, a := range checks() {
		if on[a.Name] || !only && !off[a.Name] && !exploration.Optional(a.Name) {
			out = append(out, a)
		}
	}
	return out, nil
}

// checks are the analyzers with findings of their own.
func checks() []*analysis.Analyzer {
	return slices.DeleteFunc(slices.Clone(passes.All), func(a *analysis.Analyzer) bool { return a == exploration.Analyzer })
}

// flatten puts the values of m into out, levels joined by dashes.
func flatten(out map[string]any, prefix string, m map[string]any) {
	for k, v := range m {
		if sub, ok := v.(map[string]any); ok {
			flatten(out, prefix+k+"-", sub)
			continue
		}
		out[strings.ReplaceAll(prefix+k, ".", "-")] = v
	}
}

// set sets the flag of a key; a list sets it several times.
func set(key string, value any) error {
	for _, name := range exploration.Aliases {
		if strings.ReplaceAll(name, ".", "-") != key {
			continue
		}
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, v := range list {
			if err := exploration.Analyzer.Flags.Set(name, fmt.Sprint(v)); err != nil {
				return fmt.Errorf("%s: %v: %w", key, v, err)
			}
		}
		return nil
	}
	return fmt.Errorf("unknown key %s; there are %s", key, strings.Join(known(), ", "))
}

// known lists the keys.
func known() []string {
	var out []string
	for _, name := range exploration.Aliases {
		out = append(out, strings.ReplaceAll(name, ".", "-"))
	}
	for _, a := range checks() {
		out = append(out, a.Name)
	}
	slices.Sort(out)
	return out
}
