// Package bank keeps accounts.
package bank

import "sync"

// An Account holds an amount of money.
type Account struct {
	mu      sync.Mutex
	balance int
}

// Balance returns the amount.
func (a *Account) Balance() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func (a *Account) setBalance(amount int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance = amount
}

// Deposit adds to the balance.
func (a *Account) Deposit(amount int) {
	// BUG: each step holds the lock, but not both together: a deposit made
	// between them is overwritten. There is no data race to be seen.
	a.setBalance(a.Balance() + amount)
}
