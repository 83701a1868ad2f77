package kernels

// Fib is the n-th Fibonacci number, by two calls of itself.
func Fib(n int) int {
	if n < 2 {
		return n
	}
	return Fib(n-1) + Fib(n-2)
}
