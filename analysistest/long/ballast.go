// This file spares the test binaries collections of garbage.

package long

// ballast is memory that nobody touches, so it takes up address space alone. The runtime begins a collection when as
// much has been allocated as was alive after the last one. Most tests have a few MiB alive. Without the ballast they
// spent a third of their processor time on hundreds of collections a second.
var ballast []byte

func init() { ballast = make([]byte, 128<<20) }
