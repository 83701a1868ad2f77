package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand"
	"strconv"
	"unicode"
)

// This program shows what tables of the standard library hold: package variables that no initialiser sets when it is compiled.

func ranges(tables map[string]*unicode.RangeTable) uint64 {
	sum := uint64(0)
	for name, t := range tables {
		h := fnv.New64()
		fmt.Fprint(h, name, *t, cap(t.R16), cap(t.R32))
		sum += h.Sum64()
	}
	return sum
}

func main() {
	fmt.Println(ranges(unicode.Categories), ranges(unicode.Scripts), ranges(unicode.Properties), ranges(unicode.FoldCategory))
	h := fnv.New64()
	fmt.Fprint(h, unicode.CaseRanges, *unicode.GraphicRanges[1])
	fmt.Println(h.Sum64())
	for _, r := range "aÀßΣžǅⅷﬀ𐐀" {
		fmt.Print(string(unicode.ToUpper(r)), string(unicode.ToLower(r)), string(unicode.SimpleFold(r)), unicode.IsLetter(r), " ")
	}
	fmt.Println()
	fmt.Println(unicode.Lu == unicode.Upper, unicode.Lu.LatinOffset, unicode.White_Space.R16[0])

	for _, f := range []float64{1e-300, math.Pi, 5e-324, 1.7976931348623157e308, 123456789.125} {
		s := strconv.FormatFloat(f, 'g', -1, 64)
		g, err := strconv.ParseFloat(s, 64)
		fmt.Println(s, strconv.FormatFloat(f, 'e', 17, 64), g == f, err)
	}
	r := rand.New(rand.NewSource(7))
	fmt.Println(r.Int63(), r.NormFloat64(), r.ExpFloat64())
}
