package module

// A Package is a package of a module that is fetched, in its Folder of it.
type Package struct {
	Name    string // of a row
	Version string // of the module, path@version
	Folder  string
}

// Packages are packages whose tests take seconds, most of them.
var Packages = []Package{
	{"errgroup", XSync, "./errgroup"},
	{"semaphore", XSync, "./semaphore"},
	{"singleflight", XSync, "./singleflight"},
	{"pubsub", "github.com/cskr/pubsub@v1.0.2", "."},
	{"workerpool", "github.com/gammazero/workerpool@v1.3.0", "."},
	{"concurrent-map", "github.com/orcaman/concurrent-map/v2@v2.0.1", "."},
	{"clock", "github.com/benbjohnson/clock@v1.3.5", "."},
	{"gobreaker", "github.com/sony/gobreaker/v2@v2.4.0", "."},
	{"puddle", "github.com/jackc/puddle/v2@v2.2.3", "./internal/genstack"},
	{"conc", "github.com/sourcegraph/conc@v0.3.0", "./panics"},
	{"conc-pool", "github.com/sourcegraph/conc@v0.3.0", "./pool"},
	{"puddle-pool", "github.com/jackc/puddle/v2@v2.2.3", "."},
}
