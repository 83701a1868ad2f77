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

// Deposit adds to the balance.
func (a *Account) Deposit(amount int) {
	// The lock is held from the read to the write.
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += amount
}
