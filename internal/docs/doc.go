// Package docs runs what the documentation shows. In a Markdown file
//
//	<!-- file account/account.go -->
//
// before a fenced block makes the block a file of a small module, and
//
//	<!-- output -->
//
// before a fenced block that begins with "$ heddle …" compares the rest of the block with what the command prints in
// that module, first to standard output, then to standard error. Replay tokens name the toolchain. So if it is another
// than the page's (<!-- go go1.26.8 -->), they may differ. `go test ./internal/docs -update` writes the outputs anew.
package docs
