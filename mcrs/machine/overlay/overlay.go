// Package overlay has the Go files of ours that join packages of the standard library, where a serial specification
// or a piece of plumbing is best written in Go. Their functions begin with "heddle".
package overlay

import (
	_ "embed"
	"maps"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/inet"
)

//go:embed runtime.go.txt
var runtimeOverlay string

//go:embed settings.go.txt
var settingsOverlay string

//go:embed sync.go.txt
var syncOverlay string

//go:embed atomic.go.txt
var atomicOverlay string

//go:embed synctest.go.txt
var synctestOverlay string

//go:embed testing.go.txt
var testingOverlay string

//go:embed corpus.go.txt
var corpusOverlay string

//go:embed os.go.txt
var osOverlay string

//go:embed user.go.txt
var userOverlay string

//go:embed reflect.go.txt
var reflectOverlay string

//go:embed abi.go.txt
var abiOverlay string

//go:embed time.go.txt
var timeOverlay string

//go:embed context.go.txt
var contextOverlay string

//go:embed net.go.txt
var netOverlay string

//go:embed textproto.go.txt
var textprotoOverlay string

//go:embed strings.go.txt
var stringsOverlay string

//go:embed metrics.go.txt
var metricsOverlay string

//go:embed race.go.txt
var raceOverlay string

//go:embed debug.go.txt
var debugOverlay string

//go:embed drbg.go.txt
var drbgOverlay string

//go:embed sysrand.go.txt
var sysrandOverlay string

// Files is for program.Config: import path → file name → source.
func Files() map[string]map[string]string {
	all := inet.Overlay()
	maps.Copy(all, map[string]map[string]string{
		"runtime": {"heddle_overlay.go": runtimeOverlay, "heddle_settings.go": settingsOverlay},
		"sync":    {"heddle_overlay.go": syncOverlay},
		"time":    {"heddle_overlay.go": timeOverlay},
		"context": {"heddle_overlay.go": contextOverlay},
		"os":      {"heddle_overlay.go": osOverlay},
		"testing": {"heddle_overlay.go": testingOverlay, "heddle_corpus.go": corpusOverlay},
		"reflect": {"heddle_overlay.go": reflectOverlay},

		"net":               {"heddle_overlay.go": netOverlay},
		"net/textproto":     {"heddle_overlay.go": textprotoOverlay},
		"strings":           {"heddle_overlay.go": stringsOverlay},
		"os/user":           {"heddle_overlay.go": userOverlay},
		"sync/atomic":       {"heddle_overlay.go": atomicOverlay},
		"runtime/debug":     {"heddle_overlay.go": debugOverlay},
		"runtime/metrics":   {"heddle_overlay.go": metricsOverlay},
		"internal/abi":      {"abi_amd64.go": abiOverlay},
		"internal/synctest": {"heddle_overlay.go": synctestOverlay},
		"internal/race":     {"heddle_overlay.go": raceOverlay},

		"crypto/internal/fips140/drbg": {"entropy_fips140.go": drbgOverlay},
		"crypto/internal/sysrand":      {"heddle_overlay.go": sysrandOverlay},
	})
	return all
}

// KeepBody is for program.Config: the functions of package runtime that are interpreted.
func KeepBody(path, name string) bool {
	if path != "runtime" {
		return false
	}
	if i := strings.LastIndexByte(name, '.'); strings.HasPrefix(name[i+1:], "heddle") {
		return true
	}
	switch strings.Trim(strings.SplitN(name, ".", 2)[0], "(*)") {
	case "errorString", "plainError", "PanicNilError":
		return true
	}
	return false
}

// Redirects returns the functions of std whose body is one of an overlay.
func Redirects() map[string]string {
	all := maps.Clone(redirects)
	maps.Copy(all, inet.Redirects)
	return all
}

