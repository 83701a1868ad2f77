// Recursion without end in an initialiser.
//
// Want: exit [12]
// Want: stack
package main

func f(n int) int { return f(n+1) + 1 }

var x = f(0)

func main() { println(x) }
