// Package digest says in a few bytes what a program's behaviour depends on, apart from the text around it. If a digest
// of two programs is equal, they behave alike in what the digest is of, though files, lines and comments differ.
//
// # What is digested
//
//	DIG1 A declaration of a function: its syntax, without positions and comments, the language version of its file,
//	     and what each identifier in it stands for outside of it. That is a constant with its value, a variable,
//	     function or type with its type, an import with its path, or nothing. A local identifier is looked up too.
//	     That costs nothing, and it notices a package-level name that an edit adds or takes away. Types tell what
//	     stands for a method or a field. They are in the shell.
//	DIG2 The shell of the program: which packages it is made of, in the order of their initialisation. Of each package
//	     of the user's it has the variables with their initialisers in the order of initialisation, the types that
//	     these reach (DIG4), the init functions, what //go:linkname and //go:embed say, and the contents of embedded
//	     files. It has no other functions, nor their bodies.
//	DIG3 The lines of a declaration: its file and the line of each token. Only code that asks for positions depends on
//	     them. Code that writes a position to a log depends on how many characters that has.
//	DIG4 A type that is declared outside of functions: what it stands for, with tags, its type parameters, and its
//	     methods. Code reaches the types of its expressions, what these are made of, and what their methods take and
//	     give, and so on.
//
// Packages of the standard library are known by the toolchain's version, which is not in here.
//
// # Why a function's digest is enough
//
// go/types and go/ssa make the code of a function from its syntax, the language version, what its identifiers stand
// for, and the types of these. Syntax and version are in DIG1. An identifier is resolved in one of three ways:
//
//   - In a local scope, which is syntax.
//   - In the scope of the package, the file or the universe, which DIG1 looks up.
//   - As a field or method of a type, whose parts are in DIG4.
//
// The type of an object of the package is in DIG1. What the type is made of is in DIG4, for the declaration reaches it.
// A constant's value is in DIG1. A type that the function declares is in its syntax. The compiler numbers such types
// within a package, and their full names show the number. It is in DIG1 where there is such a type.
//
// So a record has to have, beside the declarations that executions have called, the types that these reach. A value's
// type is one of them, or one that the shell has: code that was called has made the value, or reflection has made the
// type of parts of others. So what an assertion finds of methods, and reflection of fields, follows from these
// digests. ∎
package digest
