package module

// XSync is the module that is explored most: golang.org/x/sync.
const XSync = "golang.org/x/sync@v0.24.0"

// XSyncPackages are its packages with tests, relative to it.
var XSyncPackages = []string{"errgroup", "semaphore", "singleflight"}
