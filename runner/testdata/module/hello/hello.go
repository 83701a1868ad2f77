// The hello command greets its arguments and exits with their number.
package main

import "os"

func main() {
	done := make(chan bool)
	go func() {
		for _, arg := range os.Args[1:] {
			os.Stdout.WriteString("hello " + arg + "\n")
		}
		close(done)
	}()
	<-done
	os.Exit(len(os.Args) - 1)
}
