package main

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
)

// Arithmetic on large numbers, of which the machine does the inner loops itself.
func main() {
	block, _ := pem.Decode([]byte(key))
	k, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256([]byte("text"))
	sig, err := rsa.SignPKCS1v15(nil, k, crypto.SHA256, sum[:])
	fmt.Println(hex.EncodeToString(sig), err)
	fmt.Println(rsa.VerifyPKCS1v15(&k.PublicKey, crypto.SHA256, sum[:], sig))
	sig[5]++
	fmt.Println(rsa.VerifyPKCS1v15(&k.PublicKey, crypto.SHA256, sum[:], sig))
	for _, secret := range []string{"1", "2", "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", "123456789abcdef00000000000000000ffffffffffffffff0000000000000001"} {
		b, _ := new(big.Int).SetString(secret, 16)
		p, err := ecdh.P256().NewPrivateKey(b.FillBytes(make([]byte, 32)))
		fmt.Println(hex.EncodeToString(p.PublicKey().Bytes()), err)
		shared, err := p.ECDH(p.PublicKey())
		fmt.Println(hex.EncodeToString(shared), err)
	}
	d, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), sum[:])
	if err != nil {
		panic(err)
	}
	signed, err := d.Sign(nil, sum[:], crypto.SHA256) // without random numbers: RFC 6979
	fmt.Println(hex.EncodeToString(signed), err, ecdsa.VerifyASN1(&d.PublicKey, sum[:], signed))
	sum[0]++
	fmt.Println(ecdsa.VerifyASN1(&d.PublicKey, sum[:], signed))
}

const key = `-----BEGIN RSA PRIVATE KEY-----
MIIEoAIBAAKCAQEAtllBdbDC+tQ8FWJxRYPxWBzZW43KnMavDLJo1/j73DLFnGgZ
nZb/mQ87n9jXwn4DmfXNlHC9JBgG91U+nlIdLVoQcMGnu+mPSa6zo95GeJHipYn2
PrSfA/bxrr9JNWWbm66l8AA7PBumeoMoq6SeS00LsvyxDkl9i3gw690kzeHRwhIo
ZBl7WcasBth8oRKwFfhOqcH29PW/h4VkpPj7WaulHU++ezxTsQUcx/qf7B5XEQeZ
TuHURzWq8icQmx1h4XuRiGUIRao/lDIFQLZTpcfTB8nfQWdQ3u4CtIyiGUmpMLYL
e9cSSJuwuCFTL/qOPdNiGUw+8DBXYq0PLVr10wIDAQABAoH/ZW5vUDPq25LF4/1M
hbOm1MVUCcqn9Wl74kDwOjDuzaCyozz9OG4kDIOGpG3CDQjn1CNb/XXI5eI3MbGu
kzQWaw1lxzLBX9iI3NjRC1xn38KXLXT1wM8Ba9i+fINPQywtaQNWUawad2RBylUB
yo4FNDWH7ngXgI0h+tYgLkAUo26qXLOB+kB03gY/4QLm3YGAbyf8gsv+tEswZ89V
GXY9AqZ2utFY65D9miPZSQscK7XIRt05SO3SfNBfkwZQ03lMoEpPXvtPjguzLTNB
EkYMpgaav6C3l8czd6eQ3+CPqUDg5AQYhkfxcufL8ILpjCpSEgvBhYU7Ve3QWRhR
JLohAoGBAPuZzeAQcPNZdpLI5dhR4A1qDxp2l/5YiDWHCg+hZp5KOrgVG6XSHNaP
ErCUnb++1wOiF4eEjINymajbXCbTjGt+d5SsXOPrtHt97ojI3JvwsT7+TRDrozXm
x5FMaZK6T2fKk8pVTVTsFay+VpVlVYAAoizGoxno+QZQy8jT1VwhAoGBALmJeHFy
i48vfYeMZx8NnV/Kvdlo4C9Gt9cAp0AYMB6foRcBCNGOSxpBqZ1zo9KSrUvNBHDK
E9bfmOU2RDfyf8jK4KNjIPu+GUZpina3/zPSPp9eDA0HRym4ejKHRAZmxaQ/VTzH
OOZr7OsXtI4aPw+pwsv1ixIaTlyb7zpeKDNzAoGAaSTxgH3edhQhFV6XjztIItL7
1NdS1Zwx8AyrC7UrqWLj/yHzF+0i2Beae+jfs84RFRecNaoS/qvZw1NIw4EM4a9M
UflmKGnMVv9dvBQU/aYsrGKh2jxfTJtRM0t3ozXxETL7aEcVtjOjKzmv/WcHwCKD
o6qvZpiR2S3Su+6q74ECgYBLU/UCmm7vA2kDz41Onkh2y+moi1v51cxuDmXZL/jZ
dhYBMPpTmmIDlwU2V+z7YXHahLJ42JKVetKovQ+VZ29aJoRt0aFilBvO6qq86JdE
gufJ7HUYFQxfc/ao7SJBNxinRs9kjb4cT1UxXb6As0dHJLVh+Z8tCmEmWGkYWYIY
4QKBgAF5Q1Q8Na14pplKrMo+eetNqykvQl0zFwSKBzApYAH05cbKDAmEA8t49nDl
G60cKcT6t84tn6AcmnkLzYV3pL+7UsHpDT2m3kOEm83zcOMXdYkK2uasKWCRStJr
SKeJQKwIatCmllUGuXgKW1fFCBi6MzOJTBy8lm0R2AiWhiyx
-----END RSA PRIVATE KEY-----
`
