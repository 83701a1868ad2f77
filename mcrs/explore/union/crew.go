package union

import (
	"runtime"
	"sync/atomic"

	"github.com/heddle-go/heddle/mcrs/explore/reduce"
)

// This file shares the expansions of a sweep among goroutines. Each expansion is a function of its state and of what
// the engine knows, which nobody changes meanwhile. So what comes of a batch does not depend on who did which part of
// it, nor on when, nor on how many they are.

// A job is a batch to expand. The engine takes from its end, where the states are that it left there last, and helpers
// take from its beginning. So each mostly goes on from states of its own making, which its processor has at hand.
type job struct {
	reducer  reduce.Reducer // a copy: what it refers to stays as it is until the job is done
	full     bool
	backward bool
	batch    []*expansion
	_        [64]byte
	left     atomic.Uint64 // the expansions that nobody has taken: the first, and the one after the last, in 32 bits each
	_        [64]byte
	done     atomic.Int32
}

// chunk is how many expansions are taken at a time.
const chunk = 8

// take takes some expansions, from the end or from the beginning.
func (j *job) take(last bool) []*expansion {
	for {
		left := j.left.Load()
		lo, hi := left>>32, left&(1<<32-1)
		if lo >= hi {
			return nil
		}
		n := min(chunk, hi-lo)
		from, to := lo, lo+n
		next := to<<32 | hi
		if last {
			from, to = hi-n, hi
			next = lo<<32 | from
		}
		if j.left.CompareAndSwap(left, next) {
			return j.batch[from:to]
		}
	}
}

func (j *job) wanted() bool {
	left := j.left.Load()
	return left>>32 < left&(1<<32-1)
}

// A Helper expands states for an engine, in another goroutine.
type Helper struct {
	e    *Engine
	at   *job
	hand hand
}

// NewHelper returns a helper of the engine. Share must be set, too.
func (e *Engine) NewHelper() *Helper {
	return &Helper{e: e, hand: hand{Reducer: new(reduce.Reducer)}}
}

// Wanted reports whether there is something to help with.
func (x *Helper) Wanted() bool {
	j := x.e.job.Load()
	return j != nil && j.wanted()
}

// Help helps, and reports whether there was something to help with.
func (x *Helper) Help() bool {
	if !x.Wanted() {
		return false
	}
	j := x.e.job.Load()
	if h := &x.hand; j != x.at {
		own := h.Scratch
		*h.Reducer = j.reducer
		h.Scratch, h.full, h.backward = own, j.full, j.backward
		x.at = j
	}
	j.work(&x.hand, false)
	return true
}

// expandAll expands a batch, with the helpers if there are any.
func (e *Engine) expandAll(batch []*expansion) {
	e.Values.Frozen = true
	defer func() { e.Values.Frozen = false }()
	if e.Share == nil {
		for _, x := range batch {
			e.tryExpand(x)
		}
		return
	}
	j := &job{reducer: *e.Reducer, full: e.full, backward: e.backward, batch: batch}
	j.left.Store(uint64(len(batch)))
	e.job.Store(j)
	e.Share()
	j.work(&e.hand, true)
	for int(j.done.Load()) < len(batch) {
		runtime.Gosched()
	}
}

// work expands what nobody has taken, until all is taken.
func (j *job) work(h *hand, last bool) {
	for xs := j.take(last); xs != nil; xs = j.take(last) {
		for _, x := range xs {
			h.tryExpand(x)
		}
		j.done.Add(int32(len(xs)))
	}
}
