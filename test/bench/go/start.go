// start: the twin of start.occ.
package main

import (
	"fmt"
	"sync"
	"time"
)

const (
	width = 1000
	waves = 2000
)

func main() {
	var done [width]int
	start := time.Now()
	for w := 0; w < waves; w++ {
		var join sync.WaitGroup
		join.Add(width)
		for i := 0; i < width; i++ {
			go func(i int) {
				done[i]++
				join.Done()
			}(i)
		}
		join.Wait()
	}
	took := time.Since(start).Microseconds()
	sum := 0
	for _, n := range done {
		sum += n
	}
	fmt.Println("RESULT start", took, sum)
}
