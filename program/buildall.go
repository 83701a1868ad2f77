package program

import (
	"sync"

	"golang.org/x/tools/go/ssa"
)

// BuildAll builds the SSA form of all packages of the program, for analyses of the whole. Late bodies still wait for
// Body. The machine builds what it runs.
func (p *Program) BuildAll() {
	p.u.ssaMu.RLock()
	defer p.u.ssaMu.RUnlock()
	each(len(p.Init), func(i int) { p.Init[i].SSA.Build() })
}

// Reading is held by who uses package ssa by itself, while other programs of the Universe are being made. Body may not
// be called under it.
func (p *Program) Reading() sync.Locker { return p.u.ssaMu.RLocker() }

// Roots returns the functions that execution starts at: initialisers in their order, TestMain, and the entries.
func (p *Program) Roots() []*ssa.Function {
	var roots []*ssa.Function
	for _, pkg := range p.Init {
		if init := pkg.SSA.Func("init"); init != nil {
			roots = append(roots, init)
		}
	}
	if p.TestMain != nil {
		roots = append(roots, p.TestMain)
	}
	for _, e := range p.Entries {
		roots = append(roots, e.Fn)
	}
	return roots
}

// Body returns the function that runs when fn is called, built. That is fn, or if it has no body, the one that the
// linker supplies, or that holds its late body (Config.LateBodies). If there is none, it is fn.
func (p *Program) Body(fn *ssa.Function) *ssa.Function {
	if body, _ := p.Resolve(fn); body != nil {
		fn = body
	}
	if b := p.u.lateOf(fn); b != nil {
		return p.u.buildLate(fn, b)
	}
	return fn
}

// Declared returns the function whose late body fn holds, and fn itself if it holds none.
func (p *Program) Declared(fn *ssa.Function) *ssa.Function {
	if v, ok := p.u.declared.Load(fn); ok {
		return v.(*ssa.Function)
	}
	return fn
}
