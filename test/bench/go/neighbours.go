// neighbours: the twin of neighbours.occ.
package main

import (
	"fmt"
	"sync"
	"time"
)

const cells, steps, work = 256, 400, 2000

func cell(n int32, fromLeft, fromRight <-chan int32, toLeft, toRight chan<- int32, result chan<- int32) {
	state := n
	for step := 0; step < steps; step++ {
		var left, right int32
		var join sync.WaitGroup
		join.Add(3)
		go func() { toLeft <- state; join.Done() }()
		go func() { toRight <- state; join.Done() }()
		go func() { left = <-fromLeft; join.Done() }()
		right = <-fromRight
		join.Wait()
		state = state + left*3 + right*5
		for i := 0; i < work; i++ {
			state = (state ^ state<<3) + int32(uint32(state)>>5)
		}
	}
	result <- state
}

func channels() []chan int32 {
	made := make([]chan int32, cells)
	for i := range made {
		made[i] = make(chan int32)
	}
	return made
}

func main() {
	start := time.Now()
	right, left, done := channels(), channels(), channels()
	for i := 0; i < cells; i++ {
		go cell(int32(i), right[(i+cells-1)%cells], left[(i+1)%cells], left[i], right[i], done[i])
	}
	sum := int32(0)
	for i := range done {
		sum ^= <-done[i]
	}
	elapsed := time.Since(start).Microseconds()
	fmt.Println("CHECK", sum)
	fmt.Println("RESULT neighbours", elapsed, 1)
}
