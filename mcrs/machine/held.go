package machine

import (
	"bytes"
	"io"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// A held has what initialisers have written under heddle run since the last freeze: what is rolled back was not said.
type held struct {
	m    *vm.Machine
	to   vm.Streams
	said []said
}

type said struct {
	to   io.Writer
	text []byte
}

// holds is one of its streams.
type holds struct {
	h  *held
	to io.Writer
}

// Write implements io.Writer.
func (w holds) Write(p []byte) (int, error) {
	w.h.said = append(w.h.said, said{w.to, bytes.Clone(p)})
	return len(p), nil
}

// hold begins to hold.
func hold(m *vm.Machine) *held {
	h := &held{m: m, to: m.Out}
	if m.Mode == vm.Running {
		m.Out = vm.Streams{Stdout: holds{h, h.to.Stdout}, Stderr: holds{h, h.to.Stderr}}
	}
	return h
}

// tell writes what is held.
func (h *held) tell() {
	for _, s := range h.said {
		s.to.Write(s.text)
	}
	h.said = nil
}

// end tells what is held, and no longer holds.
func (h *held) end() {
	h.tell()
	h.m.Out = h.to
}
