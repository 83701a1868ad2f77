//go:build linux && amd64

package kernel

import (
	"bytes"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

// tree are the files that TestOverlay starts with: contents by name, nil for a folder.
var tree = map[string][]byte{
	"a": []byte("content of a"), "b": nil, "b/a": bytes.Repeat([]byte("0123456789"), 900), "b/b": nil, "b/b/c": {}, "b/d": []byte("d"), "c": nil,
}

// TestOverlay performs random operations in a folder of the host, and in one in memory with the same files. They answer
// alike. Then the host is as it was, and so is the kernel once it has gone back.
func TestOverlay(t *testing.T) {
	seeds := 20
	if !long.On() {
		seeds = 8
	}
	good := 0
	for seed := range seeds {
		host := t.TempDir()
		for _, name := range slices.Sorted(maps.Keys(tree)) {
			write(t, filepath.Join(host, name), tree[name])
		}
		before := onDisk(t, host)
		under := New(Config{})
		under.cfg.Root = "/tmp/w"
		under.mountAt(host, "/tmp/w")
		plain := inMemory(t)
		shown := emulated(under)
		shown.do(sys("chdir", "/tmp/w"))
		mark, start := under.Snapshot(), dump(under)
		g := gen{rand.New(rand.NewPCG(uint64(seed), 5))}
		var ops []op
		for range 300 {
			ops = append(ops, g.op()...)
		}
		for i, o := range append(ops, survey()...) {
			want, got := unlinked(plain.do(o)), unlinked(shown.do(o))
			if want.e != got.e || want.r != got.r || !slices.EqualFunc(want.bufs, got.bufs, bytes.Equal) {
				t.Fatalf("seed %d, after %v:\n%v:\n in memory  %d errno %d %.80q\n over files %d errno %d %.80q %s", seed, ops[max(0, min(i, len(ops))-20):min(i, len(ops))], o,
					want.r, want.e, want.bufs, got.r, got.e, got.bufs, under.Unsupported())
			}
			if got.e == 0 && i < len(ops) {
				good++
			}
		}
		if got := onDisk(t, host); got != before {
			t.Fatalf("seed %d: the host's folder was changed:\n%s\nwas\n%s", seed, got, before)
		}
		under.Restore(mark)
		if got := dump(under); got != start {
			t.Fatalf("seed %d: after Restore\n%s\nwas\n%s", seed, got, start)
		}
		under.Close()
	}
	if good < 30*seeds {
		t.Errorf("only %d operations succeeded", good)
	}
}

var folderLinks = regexp.MustCompile("^links [0-9]+ mode 4")

// unlinked leaves the number of links of a folder out, which the host's folders do not count.
func unlinked(a answerOf) answerOf {
	for i, b := range a.bufs {
		a.bufs[i] = folderLinks.ReplaceAll(b, []byte("folder, mode 4"))
	}
	return a
}

// inMemory is a world that stands in /tmp/w with the same files, in a file system of its own.
func inMemory(t *testing.T) *world {
	w := emulated(New(Config{}))
	w.do(sys("mkdir", "/tmp/w", 0o755))
	w.do(sys("chdir", "/tmp/w"))
	w.k.p.cwd.dev, w.k.p.cwd.mount = 2, true
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if data := tree[name]; data == nil {
			w.do(sys("mkdir", name, 0o755))
		} else {
			w.do(sys("openat", at, name, oCREAT|oWRONLY, 0o644).as("new"))
			w.do(sys("write", handle("new"), data, len(data)))
			w.do(sys("close", handle("new")))
			delete(w.handles, "new")
		}
	}
	if e := w.do(sys("stat", "b/b/c", out(144))).e; e != 0 {
		t.Fatal("there are no files: ", e)
	}
	return w
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	err := os.Mkdir(name, 0o755)
	if data != nil {
		os.Remove(name)
		err = os.WriteFile(name, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// onDisk is what a folder of the host holds.
func onDisk(t *testing.T, folder string) string {
	t.Helper()
	var b bytes.Buffer
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		b.WriteString(name + " " + info.Mode().String() + " " + info.ModTime().String() + "\n")
		if data, err := os.ReadFile(name); err == nil {
			b.Write(data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
