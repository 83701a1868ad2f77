// Package broken does not type-check.
package broken

func Start() {
	go undefinedFunction()
}
