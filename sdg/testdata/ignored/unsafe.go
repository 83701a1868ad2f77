package ignored

import "unsafe"

type counter struct{ n int }

func count(p *counter) {
	p.n++ // @act
}

func second(p *counter) int { return *(*int)(unsafe.Pointer(p)) } // @act
