// Package outside has external tests alone.
package outside

// A Box holds a number.
type Box struct{ n int }

// Put puts one in.
func (b *Box) Put(n int) {
	b.n = n // want "data race"
}
