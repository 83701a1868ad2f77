package waits

import (
	"crypto/rand"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// This file starts timers with a function again, in a bubble, when they are due at once (BUBBLE4). One that was active
// fires when the bubble rests, before anybody at Wait goes on. So does one that was stopped, while it is in the heap of
// the bubble (BUBBLE6). Others fire with their start.

// counts returns a timer of a second that counts, and its counter.
func counts() (*time.Timer, *atomic.Int32) {
	n := new(atomic.Int32)
	return time.AfterFunc(time.Second, func() { n.Add(1) }), n
}

// The bubble does not rest.
func TestRestsUntilIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		if !tm.Reset(0) || n.Load() != 0 {
			panic("it has fired")
		}
	})
}

// It is active until then.
func TestRestsAndIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Reset(0)
		if !tm.Stop() {
			panic("it has fired")
		}
		time.Sleep(2 * time.Second)
		if n.Load() != 0 {
			panic("it fires later")
		}
	})
}

// It fires before who stands at Wait goes on.
func TestRestsBeforeWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Reset(0)
		synctest.Wait()
		if n.Load() != 1 {
			panic("it has not fired")
		}
	})
}

// It fires before any time passes.
func TestRestsAndFires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Reset(0)
		time.Sleep(1)
		if n.Load() != 1 {
			panic("it has not fired")
		}
	})
}

// Whoever of two comes first, the timer is active for one of them.
func TestRestsBesideStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		stopped := make(chan bool)
		go func() { stopped <- tm.Stop() }()
		again := tm.Reset(0)
		if s := <-stopped; !s {
			panic("it has fired")
		} else if again && n.Load() != 0 {
			panic("it has fired though it was stopped")
		}
	})
}

// A bubble rests while its goroutines wait for each other: it fires then.
//
// finds: panics
func TestRestsUntilReceive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan bool)
		tm := time.AfterFunc(time.Second, func() { c <- true })
		tm.Reset(0)
		<-c
		panic("it has fired")
	})
}

// One that has fired does not rest: its function can come before what follows.
//
// finds: panics
func TestRestsNotAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		time.Sleep(2 * time.Second)
		if tm.Reset(0); n.Load() == 2 {
			panic("it has fired")
		}
	})
}

// A channel is looked at with its timer: it has what was sent at once.
func TestRestsNotInChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		tm.Reset(0)
		select {
		case <-tm.C:
		default:
			panic("nothing was sent")
		}
	})
}

// One that was stopped is in the heap of the bubble until another takes it out, and rests like one that is active.
func TestRestsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Stop()
		if tm.Reset(0) {
			panic("it was active")
		}
		if n.Load() != 0 {
			panic("it has fired")
		}
		if !tm.Stop() {
			panic("it is not active")
		}
		time.Sleep(2 * time.Second)
		if n.Load() != 0 {
			panic("it fires later")
		}
	})
}

// It is stopped twice.
func TestRestsStoppedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Stop()
		tm.Stop()
		if tm.Reset(-1); n.Load() != 0 {
			panic("it has fired")
		}
		synctest.Wait()
		if n.Load() != 1 {
			panic("it has not fired")
		}
	})
}

// It was stopped while it rested.
func TestRestsStoppedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		for range 3 {
			tm.Reset(0)
			if !tm.Stop() || n.Load() != 0 {
				panic("it has fired")
			}
		}
	})
}

// Whoever starts another timer takes it out, if it is not to be preempted. So Stop finds it active, or not.
//
// finds: panics
func TestRestsTakenOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, _ := counts()
		tm.Stop()
		defer time.AfterFunc(time.Hour, func() {}).Stop()
		if tm.Reset(0); !tm.Stop() {
			panic("it has fired")
		}
	})
}

// The first use of randomness starts a timer, too, and stops it.
//
// finds: panics
func TestRestsTakenOutByRandom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, _ := counts()
		tm.Stop()
		rand.Read(make([]byte, 1))
		if tm.Reset(0); !tm.Stop() {
			panic("it has fired")
		}
	})
}

