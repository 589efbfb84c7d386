// mobile: the twin of mobile.occ; a slice of bytes is passed as Go does it, by its header.
package main

import (
	"fmt"
	"time"
)

const rounds = 2000000

func report(name string, start time.Time, done int) {
	fmt.Println("RESULT", name, time.Since(start).Microseconds(), done)
}

var kept []int32

func allocate() {
	start := time.Now()
	var sum int32
	for i := 0; i < rounds; i++ {
		m := make([]int32, 4+(i&7))
		kept = m
		m[3] = int32(i)
		sum ^= m[3]
	}
	report("mobile.allocate", start, rounds)
	if sum == -1 {
		panic("sum")
	}
}

func ints() {
	there, back := make(chan int32), make(chan int32)
	start := time.Now()
	go func() {
		for i := 0; i < rounds; i++ {
			back <- <-there
		}
	}()
	for i := 0; i < rounds; i++ {
		there <- int32(i)
		<-back
	}
	report("mobile.send.int", start, 2*rounds)
}

func objects(name string, bytes int) {
	there, back := make(chan []byte), make(chan []byte)
	start := time.Now()
	go func() {
		for i := 0; i < rounds; i++ {
			m := <-there
			m[0] = byte(i & 127)
			back <- m
		}
	}()
	m := make([]byte, bytes)
	for i := 0; i < rounds; i++ {
		there <- m
		m = <-back
	}
	report(name, start, 2*rounds)
}

func main() {
	allocate()
	ints()
	objects("mobile.send.64", 64)
	objects("mobile.send.1M", 1048576)
}
