package kernel

import "strings"

// A place is where a path leads: to a node, or to a name that is free in a
// folder.
type place struct {
	dir   *node  // the folder of the last component; nil if that is none
	name  string // the last component
	n     *node  // what is there; nil if nothing
	slash bool   // the path ends in a slash
	last  last
}

// last says what the last component is; only a normal one can be made or
// removed.
type last uint8

const (
	normal last = iota
	dot
	dotdot
	rootDir
)

// permit checks access to n as the owner of everything would have it.
func permit(n *node, want uint32) errno {
	if want&mayWrite != 0 && n.readOnly() {
		return eROFS
	}
	have := n.mode >> 6
	if n.isLink() {
		return 0
	}
	if want&^have&7 != 0 {
		return eACCES
	}
	return 0
}

// at gives the folder that relative paths start from.
func (k *files) at(dirfd uint64, path string) (*node, errno) {
	switch {
	case path[0] == '/':
		return k.root, 0
	case int32(dirfd) == atFDCWD:
		return k.p.cwd, 0
	}
	d, e := k.rawFile(dirfd)
	if e != 0 {
		return nil, e
	}
	if !d.node.isDir() {
		return nil, eNOTDIR
	}
	return d.node, 0
}

// find looks a path up, which must exist.
func (k *Kernel) find(dirfd uint64, path string, follow bool) (*node, errno) {
	how := manner(0)
	if follow {
		how = follows
	}
	w, e := k.walk(dirfd, path, how)
	if e == 0 && w.n == nil {
		e = eNOENT
	}
	return w.n, e
}

// A manner is how a path is walked.
type manner uint8

const (
	follows  manner = 1 << iota // a link at the end, too
	toParent                    // all but the last component
	creates                     // the last component must not end in a slash
)

// parent looks up all of a path but its last component.
func (k *Kernel) parent(dirfd uint64, path string) (place, errno) {
	return k.walk(dirfd, path, toParent)
}

// walk looks a path up. Unless the last component is missing, its type agrees
// with a slash at the end.
func (k *Kernel) walk(dirfd uint64, rest string, how manner) (place, errno) {
	cur, e := k.at(dirfd, rest)
	if e != 0 {
		return place{}, e
	}
	links := 0
	for {
		rest = strings.TrimLeft(rest, "/")
		if rest == "" {
			return place{n: cur, last: rootDir}, 0
		}
		if e := permit(cur, mayExec); e != 0 {
			return place{}, e
		}
		name, after, slash := strings.Cut(rest, "/")
		after = strings.TrimLeft(after, "/")
		w := place{dir: cur, name: name, slash: slash}
		next := cur
		switch name {
		case ".":
			w.last = dot
		case "..":
			w.last = dotdot
			next = cur.parent
		default:
			if after == "" && how&toParent != 0 {
				return w, 0
			}
			if after == "" && slash && how&creates != 0 {
				return place{}, eISDIR
			}
			if len(name) > nameMax {
				return place{}, eNAMETOOLONG
			}
			next = lookUp(k, cur, name, after == "" && how&creates != 0)
		}
		if after == "" && (how&toParent != 0 || next == nil) {
			return w, 0
		}
		if next == nil {
			return place{}, eNOENT
		}
		if next.isLink() && (slash || how&follows != 0) {
			if links++; links > maxLinks {
				return place{}, eLOOP
			}
			k.observe(next, "")
			if next.target == "" {
				return place{}, eNOENT
			}
			if next.target[0] == '/' {
				cur = k.root
			}
			if rest = next.target; slash {
				rest += "/" + after
			}
			continue
		}
		if slash && !next.isDir() {
			return place{}, eNOTDIR
		}
		if after == "" {
			w.n = next
			return w, 0
		}
		cur, rest = next, after
	}
}

// look fills in what is at a place found by parent. changes says that the name may be made or removed.
func (k *Kernel) look(w *place, changes bool) errno {
	if len(w.name) > nameMax {
		return eNAMETOOLONG
	}
	w.n = lookUp(k, w.dir, w.name, changes)
	return 0
}

// vacant finds the place for a new name. A folder may be asked for with a
// slash at the end.
func (k *Kernel) vacant(dirfd uint64, path string, folder bool) (place, errno) {
	w, e := k.parent(dirfd, path)
	switch {
	case e != 0:
		return w, e
	case w.last != normal:
		return w, eEXIST
	}
	if e := k.look(&w, true); e != 0 {
		return w, e
	}
	switch {
	case w.n != nil:
		return w, eEXIST
	case w.slash && !folder:
		return w, eNOENT
	}
	return w, k.mayCreate(w.dir)
}

func (k *Kernel) mayCreate(dir *node) errno {
	switch {
	case dir.readOnly():
		return eROFS
	case dir.nlink == 0:
		return eNOENT
	}
	if e := permit(dir, mayWrite|mayExec); e != 0 {
		return e
	}
	return k.own(dir)
}

// mayDelete checks that w can be removed, as a folder or as anything else.
func (k *Kernel) mayDelete(w place, folder bool) errno {
	switch e := permit(w.dir, mayWrite|mayExec); {
	case e != 0:
		return e
	case k.apart && w.n.fixed:
		return k.unsupport("removing what is there from the start")
	case folder && !w.n.isDir():
		return eNOTDIR
	case folder && w.n.mount:
		return eBUSY
	case !folder && w.n.isDir():
		return eISDIR
	}
	return k.own(w.dir)
}
