package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// This file is heddle vet: go vet with heddle as its tool, for callers that have file names, such as hooks of version
// control.

// vetCommand runs go vet on the packages of files.
func (c *cli) vetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "vet [flags of go vet] [files or folders]",
		Short: "run go vet with heddle on the packages of files",
		Long: `The packages are those of the files' folders, in each module of theirs; go vet caches what it finds. Folders named testdata or vendor are
left out, as are those of names with a dot or an underscore in front, and files that are gone.`,
		Example:            "\theddle vet pool/pool.go pool/pool_test.go\n\theddle vet -incomplete ./pool",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if len(args) > 0 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
				return cmd.Help()
			}
			c.code, err = vetFiles(args, c.std)
			return err
		},
	}
}

// vetFiles runs go vet in the module of each file.
func vetFiles(args []string, std Streams) (int, error) {
	exe, err := os.Executable()
	if err != nil {
		return exitFailure, err
	}
	n := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if n < 0 {
		n = len(args)
	}
	folders, err := foldersOf(args[n:])
	if err != nil {
		return exitFailure, fmt.Errorf("vet: %w", err)
	}
	code := exitOK
	for _, root := range slices.Sorted(maps.Keys(folders)) {
		cmd := exec.Command("go", slices.Concat([]string{"vet", "-vettool=" + exe}, args[:n], folders[root])...)
		cmd.Dir, cmd.Stdin = root, std.In
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit):
			code = exit.ExitCode()
		case err != nil:
			return exitFailure, fmt.Errorf("vet: %w", err)
		}
		writeBelow(std.Out, root, out.String())
		writeBelow(std.Err, root, errs.String())
	}
	return code, nil
}

// foldersOf returns the folders of files, as patterns below the roots of their modules.
func foldersOf(names []string) (map[string][]string, error) {
	out := make(map[string][]string)
	for _, name := range names {
		dir := filepath.Clean(name)
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, os.ErrNotExist): // a file that a commit removes
			dir = filepath.Dir(dir)
			if _, err := os.Stat(dir); err != nil {
				continue
			}
		case err != nil:
			return nil, err
		case !info.IsDir():
			dir = filepath.Dir(dir)
		}
		if left(dir) {
			continue
		}
		root, err := moduleOf(dir)
		if err != nil {
			return nil, err
		}
		rel, err := below(root, dir)
		if err != nil {
			return nil, err
		}
		if p := "./" + filepath.ToSlash(rel); !slices.Contains(out[root], p) {
			if goFiles(dir) {
				out[root] = append(out[root], p)
			}
		}
	}
	return out, nil
}

// below returns the path of dir from root, which is dir or above it, and may be "..".
func below(root, dir string) (string, error) {
	from, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.Rel(from, to)
}

func goFiles(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return err == nil && len(files) > 0
}

// left reports whether the go command leaves a folder out of ./... .
func left(dir string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(dir), "/"), func(e string) bool {
		return e == "testdata" || e == "vendor" || e != "." && e != ".." && (strings.HasPrefix(e, ".") || strings.HasPrefix(e, "_"))
	})
}

// moduleOf returns the nearest folder, dir or above it, with a go.mod; as a relative path where dir is one.
func moduleOf(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for d, rel := abs, dir; ; d, rel = filepath.Dir(d), filepath.Join(rel, "..") {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return rel, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("%s is in no module: there is no go.mod in it or above", dir)
		}
	}
}

var position = regexp.MustCompile(`(?m)^(?:vet: )?(?:\./)?([^\s:]+\.go:\d+)`)

// writeBelow writes what go vet wrote in a folder, with file names from here.
func writeBelow(w io.Writer, root, text string) {
	if root != "." {
		text = position.ReplaceAllStringFunc(text, func(s string) string {
			m := position.FindStringSubmatch(s)
			if filepath.IsAbs(m[1]) {
				return s
			}
			return strings.Replace(s, m[1], filepath.ToSlash(filepath.Join(root, m[1])), 1)
		})
	}
	io.WriteString(w, text)
}
