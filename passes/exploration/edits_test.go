package exploration

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/edits"
	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/passes/cache"
)

// After random edits, one on top of the other, a run with the cache shows what a run without shows, an error too; and
// a neutral edit has no entry explored. internal/score/edits does the same with real modules and the command.
func TestEdits(t *testing.T) {
	kinds := []string{"statement deleted", "method", "comment"}
	times := 1
	if long.On() {
		kinds, times = edits.Kinds(), 4
	}
	k, store := newKept(t), cache.Open(t.TempDir())
	k.explore(store)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range times * len(kinds) {
		kind, was := kinds[i%len(kinds)], maps.Clone(k.files)
		if kind == "go.mod" || kind == "build constraint" { // the recipes here are made without the go command
			continue
		}
		e := edits.Of(kind, r, was, []string{"p", "q"})
		if e == nil {
			continue
		}
		k.become(e.Tree)
		warm, explored, err := k.try(store)
		cold, _, coldErr := k.try(nil)
		if warm != cold || (err == nil) != (coldErr == nil) || err != nil && err.Error() != coldErr.Error() {
			t.Errorf("%s: %s: with the cache:\n%s%v\nwithout:\n%s%v", e.Kind, e.What, warm, err, cold, coldErr)
		}
		if e.Neutral && explored != "" && !(e.Moves && asksForLines(e.Tree["p/p_test.go"], explored)) {
			t.Errorf("%s: %s: a neutral edit, and %s were explored", e.Kind, e.What, explored)
		}
		if err != nil {
			k.become(was) // it does not compile
		}
	}
}

// asksForLines reports whether the entries that were explored are TestWhere, which asks for its line, and, where an
// edit has made that a parallel test, others of those: pairs are looked for among all of them.
func asksForLines(text, explored string) bool {
	_, where, _ := strings.Cut(text, "func TestWhere")
	where, _, _ = strings.Cut(where, "\n}")
	for _, name := range strings.FieldsFunc(explored, func(r rune) bool { return r == ' ' || r == '|' }) {
		name = strings.TrimPrefix(name, "Test")
		if name != "Where" && !(strings.Contains(where, "t.Parallel()") && strings.HasPrefix(name, "Parallel")) {
			return false
		}
	}
	return strings.HasPrefix(explored, "Where")
}

// become makes the files of the module others.
func (k *kept) become(files map[string]string) {
	for name := range k.files {
		if _, ok := files[name]; !ok {
			if err := os.Remove(filepath.Join(k.dir, name)); err != nil {
				k.t.Fatal(err)
			}
			delete(k.files, name)
		}
	}
	for name, text := range files {
		if k.files[name] != text {
			k.write(name, text)
		}
	}
}
