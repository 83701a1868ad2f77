package host

import (
	"go/ast"
	"go/types"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file says who may name a descriptor by its number, and what is silent where nobody does.
//
//	FD1  What os.OpenFile does to a descriptor by fcntl, after it has opened it and before it returns it, makes no
//	     event: it sets and resets O_NONBLOCK of an open file description that nobody has yet. Somebody could have it
//	     who guesses its number. For that he needs a function of package syscall, or os.NewFile, in code outside the
//	     standard library. Where a function there has one, or is declared without a body (it may stand for any by
//	     linkname), all of these calls are events.
//	FD2  Some functions of package syscall neither take nor return anything of a descriptor or a file, and change
//	     nothing that a file has: they send a signal, say who the process and its user are, end the process, have to
//	     do with the environment, or are methods of an error or a signal. A program that names no others cannot name
//	     a descriptor: `syscall.Kill(os.Getpid(), syscall.SIGTERM)` does not make all files one object.

// fcntl is the number of that system call.
const fcntl = 72

// Numbers is the name, in vm.Machine.Mentions, of what NamesDescriptors says.
const Numbers = "descriptors by number"

// NamesDescriptors reports whether the program could name a descriptor by its number: rule FD1.
func NamesDescriptors(p *program.Program) bool {
	for _, pkg := range p.Init {
		if pkg.Std || pkg.Info == nil {
			continue
		}
		for _, o := range pkg.Info.Uses {
			f, ok := o.(*types.Func)
			if ok && f.Pkg() != nil && (f.Pkg().Path() == "syscall" && !knowsNoFiles[f.FullName()] || f.FullName() == "os.NewFile") {
				return true
			}
		}
		for _, file := range pkg.Files {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
					return true
				}
			}
		}
	}
	return false
}

// knowsNoFiles has the functions of package syscall that rule FD2 is about.
var knowsNoFiles = map[string]bool{
	"syscall.Kill": true, "syscall.Exit": true,
	"syscall.Getpid": true, "syscall.Getppid": true, "syscall.Getpagesize": true,
	"syscall.Getuid": true, "syscall.Geteuid": true, "syscall.Getgid": true, "syscall.Getegid": true,
	"syscall.Getenv": true, "syscall.Setenv": true, "syscall.Unsetenv": true, "syscall.Clearenv": true, "syscall.Environ": true,
	"(syscall.Errno).Error": true, "(syscall.Errno).Is": true, "(syscall.Errno).Temporary": true, "(syscall.Errno).Timeout": true,
	"(syscall.Signal).String": true, "(syscall.Signal).Signal": true,
}

// Files is the name, in vm.Machine.Mentions, of what NamesFiles says.
const Files = "files"

// NamesFiles reports whether the program could tell what package kernel leaves out where it tells apart what calls
// touch (APART3, APART5): whether code outside the standard library names something that has the number of a
// descriptor or an inode, or that changes modes, links, names or the current folder. Methods count by their names,
// for an interface may have them.
func NamesFiles(p *program.Program) bool {
	if NamesDescriptors(p) {
		return true
	}
	for _, pkg := range p.Init {
		if pkg.Std || pkg.Info == nil {
			continue
		}
		for _, o := range pkg.Info.Uses {
			if o.Pkg() == nil {
				continue
			}
			switch o := o.(type) {
			case *types.TypeName:
				if o.Pkg().Path() == "syscall" && o.Name() == "Stat_t" {
					return true
				}
			case *types.Func:
				method := o.Signature().Recv() != nil
				if method && filesMethods[o.Name()] || !method && o.Pkg().Path() == "os" && filesFunctions[o.Name()] {
					return true
				}
			}
		}
	}
	return false
}

var (
	filesMethods   = map[string]bool{"Fd": true, "SyscallConn": true, "Chmod": true, "Chown": true, "Chdir": true, "Readdir": true, "ArtifactDir": true}
	filesFunctions = map[string]bool{
		"Chdir": true, "Chmod": true, "Chown": true, "Lchown": true, "Chtimes": true, "CopyFS": true, "Link": true, "Symlink": true, "Rename": true,
		"OpenRoot": true, "OpenInRoot": true,
	}
)

// opensFile reports whether os.OpenFile makes ready what it has just opened.
func opensFile(m *vm.Machine, g *vm.G) bool {
	if m.Mentions[Numbers] {
		return false
	}
	for i := len(g.Frames) - 1; i > 0 && g.Frames[i].Func.Silent; i-- {
		if g.Frames[i].Func.Name == "os.newFile" {
			name := g.Frames[i-1].Func.Name
			return name == "os.openFileNolog" || name == "os.rootOpenFileNolog"
		}
	}
	return false
}
