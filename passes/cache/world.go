package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// A Seen is something of the host that a program has learnt (KEY8).
type Seen struct {
	Path, Digest string
}

// Look digests what is at a path: a file's contents and whether it may be run, a folder's list, where a link leads, or
// that nothing is there. It looks at more than the program can have learnt.
func Look(path string) string {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "missing"
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		return fmt.Sprint("link ", to, " ", err != nil)
	case info.IsDir():
		return lookDir(path)
	case !info.Mode().IsRegular():
		return "other"
	}
	f, err := os.Open(path)
	if err != nil {
		return "closed"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "unreadable"
	}
	return fmt.Sprintf("file %o %d %s", info.Mode().Perm(), info.Size(), hex.EncodeToString(h.Sum(nil)[:12]))
}

func lookDir(path string) string {
	list, err := os.ReadDir(path)
	if err != nil {
		return "closed folder"
	}
	var b strings.Builder
	for _, e := range list {
		size, perm := int64(0), fs.FileMode(0)
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			size, perm = info.Size(), info.Mode().Perm()
		}
		fmt.Fprintf(&b, "%q %v %v %d\n", e.Name(), e.Type(), perm, size)
	}
	return "folder " + Hash([]byte(b.String()))
}

// Same reports whether the host is as it was seen.
func Same(world []Seen) bool {
	for _, s := range world {
		if Look(s.Path) != s.Digest {
			return false
		}
	}
	return true
}
