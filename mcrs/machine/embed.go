package machine

import (
	"cmp"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file defines the values of variables with a //go:embed directive: strings, byte slices and embed.FS. The
// linker lays them out; no initialiser does.

// embed sets the embedded variables of a package.
func embed(m *vm.Machine, p *program.Package) error {
	for _, e := range p.Embeds {
		v := p.SSA.Var(e.Var.Name())
		if v == nil {
			continue
		}
		names := embeddedNames(e.Patterns, p.EmbedFiles)
		addr := m.GlobalAddr(v)
		if isEmbedFS(e.Var.Type()) {
			files, err := embeddedFiles(m, p.Dir, names)
			if err != nil {
				return err
			}
			setWords(m, addr, files)
			continue
		}
		if len(names) != 1 {
			return &InitError{Reason: "//go:embed of " + e.Var.Name() + " does not match one file"}
		}
		data, err := os.ReadFile(filepath.Join(p.Dir, filepath.FromSlash(names[0])))
		if err != nil {
			return &InitError{Reason: err.Error()}
		}
		n := uint64(len(data))
		if b, ok := e.Var.Type().Underlying().(*types.Basic); ok && b.Kind() == types.String {
			s, _ := m.StaticString(string(data))
			setWords(m, addr, s, n)
			continue
		}
		o := m.Mem.Alloc(mem.Init, n, nil)
		copy(o.Bytes(), data)
		setWords(m, addr, o.Base, n, n)
	}
	return nil
}

func isEmbedFS(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "FS" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "embed"
}

func setWords(m *vm.Machine, addr uint64, ws ...uint64) {
	for i, w := range ws {
		if _, d := m.Mem.Writable(addr+uint64(i)*8, 8); d != nil {
			*(*uint64)(d) = w
		}
	}
}

// embeddedFiles makes the *[]file of an embed.FS.
func embeddedFiles(m *vm.Machine, dir string, names []string) (uint64, error) {
	const size = 48 // name, data string; hash [16]byte
	all := map[string]bool{}
	for _, n := range names {
		all[n] = true
		for d := path.Dir(n); d != "."; d = path.Dir(d) {
			all[d+"/"] = true
		}
	}
	var sorted []string
	for n := range all {
		sorted = append(sorted, n)
	}
	slices.SortFunc(sorted, func(a, b string) int {
		a, b = strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")
		return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(path.Base(a), path.Base(b)))
	})
	list := m.Mem.Alloc(mem.Init, max(uint64(len(sorted))*size, 8), &mem.PtrMap{Elem: size, Offs: []uint32{0, 16}})
	for i, n := range sorted {
		var data []byte
		if !strings.HasSuffix(n, "/") {
			var err error
			if data, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(n))); err != nil {
				return 0, &InitError{Reason: err.Error()}
			}
		}
		np, nn := m.StaticString(n)
		dp, dn := m.StaticString(string(data))
		setWords(m, list.Base+uint64(i)*size, np, nn, dp, dn)
	}
	head := m.Mem.Alloc(mem.Init, 24, &mem.PtrMap{Elem: 24, Offs: []uint32{0}})
	setWords(m, head.Base, list.Base, uint64(len(sorted)), uint64(len(sorted)))
	return head.Base, nil
}

// embeddedNames returns those of files that the patterns of one variable match, by the rules of package embed: a
// folder stands for what is below it but for names that begin with . or _, unless the pattern begins with "all:".
func embeddedNames(patterns, files []string) []string {
	var names []string
	for _, f := range files {
		if slices.ContainsFunc(patterns, func(p string) bool { return embeds(p, f) }) {
			names = append(names, f)
		}
	}
	return names
}

func embeds(pattern, file string) bool {
	pattern, all := strings.CutPrefix(pattern, "all:")
	for d, below := file, ""; ; d, below = path.Dir(d), path.Join(path.Base(d), below) {
		if ok, err := path.Match(pattern, d); ok && err == nil {
			return all || !hidden(below)
		}
		if d == "." {
			return false
		}
	}
}

// hidden reports whether an element of a path begins with . or _.
func hidden(p string) bool {
	for e := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(e, ".") || strings.HasPrefix(e, "_") {
			return true
		}
	}
	return false
}
