package buildsdg

import (
	_ "embed"
	"fmt"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/passes/internal/analyzerdoc"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/sdg"
)

//go:embed doc.go
var doc string

// Analyzer produces a *sdg.System of the package's functions, and a Fact for each that other packages can call.
var Analyzer = &analysis.Analyzer{
	Name:       "buildsdg",
	Doc:        analyzerdoc.MustExtract(doc, "buildsdg"),
	URL:        "https://pkg.go.dev/github.com/heddle-go/heddle/passes/buildsdg",
	Requires:   []*analysis.Analyzer{buildssa.Analyzer},
	FactTypes:  []analysis.Fact{new(Fact)},
	ResultType: reflect.TypeFor[*sdg.System](),
	Run:        run,
}

// A Fact is the effect of a function.
type Fact struct {
	Effect sdg.Effect
}

// AFact makes Fact an analysis.Fact.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	text := fmt.Sprintf("outcomes by %b, values by %b", f.Effect.Flows, f.Effect.Values)
	if f.Effect.Memory {
		text += ", memory"
	}
	return text
}

func run(pass *analysis.Pass) (any, error) {
	pkg := pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA)
	roots := append([]*ssa.Function(nil), pkg.SrcFuncs...)
	if init := pkg.Pkg.Func("init"); init != nil {
		roots = append(roots, init)
	}
	s := sdg.NewSystem(sdg.Config{Roots: roots, Open: true, Effects: func(fn *ssa.Function) (sdg.Effect, bool) {
		obj, ok := fn.Object().(*types.Func)
		var fact Fact
		if !ok || obj.Pkg() == pass.Pkg || !pass.ImportObjectFact(obj.Origin(), &fact) {
			return sdg.Effect{}, false
		}
		return fact.Effect, true
	}})
	for _, fn := range pkg.SrcFuncs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || obj.Pkg() != pass.Pkg {
			continue // a function literal
		}
		if e, ok := s.Effect(fn); ok {
			pass.ExportObjectFact(obj, &Fact{e})
		}
	}
	return s, nil
}

// Closed returns the dependence graph of a closed program. It builds all of the program's functions.
func Closed(p *program.Program, mode sdg.Mode) *sdg.System {
	p.BuildAll()
	return sdg.NewSystem(sdg.Config{Roots: p.Roots(), Body: p.Body, Reading: p.Reading(), Mode: mode})
}
