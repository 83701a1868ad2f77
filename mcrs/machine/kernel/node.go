package kernel

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/apart"
	"github.com/heddle-go/heddle/mcrs/machine/kernel/pages"
)

// files is the tree of files, and the process that sees it.
type files struct {
	journal
	cfg   Config
	limit int64
	root  *node
	p     proc
	callState

	trees     []*os.Root
	hostBytes int64
}

// A callState says who calls, and how.
type callState struct {
	stream uint64  // the goroutine, for what is a function of it
	apart  bool    // what calls touch is told apart
	course *Course // of the call that is performed in steps, or nil
}

// A node is an inode. Fields change only after touch (and the maps only after
// touchData), so that Restore can put them back.
type node struct {
	epoch, dataEpoch uint64

	ino   uint64
	dev   uint64
	mode  uint32 // with the type
	nlink int    // 0: removed
	opens int    // descriptions, and the current folder
	rdev  uint64

	atime, mtime, ctime int64

	size  int64                 // of a regular file
	pages map[int64]*pages.Page // of a regular file in memory; absent ones are holes

	target string // of a symbolic link

	folder

	host    *hostNode // of a file or folder of the host: what is read of it
	lower   *hostNode // of one that the program has changed (own): what it was
	mount   bool
	fixed   bool // it is there from the start: APART4
	outside bool // a folder of the host that is shown empty, but for what leads to what is shown
	special special
	locks   []lock
	maps    []mapping // replaced, never changed in place
}

// A folder is what a node has more, if it is one.
type folder struct {
	parent  *node
	name    string
	kids    map[string]entry
	nextSeq int64
	sorted  []entry // kids in the order of seq, or nil
}

type entry struct {
	name string
	seq  int64
	n    *node
}

type lock struct {
	d    *desc
	excl bool
}

// special tells the nodes apart that are neither file, folder nor link.
type special uint8

const (
	plain special = iota
	devNull
	devZero
	devRandom
	stdIn
	stdOut
	stdErr
)

func (n *node) kind() uint32   { return n.mode & sIFMT }
func (n *node) isDir() bool    { return n.kind() == sIFDIR }
func (n *node) isReg() bool    { return n.kind() == sIFREG }
func (n *node) isLink() bool   { return n.kind() == sIFLNK }
func (n *node) isPipe() bool   { return n.kind() == sIFIFO && n.special == plain }
func (n *node) readOnly() bool { return n.host != nil && !n.host.tree.ours(n.host.rel) }

// What an inode and a name are charged, besides the pages.
const (
	inodeCost = 1024
	entryCost = 128
)

// charge accounts for d more bytes (or fewer).
func (k *files) charge(d int64) errno {
	if d > 0 && (d > k.limit || k.p.used > k.limit-d) {
		return eNOSPC
	}
	k.touchProc()
	k.p.used += d
	return 0
}

func (k *files) newNode(mode uint32) (*node, errno) {
	if e := k.charge(inodeCost); e != 0 {
		return nil, e
	}
	var ino uint64
	if k.apart {
		ino = k.p.numbers.Inode(k.stream)
	} else {
		k.p.nextIno++
		ino = k.p.nextIno
	}
	now := k.now()
	n := &node{epoch: k.epoch, dataEpoch: k.epoch, ino: ino, dev: 1, mode: mode, nlink: 1, atime: now, mtime: now, ctime: now}
	switch mode & sIFMT {
	case sIFDIR:
		n.nlink, n.nextSeq, n.kids = 2, 3, map[string]entry{}
	case sIFREG:
		n.pages = map[int64]*pages.Page{}
	}
	return n, 0
}

// touch saves n before its first change since the last snapshot.
func (k *journal) touch(n *node) {
	if n.epoch == k.epoch {
		return
	}
	old := *n
	k.log = append(k.log, func() { *n = old })
	n.epoch = k.epoch
	n.locks = slices.Clone(n.locks)
}

func (k *journal) touchData(n *node) {
	k.touch(n)
	if n.dataEpoch == k.epoch {
		return
	}
	n.dataEpoch = k.epoch
	n.pages, n.kids = maps.Clone(n.pages), maps.Clone(n.kids)
}

// changed marks n's content as changed now.
func (k *files) changed(n *node) {
	k.touch(n)
	n.mtime = k.now()
	n.ctime = n.mtime
}

// link enters n into dir.
func (k *files) link(dir *node, name string, n *node) errno {
	if e := k.charge(entryCost + int64(len(name))); e != 0 {
		return e
	}
	k.touchData(dir)
	seq := dir.nextSeq
	if k.apart {
		seq = apart.PlaceOf(name)
	}
	dir.kids[name] = entry{name, seq, n}
	dir.nextSeq++
	dir.sorted = nil
	if n.isDir() {
		k.touch(n)
		n.parent, n.name = dir, name
		dir.countFolder(1)
	}
	k.changed(dir)
	return 0
}

// unlink removes the name from dir; the links of what it named are the
// caller's to count.
func (k *files) unlink(dir *node, name string) {
	k.touchData(dir)
	if dir.kids[name].n.isDir() {
		dir.countFolder(-1)
	}
	delete(dir.kids, name)
	dir.sorted = nil
	k.charge(-entryCost - int64(len(name)))
	k.changed(dir)
}

