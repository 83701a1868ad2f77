package kernel

import (
	"cmp"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/pages"
)

// A hostNode is the host's side of a node: what was read of it, once. It is
// shared by all states, so that every execution sees the same bytes.
type hostNode struct {
	tree   *hostTree
	rel    string // below the tree, with slashes
	loaded bool
	fail   errno
	data   []byte
	kids   map[string]entry
	sorted []entry
}

// A hostTree is a folder of the host that can be read. All access is through
// os.Root, which does not leave it whatever the links in it say; the links
// themselves are followed in the synthetic name space.
type hostTree struct {
	base string
	root *os.Root
	own  string // the folder in it that the program may change, in memory; "" for none
}

// ours reports whether the program may change what is at rel.
func (t *hostTree) ours(rel string) bool {
	at := path.Join(t.base, rel)
	return t.own != "" && (at == t.own || strings.HasPrefix(at, t.own+"/"))
}

// hostLimit is how many bytes of the host's files are held.
const hostLimit = 256 << 20

// mount makes the host's folder visible at its own path.
func (k *Kernel) mountHost(folder string) {
	if folder == "" {
		return
	}
	if base := hostPath(folder); base != "/" { // would hold /proc and /sys
		k.mountAt(folder, base)
	}
}

// mountAt makes the host's folder visible at a path.
func (k *Kernel) mountAt(folder, base string) {
	own := ""
	if folder := k.cfg.readable(); folder != "" {
		own = hostPath(folder)
	}
	dir := k.root
	names := strings.Split(base[1:], "/")
	for _, name := range names[:len(names)-1] {
		if dir = k.makeDir(dir, name); dir == nil || dir.host != nil {
			return // inside a folder that is readable already
		}
		dir.outside = true
	}
	last := names[len(names)-1]
	root, err := os.OpenRoot(folder)
	if err != nil {
		return
	}
	info, err := root.Lstat(".")
	if err != nil || dir.kids[last].n != nil && dir.kids[last].n.host != nil {
		root.Close()
		return
	}
	k.trees = append(k.trees, root)
	n := k.hostNode(&hostTree{base, root, own}, ".", info)
	n.mount = true
	if dir.kids[last].n != nil { // GOROOT below the package's folder's parents
		k.unlink(dir, last)
	}
	k.link(dir, last, n)
}

// hostPath is where a folder of the host appears.
func hostPath(folder string) string {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return "/"
	}
	return path.Clean("/" + filepath.ToSlash(strings.TrimPrefix(abs, filepath.VolumeName(abs))))
}

// makeDir finds or makes a folder in memory.
func (k *Kernel) makeDir(dir *node, name string) *node {
	if n := k.child(dir, name); n != nil {
		return n
	}
	n, e := k.newNode(sIFDIR | 0o755)
	if e == 0 {
		e = k.link(dir, name, n)
	}
	if e != 0 {
		return nil
	}
	return n
}

func (k *Kernel) hostNode(t *hostTree, rel string, info fs.FileInfo) *node {
	h := fnv.New64a()
	io.WriteString(h, path.Join(t.base, rel))
	n := &node{
		ino: h.Sum64() | 1<<63, dev: 2, nlink: 1,
		atime: k.boot, mtime: k.boot, ctime: k.boot,
		host: &hostNode{tree: t, rel: rel},
	}
	switch m := info.Mode(); {
	case m.IsDir():
		n.mode = sIFDIR | 0o755 // with one link, as file systems have it that do not count
	case m.IsRegular():
		n.mode, n.size = sIFREG|0o644|uint32(m.Perm()&0o111), info.Size()
		if m.Perm()&0o111 != 0 {
			n.mode |= 0o111
		}
	case m&fs.ModeSymlink != 0:
		n.mode = sIFLNK | 0o777
		n.target, _ = t.root.Readlink(filepath.FromSlash(rel))
	default: // a socket, a device: there, and closed
		n.mode = sIFREG
	}
	return n
}

// loadDir lists a host folder once.
func (k *Kernel) loadDir(dir *node) {
	h := dir.host
	if h.loaded {
		return
	}
	h.loaded = true
	h.kids = map[string]entry{}
	f, err := h.tree.root.Open(filepath.FromSlash(h.rel))
	if err != nil {
		h.fail = eACCES
		return
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	if err != nil {
		h.fail = eIO
	}
	names := make([]string, len(list))
	for i, d := range list {
		names[i] = d.Name()
	}
	slices.Sort(names)
	for i, name := range names {
		rel := path.Join(h.rel, name)
		info, err := h.tree.root.Lstat(filepath.FromSlash(rel))
		if err != nil {
			continue
		}
		n := k.hostNode(h.tree, rel, info)
		if n.isDir() {
			n.parent, n.name = dir, name
		}
		h.kids[name] = entry{name, int64(3 + i), n}
	}
}

// loadFile reads a host file once. It must still be what it was when its folder
// was listed.
func (k *Kernel) loadFile(n *node) errno {
	h := n.host
	if h.loaded {
		return h.fail
	}
	h.loaded = true
	if n.mode&0o777 == 0 {
		h.fail = eACCES
		return h.fail
	}
	if n.size > hostLimit-k.hostBytes {
		h.loaded = false
		return k.unsupport("a host file too large to hold: " + path.Join(h.tree.base, h.rel))
	}
	f, err := h.tree.root.OpenFile(filepath.FromSlash(h.rel), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		h.fail = eACCES
		return h.fail
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		h.fail = eIO
		return h.fail
	}
	h.data, err = io.ReadAll(io.LimitReader(f, n.size+1))
	if err != nil || int64(len(h.data)) != n.size {
		h.data, h.fail = nil, eIO
	}
	k.hostBytes += int64(len(h.data))
	return h.fail
}

// observe reports that the program learnt something of the host: n, or the
// entry of that name in n.
func (k *files) observe(n *node, name string) {
	h := n.host
	if h == nil {
		h = n.lower
	}
	if h != nil && k.cfg.HostRead != nil {
		k.cfg.HostRead(path.Join(h.tree.base, h.rel, name))
	}
}

// own makes a file or folder of the host the program's. What follows changes a copy in memory, which is there until
// Restore.
func (k *Kernel) own(n *node) errno {
	h := n.host
	if h == nil || n.isLink() {
		return 0
	}
	if n.isDir() {
		return k.ownDir(n)
	}
	if e := k.loadFile(n); e != 0 {
		return e
	}
	if e := k.charge(inodeCost); e != 0 {
		return e
	}
	k.touchData(n)
	n.host, n.lower, n.pages = nil, h, map[int64]*pages.Page{}
	size := n.size
	if got, e := k.writeAt(n, h.data, 0); int64(got) < size { // no room
		k.charge(-inodeCost - int64(len(n.pages))*pageSize)
		n.host, n.lower, n.pages, n.size = h, nil, nil, size
		return cmp.Or(e, eNOSPC)
	}
	return 0
}

func (k *Kernel) ownDir(dir *node) errno {
	k.loadDir(dir)
	h := dir.host
	if h.fail != 0 {
		return h.fail
	}
	cost := int64(inodeCost)
	for name := range h.kids {
		cost += entryCost + int64(len(name))
	}
	if e := k.charge(cost); e != 0 {
		return e
	}
	k.touchData(dir)
	dir.host, dir.lower = nil, h
	dir.kids, dir.nextSeq, dir.sorted = maps.Clone(h.kids), int64(3+len(h.kids)), nil
	return 0
}
