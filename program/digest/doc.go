// Package digest says in a few bytes what a program's behaviour depends on, apart from the text around it. Two programs of which a digest is equal
// behave alike in what the digest is of, though files, lines and comments differ.
//
// # What is digested
//
//	DIG1 A declaration of a function: its syntax, without positions and comments, the language version of its file, and what each identifier in it
//	     stands for outside of it: a constant with its value, a variable, function or type with its type, an import with its path, or nothing. An
//	     identifier that is local is looked up too: that costs nothing, and a package-level name that an edit adds or takes away is noticed.
//	     What stands for a method or a field is told by types, which are in the shell.
//	DIG2 The shell of the program: which packages it is made of, in the order of their initialisation; and of each package of the user's the types with
//	     their fields, tags and methods, the variables with their initialisers in the order of initialisation, the init functions, what
//	     //go:linkname and //go:embed say, and the contents of embedded files. Bodies of other functions, and the functions themselves, are not in it.
//	DIG3 The lines of a declaration: its file and the line of each token. Only who asked for positions depends on them.
//
// Packages of the standard library are known by the toolchain's version, which is not in here.
//
// # Why a function's digest is enough
//
// go/types and go/ssa make the code of a function from its syntax, the language version, what its identifiers stand for, and the types of these. Syntax
// and version are in DIG1. An identifier is resolved in a local scope, which is syntax; in the scope of the package or the file or the universe, which
// DIG1 looks up; or as a field or method of a type, whose parts are in DIG2. The type of an object of the package is in DIG1, and what it is made of in DIG2,
// all types of the program being there. A constant's value is in DIG1. ∎
package digest
