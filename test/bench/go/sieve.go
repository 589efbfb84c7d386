// sieve: the twin of sieve.occ.
package main

import (
	"fmt"
	"time"
)

const (
	primes = 5000
	last   = 48611
)

func generate(out chan<- int) {
	for n := 2; n <= last; n++ {
		out <- n
	}
	out <- 0
}

func filter(in <-chan int, out chan<- int) {
	prime := <-in
	for n := prime; n != 0; {
		n = <-in
		if n == 0 || n%prime != 0 {
			out <- n
		}
	}
}

func main() {
	start := time.Now()
	link := make(chan int)
	go generate(link)
	for i := 0; i < primes-1; i++ {
		next := make(chan int)
		go filter(link, next)
		link = next
	}
	p := <-link
	<-link
	took := time.Since(start).Microseconds()
	fmt.Println("CHECK", p)
	fmt.Println("RESULT sieve", took, 1)
}
