// ring: the twin of ring.occ.
package main

import (
	"fmt"
	"time"
)

const (
	size   = 1000
	rounds = 2000
)

func main() {
	var link [size]chan int
	for i := range link {
		link[i] = make(chan int)
	}
	for i := 0; i < size-1; i++ {
		go func(in <-chan int, out chan<- int) {
			for r := 0; r < rounds; r++ {
				out <- 1 + <-in
			}
		}(link[i], link[i+1])
	}
	start := time.Now()
	token := 0
	for r := 0; r < rounds; r++ {
		link[0] <- token + 1
		token = <-link[size-1]
	}
	fmt.Println("RESULT ring", time.Since(start).Microseconds(), token)
}
