package main

// A target is a module of the list.
type target struct {
	version  string   // path@version
	requires []string // of one without a go.mod
	sample   int      // how many of its plain tests are run, unless -all asks for all; 0: all
}

// modules are those of the score: primitives and pools, caches and maps, channels and events, clocks, resilience,
// network, observability and storage.
var modules = []target{
	{version: "golang.org/x/sync@v0.24.0"},
	{version: "github.com/sourcegraph/conc@v0.3.0"},
	{version: "github.com/alitto/pond/v2@v2.7.1"},
	{version: "github.com/gammazero/workerpool@v1.3.0"},
	{version: "github.com/jackc/puddle/v2@v2.2.3"},
	{version: "github.com/maypok86/otter/v2@v2.4.0", sample: 60},
	{version: "github.com/puzpuzpuz/xsync/v4@v4.5.0"},
	{version: "github.com/orcaman/concurrent-map/v2@v2.0.1"},
	{version: "github.com/eapache/channels@v1.1.0", requires: []string{"github.com/eapache/queue v1.1.0"}},
	{version: "github.com/cskr/pubsub@v1.0.2"},
	{version: "github.com/libp2p/go-yamux/v5@v5.1.0"},
	{version: "github.com/hashicorp/yamux@v0.1.2"},
	{version: "github.com/benbjohnson/clock@v1.3.5"},
	{version: "github.com/robfig/cron/v3@v3.0.1"},
	{version: "github.com/sony/gobreaker/v2@v2.4.0"},
	{version: "github.com/afex/hystrix-go@v0.0.0-20180502004556-fa1af6a1f4f5", requires: []string{
		"github.com/smartystreets/goconvey v1.8.1", "github.com/rcrowley/go-metrics v0.0.0-20201227073835-cf1acfcdf475",
		"github.com/cactus/go-statsd-client v3.1.1+incompatible", "github.com/DataDog/datadog-go v3.7.2+incompatible",
	}},
	{version: "github.com/thejerf/suture/v4@v4.0.6"},
	{version: "github.com/gorilla/websocket@v1.5.3"},
	{version: "github.com/go-chi/chi/v5@v5.5.0"},
	{version: "github.com/prometheus/client_golang@v1.25.0"},
	{version: "go.etcd.io/bbolt@v1.5.0"},
	{version: "go.etcd.io/raft/v3@v3.7.0"},
}
