// The twin of examples/servers/hello.occ, over net/http; of examples/servers/files.occ, with a folder.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
)

func main() {
	if len(os.Args) > 1 {
		http.Handle("/hello.txt", http.FileServer(http.Dir(os.Args[1])))
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Write([]byte("Hello, world!"))
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("listening on %s\n", l.Addr())
	http.Serve(l, nil)
}
