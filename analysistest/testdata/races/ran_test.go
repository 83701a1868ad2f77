package races

import (
	"sync"
	"testing"
	"testing/synctest"
)

// The end of a subtest notes that it ran, and what runs the tests looks at that in the end.

func TestRaceEnds(t *testing.T) {
	c := make(chan int)
	go func() {
		t.Run("x", func(t *testing.T) {
			close(c)
			/*hold*/
		})
	}()
	<-c
}

func TestRaceEndsNested(t *testing.T) {
	c := make(chan int)
	go func() {
		t.Run("x", func(t *testing.T) {
			t.Run("y", func(t *testing.T) {
				close(c)
				/*hold*/
			})
		})
	}()
	<-c
}

func TestRaceEndsBelow(t *testing.T) { // of a subtest that has ended
	t.Run("x", func(t *testing.T) {
		c := make(chan int)
		go func() {
			t.Run("y", func(t *testing.T) {
				close(c)
				/*hold*/
			})
		}()
		<-c
	})
}

func TestRaceEndsBelowParallel(t *testing.T) {
	t.Run("x", func(t *testing.T) {
		t.Parallel()
		c := make(chan int)
		go func() {
			t.Run("y", func(t *testing.T) {
				close(c)
				/*hold*/
			})
		}()
		<-c
	})
}

func TestRaceEndsOfTwo(t *testing.T) { // one is waited for
	var wg sync.WaitGroup
	c := make(chan int)
	wg.Go(func() { t.Run("x", func(t *testing.T) {}) })
	go func() {
		t.Run("y", func(t *testing.T) {
			close(c)
			/*hold*/
		})
	}()
	<-c
	wg.Wait()
}

func TestRaceEndsBubble(t *testing.T) {
	c := make(chan int)
	go synctest.Test(t, func(t *testing.T) {
		close(c)
		/*hold*/
	})
	<-c
}

func TestQuietEndsWaited(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() { t.Run("x", func(t *testing.T) {}) })
	wg.Go(func() {
		t.Run("y", func(t *testing.T) { t.Run("z", func(t *testing.T) {}) })
	})
	wg.Wait()
}

func TestQuietEndsCleanup(t *testing.T) {
	var wg sync.WaitGroup
	t.Cleanup(wg.Wait)
	c := make(chan int)
	wg.Go(func() { t.Run("x", func(t *testing.T) { close(c) }) })
	<-c
}

func TestQuietEndsParallel(t *testing.T) { // the test waits for those that run in parallel
	c := make(chan int)
	go func() {
		t.Run("x", func(t *testing.T) {
			t.Parallel()
			/*hold*/
		})
		close(c)
	}()
	<-c
}

func TestQuietEndsBelowParallel(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("x", func(t *testing.T) {})
		})
	}
}

func TestQuietEndsBubble(t *testing.T) {
	t.Run("x", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { go func() {}() })
	})
}

func TestQuietEndsBubbleWaited(t *testing.T) {
	c := make(chan int)
	go func() {
		synctest.Test(t, func(t *testing.T) {})
		close(c)
	}()
	<-c
}

func TestQuietEndsLocked(t *testing.T) { // and waited for by a lock
	var mu sync.Mutex
	done, c := false, make(chan int, 1)
	cond := sync.NewCond(&mu)
	go func() {
		t.Run("x", func(t *testing.T) { c <- 1 })
		mu.Lock()
		done = true
		mu.Unlock()
		cond.Signal()
	}()
	<-c
	mu.Lock()
	for !done {
		cond.Wait()
	}
	mu.Unlock()
}

func FuzzRaceEnds(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, s string) {
		c := make(chan int)
		go func() {
			t.Run("x", func(t *testing.T) {
				close(c)
				/*hold*/
			})
		}()
		<-c
	})
}

func FuzzQuietEnds(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, s string) {
		c := make(chan int)
		go func() {
			t.Run("x", func(t *testing.T) {})
			close(c)
		}()
		<-c
	})
}
