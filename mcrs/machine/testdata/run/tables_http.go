package main

import (
	"crypto/aes"
	"crypto/des"
	"crypto/elliptic"
	"fmt"
	"math/big"
	"net/http"
	"strings"
)

// This program shows what the tables behind net/http hold: those of internationalised names, of normal forms, and of ciphers and curves.

func main() {
	for _, host := range []string{"bücher.example", "faß.de", "ｅｘａｍｐｌｅ。jp", "a\u0308.example", "אבג.example", "\u200d.example", "xn--bcher-kva.example", "ΣΊΣΥΦΟΣ.gr"} {
		r, err := http.NewRequest("GET", "http://"+host+"/", nil)
		if err != nil {
			fmt.Println(host, err)
			continue
		}
		var out strings.Builder
		err = r.Write(&out)
		fmt.Printf("%q %v\n", strings.SplitAfter(out.String(), "\r\n")[min(1, strings.Count(out.String(), "\r\n"))], err)
	}

	block := make([]byte, 16)
	a, err := aes.NewCipher([]byte("0123456789abcdef"))
	if err != nil {
		panic(err)
	}
	a.Encrypt(block, []byte("sixteen bytes...")[:16])
	fmt.Printf("%x\n", block)
	a.Decrypt(block, block)
	fmt.Printf("%s\n", block)
	d, err := des.NewCipher([]byte("8 bytes!"))
	if err != nil {
		panic(err)
	}
	d.Encrypt(block, block[:8])
	fmt.Printf("%x\n", block)

	k, _ := new(big.Int).SetString("112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00", 16)
	x, y := elliptic.P256().ScalarBaseMult(k.Bytes())
	fmt.Println(x, y)
}
