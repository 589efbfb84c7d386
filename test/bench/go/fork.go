// fork: the twin of fork.occ.
package main

import (
	"fmt"
	"sync"
	"time"
)

const (
	waves = 1000
	wave  = 1000
	all   = 1000000
)

func run(name string, rounds, width int, body func(int)) {
	start := time.Now()
	for i := 0; i < rounds; i++ {
		var join sync.WaitGroup
		join.Add(width)
		for k := 0; k < width; k++ {
			go func(k int) {
				body(k)
				join.Done()
			}(k)
		}
		join.Wait()
	}
	fmt.Println("RESULT", name, time.Since(start).Microseconds(), rounds*width)
}

func main() {
	link := make(chan int, 1)
	run("fork.empty", waves, wave, func(int) {})
	run("fork.arguments", waves, wave, func(k int) {
		if k < 0 {
			link <- k
		}
	})
	run("fork.all", 1, all, func(int) {})
}
