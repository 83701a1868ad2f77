package prim

import (
	"maps"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file lists the functions of the standard library that are operations on primitives.
// Package overlay has the callers of those whose name begins with "heddle".

// functions has them by name. A primitive with a file of its own adds its rows in the file's init.
var functions = map[string]vm.Intrinsic{
	"(*sync.Mutex).Lock":               mutexLock,
	"(*sync.Mutex).TryLock":            mutexTryLock,
	"(*sync.Mutex).Unlock":             mutexUnlock,
	"(*internal/sync.Mutex).Lock":      mutexLock,
	"(*internal/sync.Mutex).TryLock":   mutexTryLock,
	"(*internal/sync.Mutex).Unlock":    mutexUnlock,
	"(*sync.RWMutex).Lock":             rwLock,
	"(*sync.RWMutex).TryLock":          rwTryLock,
	"(*sync.RWMutex).Unlock":           rwUnlock,
	"(*sync.RWMutex).RLock":            rwRLock,
	"(*sync.RWMutex).TryRLock":         rwTryRLock,
	"(*sync.RWMutex).RUnlock":          rwRUnlock,
	"(*sync.WaitGroup).Add":            waitGroupAdd,
	"(*sync.WaitGroup).Wait":           waitGroupWait,
	"sync.heddleOnceBegin":             onceBegin,
	"sync.heddleOnceEnd":               onceEnd,
	"sync.heddleObject":                objectEvent,
	"sync.heddleHome":                  objectHome,
	"sync.heddleLook":                  objectLook,
	"sync.heddleLookAtNew":             objectLookAtNew,
	"sync.heddleStore":                 objectStore,
	"sync.heddleResult":                objectResult,
	"sync.heddleUnchanged":             objectUnchanged,
	"sync.heddleValue":                 objectValue,
	"sync.heddleKeyed":                 objectKeyed,
	"sync.heddleStdPrivate":            stdPrivate,
	"sync.runtime_notifyListAdd":       condAdd,
	"sync.runtime_notifyListWait":      condWait,
	"sync.runtime_notifyListNotifyOne": condSignal,
	"sync.runtime_notifyListNotifyAll": condBroadcast,
	"sync/atomic.heddleValueGet":       valueLoad,
	"sync/atomic.heddleValuePut":       valueStore,
	"sync/atomic.heddleValueReplace":   valueReplace,
}

// Functions returns what stands in for functions of sync and sync/atomic, by their names.
func Functions() map[string]vm.Intrinsic {
	all := maps.Clone(functions)
	maps.Copy(all, atomicFunctions())
	for _, name := range []string{"LoadInt64", "SwapInt64"} { // package runtime cannot import sync/atomic
		all["runtime.heddleAtomic"+name] = all["sync/atomic."+name]
	}
	return all
}
