// C code.
//
// Want: exit 1
// Want: cgo|unsupported|C
package main

// #include <stdlib.h>
// #cgo pkg-config: hostile
// static void evil(void) { system("touch cgo-was-here"); }
import "C"

func main() { C.evil() }
