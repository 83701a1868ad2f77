package audit

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// This file compares what dumps say of an object.

// Differences lists what differs between two dumps, but for what the list allows.
func Differences(a, b *Dump) []string { return differences(a, b, nil) }

// butNumbers is Differences, but for the number of an element among those of its channel. Union lets sends, and
// receives, of equal elements commute (RED17 of package reduce). Nobody is told the number (trace.Reply); the elements
// and what the channel holds are compared. It says which send a receive knows of: that orders accesses for the race
// detector, and union finds races by states in which two accesses are next to each other, where no such number counts.
// (Where it must know who knows of whom, it does not use RED17.)
func butNumbers(a, b *Dump) []string {
	return differences(a, b, func(x, y string) bool {
		p, q := ofElement.FindStringSubmatch(x), ofElement.FindStringSubmatch(y)
		return p != nil && q != nil && p[1] == q[1]
	})
}

// ofElement is an event that sends an element to a channel with room, or receives one from it, without its number.
var ofElement = regexp.MustCompile(`^(.*Kind:(?:send|receive) .*) other \d+$`)

// differences is Differences, but for values that are alike.
func differences(a, b *Dump, alike func(x, y string) bool) (out []string) {
	if slices.Equal(a.lines, b.lines) {
		return nil
	}
	one, other := a.byPath(), b.byPath()
	all := maps.Clone(one)
	maps.Copy(all, other)
	for _, k := range slices.Sorted(maps.Keys(all)) {
		x, okX := one[k]
		y, okY := other[k]
		if okX == okY && x == y || okX && okY && strings.HasPrefix(k, "memory ") && heldAlike(a, b, x, y) || okX && okY && alike != nil && alike(x, y) {
			continue
		}
		if !okX {
			x = "(not there)"
		}
		if !okY {
			y = "(not there)"
		}
		out = append(out, fmt.Sprintf("%s: %s, and %s", k, x, y))
	}
	return out
}

// heldAlike reports whether two texts of one object differ only in the number of the goroutine that holds a lock. The
// second word of a lock in use is the number of its holder plus one. The two numbers must name one goroutine.
func heldAlike(a, b *Dump, x, y string) bool {
	headX, hexX, _ := cutLast(x)
	headY, hexY, _ := cutLast(y)
	p, errP := hex.DecodeString(hexX)
	q, errQ := hex.DecodeString(hexY)
	if headX != headY || len(p) != len(q) || errP != nil || errQ != nil {
		return false
	}
	for i := 0; i+4 <= len(p); i += 4 {
		m, n := binary.LittleEndian.Uint32(p[i:]), binary.LittleEndian.Uint32(q[i:])
		if m == n {
			continue
		}
		if i < 4 || binary.LittleEndian.Uint32(p[i-4:]) != 1 || m == 0 || n == 0 || int(m) > len(a.names) || int(n) > len(b.names) || a.names[m-1] != b.names[n-1] {
			return false
		}
	}
	return slices.Equal(p[len(p)&^3:], q[len(q)&^3:])
}

// cutLast cuts a text at its last space.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
