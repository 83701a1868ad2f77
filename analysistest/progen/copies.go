package progen

import (
	"fmt"
	"math/rand/v2"
)

// This file draws locks that are used as memory (copied, compared, overwritten), sync.Map.Range beside stores, and
// programs that can see the steps of RWMutex.TryLock.

// GenerateCopies is Generate for a program of such operations.
func GenerateCopies(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size}
	g := newGenerator(rand.New(rand.NewPCG(seed, 3<<40|uint64(size))))
	g.themes = []theme{themeCopies, themeCopies, pick(g, themeCopies, themeCopies, themeRWLocks, themeSyncMap, themeChans, themeAtomics, themeLocks)}
	g.chans = []object{pick(g, object("c"), "d", "e")}
	g.kinds = []object{copiedKind(g.draw)}
	if g.one(2) {
		g.kinds = append(g.kinds, copiedKind(g.draw))
	}
	p.Body = g.starter(size)
	p.Notes = notesOf(p)
	return p
}

func copiedKind(d draw) object {
	return pick(d, object("cs"), "cs", "crw", "crw", "cg", "co", "cm", "cm", "rw")
}

// copies draws an operation on a lock in a struct, or on a copy of it.
func (g *generator) copies() *Stmt {
	if len(g.kinds) == 0 {
		g.kinds = []object{copiedKind(g.draw)}
	}
	switch o := pick(g, g.kinds...); o {
	case "crw":
		return g.copiedRW()
	case "cg":
		return g.copied(o, []string{"cg.l.Add(1)", "cg.l.Done()", "cg.l.Wait()", "q := cg\nq.l.Wait()\nl.r(9)", "q := cg\nq.l.Done()"})
	case "co":
		return g.copied(o, []string{"co.l.Do(func() { l.r(1) })", "co.l.Do(func() { l.r(2) })", "q := co\nq.l.Do(func() { l.r(3) })", "o := new(sync.Once)\nkeep.Store(o)\no.Do(func() { v = int(turns.Add(1)) })\nif v&1 == 0 {\n*o = sync.Once{}\n}\no.Do(func() { v = int(turns.Add(1)) })\nl.r(v)", "v = int(turns.Add(1))\nl.r(v)", "keep.Load().Do(func() { l.r(6) })"})
	case "cm":
		return g.copiedMap()
	case "rw":
		return pick(g, g.rwLocks(), stmt("v = bit(rw.TryRLock())\nl.r(v)", "rw"), stmt("if rw.TryLock() {\nrw.Unlock()\nl.r(1)\n}", "rw"))
	}
	need := []object{"cs"}
	switch g.r.IntN(12) {
	case 0, 1, 2:
		return &Stmt{Text: []string{"cs.l.Lock()", "cs.l.Unlock()"}, Bodies: [][]*Stmt{g.inner(1)}, Needs: need}
	case 3:
		return &Stmt{Text: []string{"if cs.l.TryLock() {\nl.r(1)", "cs.l.Unlock()\n}"}, Bodies: [][]*Stmt{g.inner(1)}, Needs: need}
	case 4:
		return stmt("v = int(atomic.LoadInt32((*int32)(unsafe.Pointer(&cs))))\nl.r(v)", "cs")
	case 5:
		return stmt("atomic.StoreInt32((*int32)(unsafe.Pointer(&cs)), 0)", "cs")
	case 6:
		return stmt("v = bit(cs == copied[sync.Mutex]{})\nl.r(v)", "cs")
	}
	return g.copied("cs", []string{"cs.l.Lock()", "q := cs\nq.l.Lock()\nl.r(q.n)", "q := cs\nv = bit(q.l.TryLock())\nl.r(v)", "q := cs\ncs = q"})
}

// copied draws one of some operations, or overwrites the object.
func (g *generator) copied(o object, from []string) *Stmt {
	if g.one(6) {
		return stmt(string(o)+" = copied["+copiedTypes[o]+"]{}", o)
	}
	return stmt(pick(g, from...), o).scoped()
}

var copiedTypes = map[object]string{"cs": "sync.Mutex", "crw": "sync.RWMutex", "cg": "sync.WaitGroup", "co": "sync.Once", "cm": "sync.Map"}

func (g *generator) copiedRW() *Stmt {
	need := []object{"crw"}
	switch g.r.IntN(8) {
	case 0, 1:
		return &Stmt{Text: []string{"crw.l.RLock()", "crw.l.RUnlock()"}, Bodies: [][]*Stmt{g.inner(1)}, Needs: need}
	case 2, 3:
		return &Stmt{Text: []string{"crw.l.Lock()", "crw.l.Unlock()"}, Bodies: [][]*Stmt{g.inner(1)}, Needs: need}
	}
	return g.copied("crw", []string{"q := crw\nv = bit(q.l.TryLock())\nl.r(v)", "q := crw\nv = bit(q.l.TryRLock())\nl.r(v)", "q := crw\nq.l.Lock()",
		"v = int(atomic.LoadInt32((*int32)(unsafe.Add(unsafe.Pointer(&crw), 16)))) & 15\nl.r(v)", "q := crw\nq.l.RUnlock()", "crw.l.RLock()"})
}

func (g *generator) copiedMap() *Stmt {
	k, j := g.k(), 1+g.r.IntN(3)
	return g.copied("cm", []string{
		fmt.Sprintf("cm.l.Store(%d, %d)", j, k),
		fmt.Sprintf("cm.l.Store(%d, %d)", j, k),
		fmt.Sprintf("v = pair(cm.l.Load(%d))\nl.r(v)", j),
		fmt.Sprintf("cm.l.Delete(%d)", j),
		"cm.l.Clear()",
		"cm.l.Range(func(k, w any) bool {\nv = number(k)*10 + number(w)\nl.r(v)\nreturn true\n})",
		fmt.Sprintf("cm.l.Range(func(k, w any) bool {\nl.r(number(k))\ncm.l.LoadOrStore(%d, 1)\nreturn true\n})", j),
		"cm.l.Range(func(k, w any) bool {\nl.r(number(k))\ncm.l.Clear()\nreturn true\n})",
		fmt.Sprintf("q := cm\nv = pair(q.l.Load(%d))\nl.r(v)", j),
		fmt.Sprintf("q := cm\nq.l.Store(%d, %d)", j, k),
		"q := cm\nq.l.Clear()",
	})
}
