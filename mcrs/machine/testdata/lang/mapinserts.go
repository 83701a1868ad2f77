// An iteration over a map into which its loop puts entries meets each old one once, and comes to an end.
package main

import (
	"fmt"
	"maps"
	"reflect"
)

func old(met map[string]int, k string) {
	if len(k) == 1 {
		met[k]++
	}
}

func letters() map[string]int {
	return map[string]int{"a": 1, "b": 2, "c": 3}
}

func main() {
	m, met := letters(), map[string]int{}
	for k, v := range m {
		old(met, k)
		m["bright-"+k] = v + 8
	}
	fmt.Println("range", met)

	m, met = letters(), map[string]int{}
	for k := range maps.Keys(m) {
		old(met, k)
		m["bright-"+k] = 1
	}
	fmt.Println("maps.Keys", met)

	m, met = letters(), map[string]int{}
	for it := reflect.ValueOf(m).MapRange(); it.Next(); {
		old(met, it.Key().String())
		m["bright-"+it.Key().String()] = 1
	}
	fmt.Println("reflect", met)

	m, met = letters(), map[string]int{} // one that is taken out is not met; one that comes in again may be
	for k := range m {
		old(met, k)
		delete(m, k)
		m["bright-"+k] = 1
		delete(m, "bright-"+k)
	}
	fmt.Println("delete", met, len(m))

	steps := 0
	m = letters()
	for k := range m {
		clear(m)
		m[k+"!"] = 1
		if steps++; steps > 100 {
			break
		}
	}
	fmt.Println("clear", steps <= 100, len(m))

	many, seen := map[int]bool{}, 0
	for i := range 1000 {
		many[i] = true
	}
	for i := range many {
		if i < 1000 {
			seen++
		}
		many[i+1000] = true
	}
	fmt.Println("many", seen, len(many) >= 2000)

	nested := 0
	m = letters()
	for range m { // each iteration has its own end
		for k := range m {
			if nested++; nested > 1000 {
				break
			}
			m[k+"x"] = 1
		}
		if nested > 1000 {
			break
		}
	}
	fmt.Println("nested", nested <= 1000)
}
