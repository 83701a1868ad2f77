package main

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/signal"
)

// The initialisers of net/http and crypto/tls run; a handler is called without a network.
func main() {
	u, err := url.Parse("https://user@host:80/p/q?a=b&c=%20#f")
	fmt.Println(u.Host, u.Query(), u.Fragment, err, http.StatusText(404), tls.VersionName(tls.VersionTLS13))
	s := sha256.Sum256([]byte("abc"))
	fmt.Println(hex.EncodeToString(s[:]))
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	signal.Stop(c)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-A", "b")
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprintf(w, "hello %s", r.PathValue("name"))
	})
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/hello/you", nil))
	fmt.Println(w.Code, w.Body, w.Header())
	slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})).Info("msg", "k", 1, slog.Group("g", "x", []int{1}))
	f := big.NewInt(1)
	for i := range int64(30) {
		f.Mul(f, big.NewInt(i+1))
	}
	fmt.Println(f, new(big.Int).Exp(big.NewInt(3), big.NewInt(200), big.NewInt(1000007)))
}