// The same as TestRestsTakenOut, and the other way round.
//
// finds: panics
func TestRestsTakenOutOrNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, _ := counts()
		tm.Stop()
		defer time.AfterFunc(time.Hour, func() {}).Stop()
		if tm.Reset(0); tm.Stop() {
			panic("it is active")
		}
	})
}

// The bubble was idle, and nothing is left in its heap.
func TestRestsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Stop()
		time.Sleep(time.Millisecond)
		if tm.Reset(0); tm.Stop() {
			panic("it is active")
		}
		synctest.Wait()
		if n.Load() != 1 {
			panic("it has not fired")
		}
	})
}

// Its function can come at once.
//
// finds: panics
func TestRestsGoneAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Stop()
		time.Sleep(time.Millisecond)
		if tm.Reset(0); n.Load() == 1 {
			panic("it has fired")
		}
	})
}

// Who has waited at Wait, and let no time pass, has left it in the heap.
func TestRestsBehindWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Stop()
		synctest.Wait()
		if tm.Reset(0); n.Load() != 0 || !tm.Stop() {
			panic("it has fired")
		}
	})
}

// Another goroutine stops it.
func TestRestsStoppedByAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		done := make(chan bool)
		go func() { tm.Stop(); close(done) }()
		<-done
		if tm.Reset(0); n.Load() != 0 || !tm.Stop() {
			panic("it has fired")
		}
	})
}

// Another goroutine has started a timer before it is started again: it may have taken it out.
//
// finds: panics
func TestRestsBesideStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, _ := counts()
		tm.Stop()
		done := make(chan bool)
		go func() { time.AfterFunc(time.Hour, func() {}).Stop(); close(done) }()
		if <-done; !tm.Reset(0) && !tm.Stop() {
			panic("it has fired")
		}
	})
}

// Which of the two comes first is not explored.
func TestRestsBesideStartOrNot(t *testing.T) { // incomplete: which of two goroutines comes first
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Stop()
		done := make(chan bool)
		go func() { n.Add(1); time.AfterFunc(time.Hour, func() {}).Stop(); close(done) }()
		tm.Reset(0)
		<-done
	})
}

// The same, before it is stopped.
func TestRestsBesideSleep(t *testing.T) { // incomplete: which of two goroutines comes first
	synctest.Test(t, func(t *testing.T) {
		tm, _ := counts()
		done := make(chan bool)
		go func() { time.Sleep(1); close(done) }()
		tm.Stop()
		tm.Reset(0)
		<-done
	})
}

// Of three timers the one in the middle may stay.
func TestRestsAmongOthers(t *testing.T) { // incomplete: which of two goroutines comes first
	synctest.Test(t, func(t *testing.T) {
		defer time.AfterFunc(time.Minute, func() {}).Stop()
		tm := time.AfterFunc(time.Hour, func() {})
		defer time.AfterFunc(2*time.Hour, func() {}).Stop()
		tm.Stop()
		defer time.AfterFunc(time.Hour, func() {}).Stop()
		if tm.Reset(0); !tm.Stop() {
			panic("it has fired")
		}
	})
}

// It is started again for later, and rests no more than others do.
func TestRestsStartedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Stop()
		tm.Reset(time.Second)
		time.Sleep(2 * time.Second)
		if n.Load() != 1 {
			panic("it has not fired")
		}
	})
}

// Somebody has blocked at its channel: natively it is empty until the bubble is idle.
func TestRestsInHeap(t *testing.T) { // incomplete: a timer of a bubble, at whose channel a goroutine may have blocked
	synctest.Test(t, func(t *testing.T) {
		tm, done := time.NewTimer(time.Second), make(chan bool)
		go func() { close(done) }()
		select {
		case <-tm.C:
		case <-done:
		}
		tm.Reset(0)
		select {
		case <-tm.C:
		default:
		}
	})
}

