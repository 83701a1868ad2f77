package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/heddle-go/heddle/internal/score/module"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

// packages audits the entries of packages.
func (o *options) packages(t *tally, paths []string) error {
	if o.module != "" {
		tmp, err := os.MkdirTemp("", "commute")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		o.dir = filepath.Join(tmp, "module")
		if err := module.Fetch(o.module, o.dir); err != nil {
			return err
		}
		if err := module.StandAlone(); err != nil {
			return err
		}
	}
	cfg := closure.Config(o.dir)
	cfg.Tests = true
	list, err := program.List(cfg, paths...)
	if err != nil {
		return err
	}
	for _, e := range list.Errors {
		fmt.Println(e)
	}
	for _, r := range list.Recipes {
		if t.full() {
			break
		}
		if err := o.recipe(t, program.NewUniverse(cfg), r); err != nil {
			fmt.Printf("%s: %v\n", r.Path, err)
		}
	}
	return nil
}

// recipe audits the entries of a package.
func (o *options) recipe(t *tally, u *program.Universe, r *program.Recipe) error {
	p, err := u.Build(r)
	if err != nil {
		return err
	}
	m := machine.New(p, machine.Config{Kernel: exploration.KernelConfig(r, nil, nil), CleanFrames: true})
	if err := m.Prepare(); err != nil {
		return err
	}
	of := *t
	for _, e := range p.Entries {
		if !o.match.MatchString(e.Name) || t.full() {
			continue
		}
		o.audit(t, r.Path+"."+e.Name, m, e, 3000, 60)
	}
	fmt.Printf("%s: %d entries, %d pairs, %d entries with differences\n", r.Path, t.entries-of.entries, t.pairs-of.pairs, t.bad-of.bad)
	return nil
}
