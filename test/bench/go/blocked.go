// blocked: the twin of blocked.occ.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

const count = 1000000

func show(words string) {
	fmt.Println("MEMORY", words, count)
	time.Sleep(400 * time.Millisecond)
}

func main() {
	c := make([]chan int, count)
	for i := range c {
		c[i] = make(chan int)
	}
	runtime.GC()
	show("before")
	var join sync.WaitGroup
	join.Add(count)
	for i := range c {
		go func(in <-chan int) {
			<-in
			join.Done()
		}(c[i])
	}
	time.Sleep(100 * time.Millisecond)
	show("after")
	for i := range c {
		c[i] <- i
	}
	join.Wait()
}
