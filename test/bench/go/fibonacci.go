// fibonacci: the twin of fibonacci.occ, of smaller numbers, which favours Go (millions of goroutines need gigabytes); a goroutine for each process, and results in variables or over channels.
package main

import (
	"fmt"
	"sync"
	"time"
)

const (
	n            = 27
	processes    = 635620
	m            = 24
	withChannels = 150048
)

func fib(n int, f *int, join *sync.WaitGroup) {
	defer join.Done()
	if n < 2 {
		*f = n
		return
	}
	var a, b int
	var mine sync.WaitGroup
	mine.Add(2)
	go fib(n-1, &a, &mine)
	go fib(n-2, &b, &mine)
	mine.Wait()
	*f = a + b
}

func fibTo(n int, f chan int) {
	if n < 2 {
		f <- n
		return
	}
	left, right := make(chan int), make(chan int)
	go fibTo(n-1, left)
	go fibTo(n-2, right)
	a := <-left
	f <- a + <-right
}

func main() {
	var f int
	var join sync.WaitGroup
	start := time.Now()
	join.Add(1)
	fib(n, &f, &join)
	fmt.Println("RESULT fibonacci", time.Since(start).Microseconds(), processes)
	c := make(chan int)
	start = time.Now()
	go fibTo(m, c)
	f = <-c
	fmt.Println("RESULT fibonacci.channels", time.Since(start).Microseconds(), withChannels)
}
