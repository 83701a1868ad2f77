package progen

import (
	"math/rand/v2"

	"github.com/heddle-go/heddle/analysistest/progen/enumerate"
)

// GenerateWeak is Generate for a program for which memory models differ: enumerate.Draw draws it.
func GenerateWeak(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size, Bare: true}
	g := newGenerator(rand.New(rand.NewPCG(seed, 5<<40|uint64(size))))
	drawn := enumerate.Draw(g.r, size)
	for _, party := range drawn.Others {
		s := &Stmt{Text: []string{"go GO{", "}GO"}, Bodies: [][]*Stmt{statements(party)}, Starts: g.number(), Needs: g.paramNeeds()}
		s.Means = []enumerate.Step{{Code: enumerate.Go, At: s.Starts}}
		p.Body = append(p.Body, s)
	}
	p.Body = append(p.Body, statements(drawn.Starter)...)
	p.Notes = notesOf(p)
	return p
}

func statements(drawn []enumerate.Statement) (out []*Stmt) {
	for i := range drawn {
		s := &Stmt{Text: []string{drawn[i].Text}, Means: drawn[i].Steps}
		for _, o := range drawn[i].Needs {
			s.Needs = append(s.Needs, object(o))
		}
		out = append(out, s)
	}
	return out
}

// meaning returns what the goroutines of a program do.
func (p *Program) meaning() [][]enumerate.Step {
	out := make([][]enumerate.Step, 1)
	walk(p.Body, func(s *Stmt) {
		for len(out) <= s.Starts {
			out = append(out, nil)
		}
		if s.Starts > 0 {
			for _, of := range s.Bodies[0] {
				out[s.Starts] = append(out[s.Starts], of.Means...)
			}
		}
	})
	for _, s := range p.Body {
		out[0] = append(out[0], s.Means...)
	}
	return out
}
