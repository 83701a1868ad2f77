package prelude

import (
	"encoding/binary"
	"fmt"
	"os"
)

// A SharedState is what a process of the harness left in the memory that it shared: the
// layout is that of the harness's own struct.
type SharedState struct {
	Program, Run int
	Logs         map[int]string
}

// LogEnd is a value in a log that stands for the end of a test.
const LogEnd = 0x7fff

const (
	sharedLogs   = 24
	sharedValues = 60
	sharedLog    = 8 + 8 + 8*sharedValues + 8 + 200
)

// ReadShared reads it from a file.
func ReadShared(name string) (s SharedState, err error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return s, err
	}
	if len(b) != sharedLogs+8*sharedLog {
		return s, fmt.Errorf("%s has %d bytes, want %d", name, len(b), sharedLogs+8*sharedLog)
	}
	word := func(at int) int { return int(int64(binary.LittleEndian.Uint64(b[at:]))) }
	s.Program, s.Run, s.Logs = word(0), word(8), map[int]string{}
	for n := range 8 {
		at := sharedLogs + n*sharedLog
		status := word(at)
		if status == 0 {
			continue
		}
		l := ""
		for j := range word(at + 8) {
			if v := word(at + 16 + 8*j); v != LogEnd {
				l += fmt.Sprintf(" %d", v)
			} else {
				l += " end"
			}
		}
		if status == 2 {
			l += " end"
		}
		s.Logs[n] = l
	}
	return s, nil
}
