package vm

import (
	"testing"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// TestFramesEndInTheirChunk checks that no frame ends where its chunk does. A callee's frame would begin behind the
// chunk, and a pointer there ends the process ("found bad pointer in Go heap") if the collector meets it.
func TestFramesEndInTheirChunk(t *testing.T) {
	h := &Heap{Mem: new(mem.Memory)}
	g := new(G)
	for _, words := range []int{FirstChunk, 2 * FirstChunk, 100, FirstChunk} {
		p := h.AddChunk(g, words)
		ch := g.Chunks[len(g.Chunks)-1]
		if last := uintptr(unsafe.Pointer(&ch[len(ch)-1])); p != unsafe.Pointer(&ch[0]) || g.limit > last {
			t.Errorf("a chunk of %d words: frames may end %d bytes behind its last word", words, g.limit-last)
		}
		g.spare = ch // the next one of the same size takes it
	}
}
