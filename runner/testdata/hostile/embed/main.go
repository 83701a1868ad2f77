// Files outside the package, embedded.
//
// Want: exit 1
// Want: invalid pattern|pattern
package main

import _ "embed"

//go:embed ../../secret
var secret string

func main() { println(secret) }
