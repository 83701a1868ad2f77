package rtype

import (
	"go/importer"
	"go/token"
	"go/types"
	"testing"
	"time"
	"unsafe"
)

// BenchmarkOf makes the descriptors of all exported types of some packages, with all that they bring along.
func BenchmarkOf(b *testing.B) {
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	var roots []types.Type
	for _, path := range []string{"testing", "encoding/json", "net/http"} {
		p, err := imp.Import(path)
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range p.Scope().Names() {
			tn, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			if n, ok := tn.Type().(*types.Named); ok && n.TypeParams() == nil {
				roots = append(roots, types.NewPointer(n))
			}
		}
	}
	n, methods := 0, 0
	var spent time.Duration
	for b.Loop() {
		ts, _, _ := newTypes()
		start := time.Now()
		for _, t := range roots {
			ts.Of(t)
		}
		spent += time.Since(start)
		n, methods = len(ts.descs), len(ts.entries)
	}
	b.ReportMetric(float64(n), "types")
	b.ReportMetric(float64(methods), "entries")
	b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N)/float64(n), "ns/type")
}

func BenchmarkKey(b *testing.B) {
	ts, m, _ := newTypes()
	h := stringHeader{m.AllocStatic("string", []byte("a string key")), 12}
	alg := ts.Alg(stringType)
	var buf []byte
	for b.Loop() {
		buf, _, _ = alg.AppendKey(buf[:0], unsafe.Pointer(&h))
	}
}
