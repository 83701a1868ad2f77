package b

import "a"

// Second ignores what First ignores.
func Second(x, y int) int { // want Second:`outcomes by \[10 0\], values by \[10 0\]$`
	return a.First(y, x)
}

// Remember and ask: what is kept is found again.
func Remember(x int) int { // want Remember:`outcomes by \[0 0\], values by \[0 0\], memory`
	a.Keep(x)
	return a.Kept()
}
