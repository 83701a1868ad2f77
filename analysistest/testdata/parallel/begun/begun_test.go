// Package begun starts a goroutine before main: its initialisers are run anew in each execution.
package begun

import "testing"

var (
	wake  = make(chan bool)
	table = map[string]int{}
	cell  = new(int)
	own   = [2]*int{new(int), new(int)}
)

func init() {
	go func() { <-wake }()
}

func TestTableA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	table["a"] = 1 // want `data race: table (?s:.*)\sin TestTableA\|TestTableB`
}

func TestTableB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	table["b"] = 1
}

func TestCellA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*cell = 1 // want `data race: cell (?s:.*)\sin TestCellA\|TestCellB`
}

func TestCellB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*cell = 2
}

func TestOwnA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*own[0] = 1
}

func TestOwnB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*own[1] = 1
}
