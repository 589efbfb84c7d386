// claim: the twin of claim.occ, with sync.Mutex.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

const (
	alone     = 5000000
	processes = 100
	each      = 20000
)

func main() {
	var link sync.Mutex
	start := time.Now()
	for i := 0; i < alone; i++ {
		link.Lock()
		link.Unlock()
	}
	fmt.Println("RESULT claim.alone", time.Since(start).Microseconds(), alone)
	var join sync.WaitGroup
	start = time.Now()
	for p := 0; p < processes; p++ {
		join.Add(1)
		go func() {
			for i := 0; i < each; i++ {
				link.Lock()
				runtime.Gosched()
				link.Unlock()
			}
			join.Done()
		}()
	}
	join.Wait()
	fmt.Println("RESULT claim.100", time.Since(start).Microseconds(), processes*each)
}
