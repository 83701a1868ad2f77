// Package branches has a branch that chooses a result.
package branches

func pick(a, b int) int {
	if a > 0 {
		b = -b
		println(b)
		return a + 1
	}
	return b
}
