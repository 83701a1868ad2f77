//go:build (cgo || z3) && (linux || darwin) && (amd64 || arm64)

package z3

import "github.com/ebitengine/purego"

// A program that can load libraries needs the system's loader and its C library. One that is built without cgo stays
// free of both, and runs anywhere, unless the tag z3 asks for it.
func init() {
	dlopen = func(name string) (uintptr, error) { return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL) }
	bind = func(handle uintptr, name string, f any) error {
		at, err := purego.Dlsym(handle, name)
		if err != nil {
			return err
		}
		purego.RegisterFunc(f, at)
		return nil
	}
}
