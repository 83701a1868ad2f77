package main

import (
	"fmt"
	"runtime/metrics"
)

// The bounds of the buckets of the runtime's histograms.
func main() {
	for _, d := range metrics.All() {
		if d.Kind != metrics.KindFloat64Histogram {
			continue
		}
		s := []metrics.Sample{{Name: d.Name}}
		metrics.Read(s)
		h := s[0].Value.Float64Histogram()
		sum := 0.0
		for _, b := range h.Buckets[1 : len(h.Buckets)-1] {
			sum += b
		}
		fmt.Println(d.Name, len(h.Counts), len(h.Buckets), h.Buckets[0], h.Buckets[1], h.Buckets[2], h.Buckets[len(h.Buckets)-2], sum)
	}
}
