package main

type text string

func main() {
	defer func() { recover(); panic(2.5) }()
	panic(text("first"))
}