// countFolder counts a folder in dir, or one less. The host's folders have one link, whatever is in them.
func (dir *node) countFolder(d int) {
	if dir.lower == nil {
		dir.nlink += d
	}
}

// drop counts one link of n less (all of them, for a folder).
func (k *files) drop(n *node) {
	k.touch(n)
	if n.nlink--; n.isDir() {
		n.nlink = 0
	}
	n.ctime = k.now()
	k.reap(n)
}

func (k *journal) open(n *node) {
	k.touch(n)
	n.opens++
}

func (k *files) unopen(n *node) {
	k.touch(n)
	n.opens--
	k.reap(n)
}

// reap gives the bytes of n back once nobody can reach it.
func (k *files) reap(n *node) {
	if n.nlink > 0 || n.opens > 0 || n.host != nil {
		return
	}
	k.charge(-inodeCost - int64(len(n.pages))*pageSize - int64(len(n.target)))
	k.touchData(n)
	clear(n.pages)
}

// entries lists a folder in the order in which getdents64 gives it.
func (k *Kernel) entries(dir *node) []entry {
	kids := dir.kids
	if dir.host != nil {
		k.loadDir(dir)
		kids = dir.host.kids
		if dir.host.sorted == nil {
			dir.host.sorted = sortEntries(kids)
		}
		return dir.host.sorted
	}
	if dir.sorted == nil {
		dir.sorted = sortEntries(kids) // derived: as valid after a Restore as kids are, both are put back
	}
	return dir.sorted
}

func sortEntries(kids map[string]entry) []entry {
	es := make([]entry, 0, len(kids))
	for _, e := range kids {
		es = append(es, e)
	}
	slices.SortFunc(es, func(a, b entry) int { return int(a.seq - b.seq) })
	return es
}

func (k *Kernel) child(dir *node, name string) *node {
	if dir.host != nil {
		k.loadDir(dir)
		n := dir.host.kids[name].n
		if n == nil {
			k.observe(dir, name)
		}
		return n
	}
	n := dir.kids[name].n
	if n == nil && dir.lower != nil {
		k.observe(dir, name)
	}
	if n == nil && dir.outside {
		k.refused = "files outside the module (" + k.shown(dir, name) + ")"
	}
	return n
}

// shown is the path of a name in a folder as messages have it. If the folder is one above the package's, the path
// begins at the package's. So a message does not depend on where the module is.
func (k *files) shown(dir *node, name string) string {
	path := k.pathOf(dir, name)
	above := filepath.Dir(path)
	own := hostPath(k.cfg.Root)
	if above == "/" || !strings.HasPrefix(own, above+"/") {
		return path
	}
	if rel, err := filepath.Rel(own, path); err == nil {
		return rel
	}
	return path
}

// pathOf is the path of a name in a folder.
func (k *files) pathOf(dir *node, name string) string {
	for ; dir != k.root && dir != nil; dir = dir.parent {
		name = dir.name + "/" + name
	}
	return "/" + name
}

// readAt copies a file's bytes from off on; off is within the file.
func (n *node) readAt(p []byte, off int64) int {
	if off >= n.size {
		return 0
	}
	if int64(len(p)) > n.size-off {
		p = p[:n.size-off]
	}
	if n.host != nil {
		return copy(p, n.host.data[off:])
	}
	pages.ReadAt(n.pages, p, off)
	return len(p)
}

// writeAt writes as much as there is room for.
func (k *files) writeAt(n *node, p []byte, off int64) (int, errno) {
	k.touchData(n)
	done := 0
	for done < len(p) {
		i, o := (off+int64(done))/pageSize, (off+int64(done))%pageSize
		pg, e := k.page(n, i)
		if e != 0 {
			if done == 0 {
				return 0, e
			}
			break
		}
		done += copy(pg.B[o:], p[done:])
	}
	n.size = max(n.size, off+int64(done))
	return done, 0
}

// page gives the i-th page of n for writing.
func (k *files) page(n *node, i int64) (*pages.Page, errno) {
	old := n.pages[i]
	if old != nil && old.Epoch == k.epoch {
		return old, 0
	}
	if old == nil {
		if e := k.charge(pageSize); e != 0 {
			return nil, e
		}
	}
	pg := &pages.Page{Epoch: k.epoch}
	if old != nil {
		pg.B = old.B
	}
	n.pages[i] = pg
	return pg, 0
}

// resize cuts n off or lets it grow by a hole.
func (k *files) resize(n *node, size int64) {
	k.touchData(n)
	if size < n.size {
		last := size / pageSize
		for i := range n.pages {
			if i > last || i == last && size%pageSize == 0 {
				delete(n.pages, i)
				k.charge(-pageSize)
			}
		}
		if n.pages[last] != nil {
			pg, _ := k.page(n, last)
			clear(pg.B[size%pageSize:])
		}
	}
	n.size = size
	k.changed(n)
	k.killPriv(n)
}

// killPriv clears the bits that a change by an ordinary user clears.
func (k *journal) killPriv(n *node) {
	drop := uint32(sISUID)
	if n.mode&0o010 != 0 {
		drop |= sISGID
	}
	if n.isReg() && n.mode&drop != 0 {
		k.touch(n)
		n.mode &^= drop
	}
}
