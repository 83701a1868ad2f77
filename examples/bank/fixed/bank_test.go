package bank

import (
	"sync"
	"testing"
)

func TestDeposit(t *testing.T) {
	var a Account

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		a.Deposit(10)
	}()
	a.Deposit(20)
	wg.Wait()

	if got := a.Balance(); got != 30 {
		t.Errorf("Balance = %d, want 30", got)
	}
}
