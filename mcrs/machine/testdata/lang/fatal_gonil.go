package main

func main() {
	defer func() { recover() }()
	var f func()
	go f()
}