// Who has received from it has let it go.
func TestRestsReceived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		<-tm.C
		tm.Reset(0)
		select {
		case <-tm.C:
		default:
			panic("nothing was sent")
		}
	})
}

// Whether it was stopped, or has fired, is a matter of who comes first.
//
// finds: panics
func TestRestsStoppedOrFired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		go func() { time.Sleep(time.Second); tm.Stop() }()
		time.Sleep(time.Second)
		tm.Stop()
		if tm.Reset(0); n.Load() == 2 {
			panic("it has fired twice")
		}
	})
}

// Somebody is blocked at its channel, and is not woken before the bubble is idle.
func TestRestsBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := time.NewTimer(time.Second), new(atomic.Int32)
		go func() { <-tm.C; n.Add(1) }()
		synctest.Wait()
		tm.Reset(0)
		if n.Load() != 0 || !tm.Stop() {
			panic("it has sent")
		}
		tm.Reset(0)
		synctest.Wait()
		if n.Load() != 1 {
			panic("it has not sent")
		}
	})
}

// Who was blocked has gone on with something else.
func TestRestsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, done := time.NewTimer(time.Second), make(chan bool)
		go func() {
			select {
			case <-tm.C:
				panic("it has sent")
			case <-done:
			}
		}()
		synctest.Wait()
		done <- true
		tm.Reset(0)
		select {
		case <-tm.C:
			panic("it has sent at once")
		default:
		}
		synctest.Wait()
		<-tm.C
	})
}

// aside starts a goroutine that waits at a timer's channel, and goes on with something else when it is told.
func aside(tm *time.Timer) (leave chan bool) {
	leave = make(chan bool)
	go func() {
		select {
		case <-tm.C:
			panic("it has sent")
		case <-leave:
		}
	}()
	return leave
}

// Likewise, and the bubble has been idle since.
func TestRestsLeftBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		leave := aside(tm)
		synctest.Wait()
		leave <- true
		synctest.Wait()
		tm.Reset(0)
		select {
		case <-tm.C:
			panic("it has sent at once")
		default:
		}
		synctest.Wait()
		<-tm.C
	})
}

// It was stopped while somebody was blocked.
func TestRestsStoppedWhileBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := time.NewTimer(time.Second), new(atomic.Int32)
		go func() { <-tm.C; n.Add(1) }()
		synctest.Wait()
		tm.Stop()
		synctest.Wait()
		tm.Reset(0)
		if n.Load() != 0 || !tm.Stop() {
			panic("it has sent")
		}
		tm.Reset(0)
		synctest.Wait()
		if n.Load() != 1 {
			panic("it has not sent")
		}
	})
}

// Somebody has come to its channel again, and left it.
func TestRestsLeftTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		for range 2 {
			leave := aside(tm)
			synctest.Wait()
			leave <- true
			synctest.Wait()
		}
		tm.Reset(0)
		select {
		case <-tm.C:
			panic("it has sent at once")
		default:
		}
		synctest.Wait()
		<-tm.C
	})
}

// The timer has sent since, and was let go.
func TestRestsLeftAndSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		leave := aside(tm)
		synctest.Wait()
		leave <- true
		synctest.Wait()
		<-tm.C
		tm.Reset(0)
		select {
		case <-tm.C:
		default:
			panic("nothing was sent")
		}
	})
}

// Another one has begun to sleep since: the timer is taken out of the heap then, as a rule.
func TestRestsLeftBesideSleep(t *testing.T) { // incomplete: a timer of a bubble, at whose channel a goroutine may have blocked
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		leave := aside(tm)
		synctest.Wait()
		leave <- true
		synctest.Wait()
		time.Sleep(time.Millisecond)
		tm.Reset(0)
		select {
		case <-tm.C:
		default:
		}
	})
}

