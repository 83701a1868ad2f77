package spec

// This file performs additions whose results nobody looks at: rule UMEM3.

// sum adds to the word that some cells make up, little end first.
func sum(k *Rules, s *State, cells []int32, delta uint64) {
	carry := uint64(0)
	for _, c := range cells {
		b := []byte(k.Values.Raw[k.Get(s, c)])
		for i := range b {
			carry += uint64(b[i]) + delta&0xff
			b[i], carry, delta = byte(carry), carry>>8, delta>>8
		}
		k.Set(s, c, k.Values.Of(b))
	}
}
