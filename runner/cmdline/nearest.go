package cmdline

import (
	"fmt"
	"strings"
)

// DidYouMean is "; did you mean PREFIXname?" for the known name that a word may be a slip of, "" if there is none.
func DidYouMean(prefix, word string, known []string) string {
	if n := Nearest(word, known); n != "" {
		return fmt.Sprintf("; did you mean %s%s?", prefix, n)
	}
	return ""
}

// Nearest is the known name that a misspelt word may mean, "" if there is none. It is one that the word begins. Else it
// is the first of those with the fewest letters to change, if those are at most a third of its letters.
func Nearest(word string, known []string) string {
	word = strings.ToLower(word)
	best, least := "", max(len(word)/3, 1)+1
	for _, k := range known {
		name := strings.ToLower(k)
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			return k
		}
		if d := distance(word, name); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is the number of letters to insert, to drop, to replace or to swap with the next one to make b of a (optimal
// string alignment).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