var redirects = map[string]string{
	"context.WithTimeout":                 "context.heddleSeenTimeout",
	"context.WithTimeoutCause":            "context.heddleSeenTimeoutCause",
	"(*context.timerCtx).Deadline":        "context.heddleSeenDeadline",
	"(*context.timerCtx).String":          "context.heddleSeenString",
	"(*sync.Once).Do":                     "sync.heddleOnceDo",
	"(*sync.Pool).Get":                    "sync.heddlePoolGet",
	"(*sync.Pool).Put":                    "sync.heddlePoolPut",
	"(*sync.Map).Load":                    "sync.heddleMapLoad",
	"(*sync.Map).Store":                   "sync.heddleMapStore",
	"(*sync.Map).Clear":                   "sync.heddleMapClear",
	"(*sync.Map).LoadOrStore":             "sync.heddleMapLoadOrStore",
	"(*sync.Map).LoadAndDelete":           "sync.heddleMapLoadAndDelete",
	"(*sync.Map).Delete":                  "sync.heddleMapDelete",
	"(*sync.Map).Swap":                    "sync.heddleMapSwap",
	"(*sync.Map).CompareAndSwap":          "sync.heddleMapCompareAndSwap",
	"(*sync.Map).CompareAndDelete":        "sync.heddleMapCompareAndDelete",
	"(*sync.Map).Range":                   "sync.heddleMapRange",
	"(*sync/atomic.Value).Load":           "sync/atomic.heddleValueLoad",
	"(*sync/atomic.Value).Store":          "sync/atomic.heddleValueStore",
	"(*sync/atomic.Value).Swap":           "sync/atomic.heddleValueSwap",
	"(*sync/atomic.Value).CompareAndSwap": "sync/atomic.heddleValueCompareAndSwap",
	"internal/synctest.Run":               "internal/synctest.heddleRun",
	"internal/synctest.acquire":           "internal/synctest.heddleAcquire",
	"internal/synctest.release":           "internal/synctest.heddleRelease",
	"internal/synctest.inBubble":          "internal/synctest.heddleInBubble",
	"internal/race.Write":                 "internal/race.heddleSeenWrite",
	"runtime/debug.readGCStats":           "runtime/debug.heddleSeenReadGCStats",
	"runtime/debug.setGCPercent":          "runtime/debug.heddleSeenGCPercent",
	"runtime/debug.setMaxStack":           "runtime/debug.heddleSeenMaxStack",
	"runtime/debug.setMaxThreads":         "runtime/debug.heddleSeenMaxThreads",
	"runtime/debug.setMemoryLimit":        "runtime/debug.heddleSeenMemoryLimit",
	"runtime.ReadMemStats":                "runtime.heddleSeenReadMemStats",
	"runtime/metrics.Read":                "runtime/metrics.heddleSeenRead",
	"crypto/internal/sysrand.Read":        "crypto/internal/sysrand.heddleSeenRead",
	"strings.NewReplacer":                 "strings.heddleNewReplacer",
	"time.newTimer":                       "time.heddleNewTimer",
	"os.Exit":                             "os.heddleExit",
	"os/user.lookupUser":                  "os/user.heddleLookupUser",
	"os/user.lookupUserId":                "os/user.heddleLookupUserId",
	"os/user.lookupGroup":                 "os/user.heddleLookupGroup",
	"os/user.lookupGroupId":               "os/user.heddleLookupGroupId",
	"os/user.listGroups":                  "os/user.heddleListGroups",
	"(*testing.M).Run":                    "testing.heddleMRun",
	"(*testing.common).Fail":              "testing.heddleFail",
	"(*testing.common).FailNow":           "testing.heddleFailNow",
	"(*testing.T).report":                 "testing.heddleReport",
	"(*testing.matcher).unique":           "testing.heddleUnique",
	"testing.AllocsPerRun":                "testing.heddleAllocsPerRun",
	"testing.runExample":                  "testing.heddleRunExample",
	"testing.RunTests":                    "testing.heddleSeenRunTests",
	"testing.RunExamples":                 "testing.heddleSeenRunExamples",
	"testing.RunBenchmarks":               "testing.heddleSeenRunBenchmarks",
	"internal/chacha8rand.block":          "internal/chacha8rand.block_generic",
	"reflect.SliceOf":                     "reflect.heddleSlice",
	"reflect.ArrayOf":                     "reflect.heddleArray",
	"reflect.MapOf":                       "reflect.heddleMap",
	"reflect.ChanOf":                      "reflect.heddleChan",
	"reflect.FuncOf":                      "reflect.heddleSeenFunc",
	"reflect.StructOf":                    "reflect.heddleSeenStruct",
	"(*reflect.rtype).ptrTo":              "reflect.heddlePtrTo",
	"reflect.MakeFunc":                    "reflect.heddleMakeFunc",
	"reflect.makeMethodValue":             "reflect.heddleMethodValue",
	"(*runtime.Frames).Next":              "runtime.heddleSeenFramesNext",
	"runtime.CallersFrames":               "runtime.heddleCallersFrames",
	"runtime.GOMAXPROCS":                  "runtime.heddleSeenGOMAXPROCS",
	"runtime.SetDefaultGOMAXPROCS":        "runtime.heddleSeenSetDefaultGOMAXPROCS",
	"runtime.SetMutexProfileFraction":     "runtime.heddleSeenSetMutexProfileFraction",
	"runtime.GoroutineProfile":            "runtime.heddleSeenGoroutineProfile",
	"(*runtime.StackRecord).Stack":        "runtime.heddleSeenStack",

	"runtime/pprof.pprof_goroutineProfileWithLabels": "runtime.heddleSeenProfileWithLabels",
}
