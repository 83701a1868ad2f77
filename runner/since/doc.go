// Package since tells which findings are new since a revision of a git repository: -new-from-rev.
//
// # Rules
//
//	SINCE1 A package is unchanged if no file has changed that its entries can depend on: a file in the folder of a
//	       package that it is made of, an embedded one, one below its own folder (tests may read that), go.mod,
//	       go.sum, go.work, vendor/modules.txt. Changed are files that are staged, not staged, or not tracked. An
//	       unchanged package is not explored: it is what it was. One with Go files that git ignores, or that are
//	       outside of the repository, may have changed.
//	SINCE2 A finding is new if its operations, or the functions that led to them, stand in a declaration that has
//	       changed. Comments, layout and where a declaration stands do not count.
//	SINCE3 Else it is new if it was not there at the revision: the package is explored as it was then, with the
//	       same flags. It was there if an entry of the package showed one of the same check, with the same
//	       functions and texts of lines; names of files and folders do not count, for they may have been renamed (git
//	       tells that, of files that are not tracked as well).
//	SINCE4 What cannot be told is new: where the package cannot be explored as it was then, a line says why.
//
// SINCE2 alone would miss what an old race means to a new observer: code that nobody looked at before. SINCE3 finds it.
//
// # The package as it was then
//
// The files of the revision, those of submodules with them, are written to a folder for temporary files. Nothing is
// written to the repository. Go files that git ignores, as generated ones may be, are taken as they are now.
package since
