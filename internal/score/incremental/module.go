package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// This file makes the module: packages in layers of ten. Each imports two of the layer below.

const layer = 10

func packageDir(i int) string { return fmt.Sprintf("layer%d/p%d", i/layer, i) }

func writeModule(dir string, n int) error {
	files := map[string]string{"go.mod": "module example.com/fifty\n\ngo 1.26\n"}
	for i := range n {
		files[packageDir(i)+"/code.go"] = code(i)
		files[packageDir(i)+"/code_test.go"] = tests(i)
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			return err
		}
	}
	return nil
}

// code is a counter behind a lock, and a cache that asks the packages below.
func code(i int) string {
	var imports, calls strings.Builder
	if below := i/layer - 1; below >= 0 {
		for k := range 2 {
			j := below*layer + (i*3+k*7)%layer
			fmt.Fprintf(&imports, "\tp%d \"example.com/fifty/%s\"\n", j, packageDir(j))
			fmt.Fprintf(&calls, "\tc.n += p%d.New().Value()\n", j)
		}
	}
	return fmt.Sprintf(`// Package p%[1]d is one of many.
package p%[1]d

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
%[2]s)

const step = 1

// ErrNone says that there is nothing.
var ErrNone = errors.New("p%[1]d: none")

// A Counter counts.
type Counter struct {
	mu   sync.Mutex
	n    int
	name string
}

// New returns a counter.
func New() *Counter {
	c := &Counter{name: strings.Repeat("p", %[1]d)}
%[3]s	return c
}

// Add adds.
func (c *Counter) Add(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("p%[1]d: %%w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += step
	return nil
}

// Value is how far it has counted.
func (c *Counter) Value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
`, i, imports.String(), calls.String())
}

func tests(i int) string {
	return fmt.Sprintf(`package p%[1]d

import (
	"context"
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	c := New()
	before := c.Value()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if err := c.Add(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := c.Value(); got != before+2*step {
		t.Errorf("counted to %%d", got)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, done := New(), make(chan error)
	go func() { done <- c.Add(ctx) }()
	cancel()
	if err := <-done; err != nil && ctx.Err() == nil {
		t.Error(err)
	}
}
`, i)
}
