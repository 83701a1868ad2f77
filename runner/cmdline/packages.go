package cmdline

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Packages makes patterns for the go command of arguments. A file stands for the package of its folder, and a folder
// needs no "./". Everything else is left for the go command to understand.
func Packages(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		p, err := pattern(arg)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}

func pattern(arg string) (string, error) {
	info, err := os.Stat(arg)
	switch {
	case err != nil && strings.HasSuffix(arg, ".go"):
		return "", fmt.Errorf("%s: no such file", arg)
	case err != nil:
		return arg, nil
	case info.IsDir() && inStd(arg):
		return arg, nil
	case info.IsDir():
		return dotted(arg), nil
	case strings.HasSuffix(arg, ".go"):
		return dotted(filepath.Dir(arg)), nil
	}
	return "", fmt.Errorf("%s is no Go file: name packages, folders or .go files", arg)
}

// dotted is the form in which the go command takes a path for that of a folder.
func dotted(dir string) string {
	dir = filepath.ToSlash(filepath.Clean(dir))
	if filepath.IsAbs(dir) || dir == "." || dir == ".." || strings.HasPrefix(dir, "../") {
		return dir
	}
	return "./" + dir
}

// inStd reports whether the go command takes a path for that of a package of the standard library.
func inStd(path string) bool {
	path = filepath.ToSlash(path)
	if path == "" || path[0] == '.' || filepath.IsAbs(path) {
		return false
	}
	info, err := os.Stat(filepath.Join(build.Default.GOROOT, "src", path))
	return err == nil && info.IsDir()
}

// IsWord reports whether an argument is a bare word, as a command is, that names no folder and no package of the
// standard library.
func IsWord(arg string) bool {
	if arg == "" || strings.ContainsAny(arg, `./\=:@`) || slices.Contains([]string{"all", "std", "cmd", "tool", "work"}, arg) || inStd(arg) {
		return false
	}
	_, err := os.Stat(arg)
	return err != nil
}
