package driver

import (
	"sync"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes/exploration"
)

// This file tells in one order what several goroutines have to tell.

// A stream is what one of them tells, and the streams of others that it has made room for. It is told by one
// goroutine, as it comes.
type stream struct {
	// meet says that who tells something waits until it was told.
	meet bool

	mu    sync.Mutex
	items []item
	ended bool
	left  bool // nobody listens any more
	more  chan struct{}
}

// An item is something to tell, or the stream that stands there.
type item struct {
	tell func()
	told chan struct{} // closed then, if somebody waits for that
	in   *stream
}

func newStream(meet bool) *stream { return &stream{meet: meet, more: make(chan struct{}, 1)} }

// put adds an item.
func (s *stream) put(x item) {
	s.mu.Lock()
	if s.left {
		s.mu.Unlock()
		return
	}
	if s.meet && x.tell != nil {
		x.told = make(chan struct{})
	}
	s.items = append(s.items, x)
	s.mu.Unlock()
	s.wake()
	if x.told != nil {
		<-x.told
	}
}

func (s *stream) wake() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// part makes room for a stream.
func (s *stream) part() *stream {
	out := newStream(s.meet)
	s.put(item{in: out})
	return out
}

// end says that nothing follows.
func (s *stream) end() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.wake()
}

// tell tells what there is, until the end. If stop is closed before there was anything it leaves, and reports that.
func (s *stream) tell(stop <-chan struct{}) (left bool) {
	for {
		s.mu.Lock()
		items, ended := s.items, s.ended
		s.items = nil
		s.mu.Unlock()
		for _, x := range items {
			stop = nil
			if x.in != nil {
				x.in.tell(nil)
				continue
			}
			if x.tell(); x.told != nil {
				close(x.told)
			}
		}
		if len(items) > 0 {
			continue
		}
		if ended {
			return false
		}
		select {
		case <-s.more:
		case <-stop:
			if s.leave() {
				return true
			}
			stop = nil
		}
	}
}

// leave stops listening, unless there is something.
func (s *stream) leave() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = len(s.items) == 0 && !s.ended
	return s.left
}

// watcher has w told through the stream.
func (s *stream) watcher(w exploration.Watcher) exploration.Watcher {
	out := w
	if w.Began != nil {
		out.Began = func(r *exploration.Result, entries []string) { s.put(item{tell: func() { w.Began(r, entries) }}) }
	}
	if w.Progress != nil {
		out.Progress = func(at explore.Place, p explore.Progress) { s.put(item{tell: func() { w.Progress(at, p) }}) }
	}
	if w.Settled != nil {
		out.Settled = func(r *exploration.Result, e *exploration.EntryResult) { s.put(item{tell: func() { w.Settled(r, e) }}) }
	}
	out.Next = func() (exploration.Watcher, func()) {
		part := s.part()
		return part.watcher(w), part.end
	}
	return out
}
