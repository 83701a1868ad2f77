package main

func pick(a, b int) int {
	if a > 0 {
		b = -b
		println(b)
		return a + 1
	}
	return b
}
