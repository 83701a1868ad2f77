// Package program turns packages, as `go vet` takes them, into closed programs in go/ssa form.
//
// # The way through
//
//	patterns --List--> []*Recipe --Universe.Build--> *Program
//
// A [Recipe] says what one closed program is made of. That is the test binary of a package (the package with its
// in-package tests, its external test package, and what is compiled again for them), or a main package. A recipe names
// files, imports, language versions and content digests. It holds no syntax, and is small enough to travel as an
// analysis fact. There are three ways to one:
//
//   - [List] makes recipes with one run of `go list`.
//   - [Compose] makes one from the entry of a package and its dependencies' recipes, as a vet tool must.
//   - [Recipe.Complete] reads the entries of standard packages from GOROOT, with `go env` as its only question to the
//     go command.
//
// A [Universe] turns recipes into programs. It parses and type-checks each package once for all programs of a run,
// under one token.FileSet and one ssa.Program. SSA bodies are built when [Program.Build] first asks for one of a
// package. With [Config].LateBodies each body is built when [Program.Body] asks for it, and most of the standard
// library are not even type-checked before: a small test calls one in twenty (late.go). They are not even parsed before
// the first one of their file is asked for (latefile.go). Its large tables are in no syntax tree: package tables says
// what a variable holds.
//
// # How it differs from what the go command would build
//
//   - The standard library is selected with CGO_ENABLED=0 and the tags purego, math_big_pure_go and noasm, so that most
//     of it has Go bodies. User packages are selected as the user's go command does it, with cgo or without; but those
//     that have assembly are selected with these tags too, by which modules are asked to do without (userfiles.go).
//   - User packages with files that import "C" are type-checked from those raw files, with a fake package C. No
//     function of such a package has a body and none of its variables an initialiser; [Package.Cgo] is set. A machine
//     that meets one in [Program.Init] has to say that the program is incomplete.
//   - Function bodies of boundary packages ([Config].Boundary) are dropped before type-checking, unless KeepBody keeps
//     them.
//   - Overlay files ([Config].Overlay) are added to standard packages.
//   - The generated main package of a test binary is left out: the caller runs [Program.Entries] itself.
//   - Package initialisers are bare (ssa.BareInits): a package's init function initialises that package alone. Run
//     those of [Program.Init] in their order, which is the Go linker's.
//
// All packages are built with DebugRefs. A user's GOEXPERIMENT is honoured where go list makes the recipe, but not by
// [Recipe.Complete].
//
// # Evaluation order
//
// go/ssa reads a variable before the calls that stand to its right in the same statement, the compiler after them. The
// language specification allows both. But only the compiler's order agrees with what programs rely on (for instance
// `return v, g.Wait()`). [Program.Build] has package gcorder move the reads.
package program
