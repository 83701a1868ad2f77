// The tiny command imports nothing and starts nothing.
package main

func main() { println("tiny") }
