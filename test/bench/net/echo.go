// The twin of examples/servers/echo.occ: a goroutine for each connection.
package main

import (
	"fmt"
	"net"
)

func serve(c net.Conn) {
	buffer := make([]byte, 65536)
	for {
		n, err := c.Read(buffer)
		if err != nil {
			break
		}
		if _, err = c.Write(buffer[:n]); err != nil {
			break
		}
	}
	c.Close()
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("listening on %s\n", l.Addr())
	for {
		c, err := l.Accept()
		if err == nil {
			go serve(c)
		}
	}
}
