// triangle: three goroutines in a ring, each of which selects between receiving from the left and sending to the right.
package main

import (
	"fmt"
	"sync"
	"time"
)

const rounds = 200000

func corner(left <-chan int32, right chan<- int32, done *sync.WaitGroup) {
	defer done.Done()
	var received, sent int32
	for received < rounds || sent < rounds {
		from, to := left, right
		if received >= rounds {
			from = nil
		}
		if sent >= rounds {
			to = nil
		}
		select {
		case x := <-from:
			if x != received {
				panic("out of order")
			}
			received++
		case to <- sent:
			sent++
		}
	}
}

func main() {
	ring := [3]chan int32{make(chan int32), make(chan int32), make(chan int32)}
	var done sync.WaitGroup
	done.Add(3)
	start := time.Now()
	for i := range ring {
		go corner(ring[i], ring[(i+1)%3], &done)
	}
	done.Wait()
	fmt.Println("RESULT triangle", time.Since(start).Microseconds(), 3*rounds)
}
