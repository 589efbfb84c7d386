// nets: the twin of nets.occ.
package main

import (
	"fmt"
	"sync"
	"time"
)

func commstime(rounds int) {
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
			c <- x
			d <- x
		}
		<-a
	}()
	go func() {
		for i := 0; i < rounds; i++ {
			b <- 1 + <-c
		}
	}()
	for i := 0; i < rounds; i++ {
		<-d
	}
}

func run(name string, nets, rounds int) {
	start := time.Now()
	var join sync.WaitGroup
	join.Add(nets)
	for i := 0; i < nets; i++ {
		go func() {
			commstime(rounds)
			join.Done()
		}()
	}
	join.Wait()
	fmt.Println("RESULT", name, time.Since(start).Microseconds(), 4*nets*rounds)
}

func main() {
	run("nets.8", 8, 400000)
	run("nets.64", 64, 50000)
}