// It is there at the end all the same.
//
// finds: panics
func TestRestsLeftAndWaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		leave := aside(tm)
		synctest.Wait()
		leave <- true
		synctest.Wait()
		tm.Reset(0)
		synctest.Wait()
		select {
		case <-tm.C:
			panic("it has sent when the bubble was idle")
		default:
		}
	})
}

// Another one receives, and may have come to the channel before the Reset. Then the timer sends when the bubble is idle.
func TestRestsReceiverBeside(t *testing.T) { // incomplete: a timer of a bubble, at whose channel a goroutine may have blocked
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		go func() { <-tm.C }()
		tm.Reset(0)
	})
}

// It is started behind the Reset.
func TestRestsReceiverLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		tm.Reset(0)
		go func() { <-tm.C }()
	})
}

// It comes to the channel when the bubble has been idle.
func TestRestsReceiverAfterRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		go func() {
			time.Sleep(time.Millisecond)
			<-tm.C
		}()
		tm.Reset(0)
		time.Sleep(time.Second)
	})
}

// first receives from a timer's channel, and reports whether nobody has before.
func first(tm *time.Timer, n *atomic.Int32) bool {
	<-tm.C
	return n.Add(1) == 1
}

// One that has sent is in no heap, and sends at once though others are blocked at its channel: who started it again
// waits for one of them, and the bubble is not idle before that.
func TestRestsSentBesideBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := time.NewTimer(time.Second), new(atomic.Int32)
		for range 2 {
			go func() {
				if first(tm, n) {
					for tm.Reset(0); n.Load() < 2; {
						runtime.Gosched()
					}
				}
			}()
		}
		time.Sleep(2 * time.Second)
	})
}

// Nor does it matter whether somebody comes to its channel before it is started again, or behind that.
func TestRestsSentBesideReceive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := time.NewTimer(time.Second), new(atomic.Int32)
		go func() {
			if first(tm, n) {
				tm.Reset(0)
			}
		}()
		time.Sleep(time.Second)
		if first(tm, n) {
			tm.Reset(0)
		}
	})
}

// It was started for later in between, and who is blocked at its channel has put it into the heap.
func TestRestsStartedLaterBesideBlocked(t *testing.T) { // incomplete: a timer of a bubble, at whose channel a goroutine may have blocked
	synctest.Test(t, func(t *testing.T) {
		tm, n := time.NewTimer(time.Second), new(atomic.Int32)
		for range 2 {
			go func() {
				if first(tm, n) {
					tm.Reset(time.Second)
					tm.Reset(0)
				}
			}()
		}
		time.Sleep(3 * time.Second)
	})
}

// startsAgain starts a timer again that is due at one instant with a tick: a goroutine waits at its channel, or has
// started it for later.
func startsAgain(t *testing.T, then func(tm *time.Timer)) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(2 * time.Millisecond)
		tk := time.NewTicker(2 * time.Millisecond)
		defer tk.Stop()
		go func() {
			<-tm.C
			tm.Reset(time.Millisecond)
		}()
		<-tk.C
		tm.Reset(0)
		then(tm)
	})
}

// It finds the timer active in both cases, and in the first one it rests: with nobody left to wait for, the receiver
// has leaked (UBUBBLE9).
//
// finds: panics
func TestRestsBesideStartForLater(t *testing.T) {
	startsAgain(t, func(*time.Timer) {})
}

func TestRestsBesideStartForLaterThenWaits(t *testing.T) {
	startsAgain(t, func(*time.Timer) { synctest.Wait() })
}

func TestRestsBesideStartForLaterThenSleeps(t *testing.T) {
	startsAgain(t, func(*time.Timer) { time.Sleep(time.Millisecond) })
}

// It was stopped before the receiver had anything.
//
// finds: panics
func TestRestsBesideStartForLaterThenStops(t *testing.T) {
	startsAgain(t, func(tm *time.Timer) {
		tm.Stop()
		time.Sleep(time.Second)
	})
}
