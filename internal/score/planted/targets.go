package main

// A target is a test that reaches a limit.
type target struct {
	version  string // of its module, path@version
	requires []string
	pkg      string // folder of its package in the module
	test     string
}

var targets = []target{
	{version: "github.com/alitto/pond/v2@v2.7.1", pkg: ".", test: "TestNewGroup"},
	{version: "github.com/alitto/pond/v2@v2.7.1", pkg: ".", test: "TestPoolWithContextCanceled"},
	{version: "github.com/gammazero/workerpool@v1.3.0", pkg: ".", test: "TestDoConcurrentStop"},
	{version: "github.com/gammazero/workerpool@v1.3.0", pkg: ".", test: "TestStopWait"},
	{version: "github.com/gammazero/workerpool@v1.3.0", pkg: ".", test: "TestWorkerNoTimeout"},
	{version: "github.com/jackc/puddle/v2@v2.2.3", pkg: ".", test: "TestReleaseAfterAcquire"},
	{version: "github.com/orcaman/concurrent-map/v2@v2.0.1", pkg: ".", test: "TestConcurrent"},
	{version: "github.com/orcaman/concurrent-map/v2@v2.0.1", pkg: ".", test: "TestKeysWhenRemoving"},
	{version: "github.com/orcaman/concurrent-map/v2@v2.0.1", pkg: ".", test: "TestBufferedIterator"},
	{version: "github.com/eapache/channels@v1.1.0", requires: []string{"github.com/eapache/queue v1.1.0"}, pkg: ".", test: "TestMultiplex"},
	{version: "github.com/eapache/channels@v1.1.0", requires: []string{"github.com/eapache/queue v1.1.0"}, pkg: ".", test: "TestResizableChannelOnline"},
	{version: "github.com/sony/gobreaker/v2@v2.4.0", pkg: ".", test: "TestCircuitBreakerInParallel"},
	{version: "github.com/sony/gobreaker/v2@v2.4.0", pkg: ".", test: "TestRollingWindowCircuitBreakerInParallel"},
	{version: "github.com/puzpuzpuz/xsync/v4@v4.5.0", pkg: ".", test: "TestMapParallelClear"},
	{version: "github.com/sourcegraph/conc@v0.3.0", pkg: "pool", test: "TestContextPool"},
	{version: "github.com/maypok86/otter/v2@v2.4.0", pkg: ".", test: "TestCache_All"},
	{version: "golang.org/x/sync@v0.24.0", pkg: "singleflight", test: "TestDoDupSuppress"},
	{version: "github.com/go-chi/chi/v5@v5.5.0", pkg: ".", test: "TestMuxContextIsThreadSafe"},
}
