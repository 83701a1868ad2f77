package a

var state int

// First returns its first parameter.
func First(x, y int) int { return x } // want First:`outcomes by \[1 0\], values by \[1 0\]$`

// Pick returns one of two; the third chooses.
func Pick(x, y int, c bool) int { // want Pick:`outcomes by \[111 0\], values by \[111 0\]$`
	if c {
		return x
	}
	return y
}

// Keep remembers its parameter.
func Keep(x int) { state = x } // want Keep:`outcomes by \[0\], values by \[0\], memory`

// Kept returns what was remembered, through a function that does.
func Kept() int { return load() } // want Kept:`outcomes by \[0 0\], values by \[0 0\], memory`

func load() int { return state } // want load:`outcomes by \[0 0\], values by \[0 0\], memory`

// A Pair has two parts.
type Pair struct{ X, Y int }

// Sum adds them; its receiver is a value.
func (p Pair) Sum(n int) (int, int) { return p.X + p.Y, n } // want Sum:`outcomes by \[1 10 0\], values by \[1 10 0\]$`

// Apply calls what it is given, which may do anything.
func Apply(f func(int) int, x int) int { return f(x) } // want Apply:`outcomes by \[11 0\], values by \[11 0\], memory`

// Generic is not known for all types.
func Generic[T any](x, y T) T { return x } // want Generic:`outcomes by \[11 11\], values by \[11 11\]`
