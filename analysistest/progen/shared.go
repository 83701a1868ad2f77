package progen

import (
	"encoding/binary"
	"fmt"
	"os"
)

// What a process of the harness left in the memory that it shared: the layout is that of the harness's own struct.
type sharedState struct {
	program, run int
	logs         map[int]string
}

const (
	sharedLogs   = 24
	sharedValues = 60
	sharedLog    = 8 + 8 + 8*sharedValues + 8 + 200
)

func readShared(name string) (s sharedState, err error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return s, err
	}
	if len(b) != sharedLogs+8*sharedLog {
		return s, fmt.Errorf("%s has %d bytes, want %d", name, len(b), sharedLogs+8*sharedLog)
	}
	word := func(at int) int { return int(int64(binary.LittleEndian.Uint64(b[at:]))) }
	s.program, s.run, s.logs = word(0), word(8), map[int]string{}
	for n := range 8 {
		at := sharedLogs + n*sharedLog
		status := word(at)
		if status == 0 {
			continue
		}
		l := ""
		for j := range word(at + 8) {
			if v := word(at + 16 + 8*j); v != logEnd {
				l += fmt.Sprintf(" %d", v)
			} else {
				l += " end"
			}
		}
		if status == 2 {
			l += " end"
		}
		s.logs[n] = l
	}
	return s, nil
}
