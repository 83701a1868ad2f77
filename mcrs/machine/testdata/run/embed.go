package main

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed embedded/a.txt
var text string

//go:embed embedded/a.txt
var data []byte

//go:embed embedded
var tree embed.FS

//go:embed all:embedded
var all embed.FS

func list(f fs.FS) {
	fs.WalkDir(f, ".", func(path string, d fs.DirEntry, err error) error {
		fmt.Println(path, d.IsDir(), err)
		return nil
	})
}

func main() {
	data[0] = 'H'
	fmt.Println(text, string(data))
	list(tree)
	list(all)
	b, err := tree.ReadFile("embedded/sub/b.txt")
	fmt.Println(string(b), err)
	_, err = fs.Stat(tree, "embedded/_hidden/c.txt")
	fmt.Println(err)
}
