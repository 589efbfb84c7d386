// skynet: the twin of skynet.occ.
package main

import (
	"fmt"
	"time"
)

const leaves = 1000000

func node(first, count int, up chan<- int64) {
	if count == 1 {
		up <- int64(first)
		return
	}
	part := count / 10
	var child [10]chan int64
	for i := range child {
		child[i] = make(chan int64)
		go node(first+i*part, part, child[i])
	}
	var sum int64
	for i := range child {
		sum += <-child[i]
	}
	up <- sum
}

func main() {
	root := make(chan int64)
	start := time.Now()
	go node(0, leaves, root)
	sum := <-root
	fmt.Println("RESULT skynet", time.Since(start).Microseconds(), leaves)
	if sum != 499999500000 {
		panic(sum)
	}
}
