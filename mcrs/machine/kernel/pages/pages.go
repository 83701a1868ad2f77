// Package pages keeps the bytes of a file, in pages of which those that were never written are holes.
package pages

// Size is that of a page.
const Size = 4096

// A Page is one of them.
type Page struct {
	Epoch uint64 // of the journal in which it was made
	B     [Size]byte
}

// ReadAt copies bytes from an offset on.
func ReadAt(pages map[int64]*Page, p []byte, off int64) {
	for done := 0; done < len(p); {
		i, o := (off+int64(done))/Size, (off+int64(done))%Size
		end := min(len(p), done+Size-int(o))
		if pg := pages[i]; pg != nil {
			copy(p[done:end], pg.B[o:])
		} else {
			clear(p[done:end])
		}
		done = end
	}
}

// Extent finds where the next data of a file of some size begin, -1 if there are none, or the next hole.
func Extent(pages map[int64]*Page, size, off int64, data bool) int64 {
	i := off / Size
	if data {
		if pages[i] != nil {
			return off
		}
		next := int64(-1)
		for j := range pages {
			if j > i && (next < 0 || j < next) {
				next = j
			}
		}
		if next < 0 {
			return -1
		}
		return next * Size
	}
	if pages[i] == nil {
		return off
	}
	for pages[i] != nil {
		i++
	}
	return min(i*Size, size)
}
