// rings: the twin of rings.occ.
package main

import (
	"fmt"
	"sync"
	"time"
)

const (
	rings, ringSize, ringLaps = 10, 100, 5000
	crowd, tokens, crowdLaps  = 256, 64, 200
	million, millionLaps      = 1000000, 6
)

func node(begins bool, count int, in <-chan int, out chan<- int) {
	if begins {
		out <- 0
	} else {
		out <- 1 + <-in
	}
	for i := 0; i < count-1; i++ {
		out <- 1 + <-in
	}
	if begins {
		<-in
	}
}

func run(name string, rings, size, step, count, hops int) {
	var all sync.WaitGroup
	start := time.Now()
	for r := 0; r < rings; r++ {
		link := make([]chan int, size)
		for i := range link {
			link[i] = make(chan int)
		}
		for i := range link {
			all.Add(1)
			i := i
			go func() {
				node(i%step == 0, count, link[i], link[(i+1)%size])
				all.Done()
			}()
		}
	}
	all.Wait()
	fmt.Println("RESULT", name, time.Since(start).Microseconds(), hops)
}

func ringOfMillion() {
	link := make([]chan int, million)
	for i := range link {
		link[i] = make(chan int)
	}
	for i := 0; i < million-1; i++ {
		go node(false, millionLaps, link[i], link[i+1])
	}
	link[0] <- 0
	token := <-link[million-1]
	start := time.Now()
	for i := 0; i < millionLaps-1; i++ {
		link[0] <- token + 1
		token = <-link[million-1]
	}
	fmt.Println("RESULT rings.million", time.Since(start).Microseconds(), million*(millionLaps-1))
}

func main() {
	run("rings.ten", rings, ringSize, ringSize, ringLaps, rings*ringSize*ringLaps)
	run("rings.tokens", 1, crowd, crowd/tokens, tokens*crowdLaps, crowd*tokens*crowdLaps)
	ringOfMillion()
}
