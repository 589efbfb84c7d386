// commstime: the twin of commstime.occ.
package main

import (
	"fmt"
	"sync"
	"time"
)

const rounds = 1000000

func run(name string, parallel bool) {
	a, b, c, d := make(chan int), make(chan int), make(chan int), make(chan int)
	go func() {
		a <- 0
		for i := 0; i < rounds; i++ {
			a <- <-b
		}
	}()
	go func() {
		for i := 0; i < rounds; i++ {
			x := <-a
			if parallel {
				var join sync.WaitGroup
				join.Add(1)
				go func() {
					c <- x
					join.Done()
				}()
				d <- x
				join.Wait()
			} else {
				c <- x
				d <- x
			}
		}
		<-a
	}()
	go func() {
		for i := 0; i < rounds; i++ {
			b <- 1 + <-c
		}
	}()
	start := time.Now()
	for i := 0; i < rounds; i++ {
		<-d
	}
	fmt.Println("RESULT", name, time.Since(start).Microseconds(), 4*rounds)
}

func main() {
	run("commstime.seq", false)
	run("commstime.par", true)
}
