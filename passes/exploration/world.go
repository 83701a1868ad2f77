package exploration

import (
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heddle-go/heddle/passes/cache"
	"github.com/heddle-go/heddle/program"
)

// This file notes what a program learns of the host, and makes sure that its sources are those that were listed.

// A world notes what a program learns of the host (KEY8), with what it was then.
type world struct {
	on     bool
	first  map[string]string // by path: as it was when it was first asked for
	always map[string]bool   // by package initialisers
	now    map[string]bool
}

func (w *world) begin() { w.on, w.now = true, map[string]bool{} }

// note notes a path.
func (w *world) note(path string, initialised bool) {
	if w.first == nil {
		w.first, w.always = map[string]string{}, map[string]bool{}
	}
	if _, ok := w.first[path]; !ok {
		w.first[path] = cache.Look(path)
	}
	switch {
	case !initialised:
		w.always[path] = true
	case w.now != nil:
		w.now[path] = true
	}
}

// seen is what has been learnt since begin, and by initialisers. ok is false if it has changed since.
func (w *world) seen() (out []cache.Seen, ok bool) {
	paths := map[string]bool{}
	for _, m := range []map[string]bool{w.now, w.always} {
		for p := range m {
			paths[p] = true
		}
	}
	for p := range paths {
		if cache.Look(p) != w.first[p] {
			return nil, false
		}
		out = append(out, cache.Seen{Path: p, Digest: w.first[p]})
	}
	slices.SortFunc(out, func(a, b cache.Seen) int { return strings.Compare(a.Path, b.Path) })
	return out, true
}

// inGoroot reports whether a path is of the toolchain, which KEY1 has.
func inGoroot(path string) bool {
	return strings.HasPrefix(path, filepath.Clean(build.Default.GOROOT)+string(filepath.Separator))
}

// unchanged reports whether the files of the user's packages still have the contents of which the recipe has a hash,
// for somebody may be editing. It also makes sure that nobody has asked to stop.
func (k *keeper) unchanged() bool {
	if k.stop.Asked() {
		return false
	}
	for i := range k.c.Recipe.Packages {
		if p := &k.c.Recipe.Packages[i]; !p.Std && !sourcesAre(p, k.c.Recipe.GoVersion) {
			return false
		}
	}
	return true
}

// verified are packages whose files were compared with their hashes, and what the files looked like then.
var verified sync.Map // ID, folder and digest -> []fileLook

type fileLook struct {
	name string
	size int64
	time time.Time
}

func sourcesAre(p *program.PackageRecipe, goVersion string) bool {
	key := [3]string{p.ID, p.Dir, p.Digest}
	if v, ok := verified.Load(key); ok && !slices.ContainsFunc(v.([]fileLook), func(l fileLook) bool { return lookAt(l.name) != l }) {
		return true
	}
	var looks []fileLook
	for _, list := range p.Inputs() {
		for _, name := range list {
			looks = append(looks, lookAt(p.File(name)))
		}
	}
	again := *p
	if again.SetDigest(goVersion) != nil || again.Digest != p.Digest {
		return false
	}
	verified.Store(key, looks)
	return true
}

func lookAt(name string) fileLook {
	info, err := os.Stat(name)
	if err != nil {
		return fileLook{name: name}
	}
	return fileLook{name, info.Size(), info.ModTime()}
}
