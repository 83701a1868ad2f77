// Package docs runs what the documentation shows. In a Markdown file
//
//	<!-- file account/account.go -->
//
// before a fenced block makes the block a file of a small module, and
//
//	<!-- output -->
//
// before a fenced block that begins with "$ heddle …" compares the rest of the block with what the command prints in that module, first
// to standard output, then to standard error. A command that only differs in its replay tokens passes if the toolchain is another than the page's
// (<!-- go go1.26.8 -->), since tokens name it. `go test ./internal/docs -update` writes the outputs anew.
package docs
