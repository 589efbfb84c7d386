// sync: the twin of sync.occ.
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

func crowd(work func()) time.Duration {
	var join sync.WaitGroup
	start := time.Now()
	join.Add(processes)
	for i := 0; i < processes; i++ {
		go func() {
			for k := 0; k < each; k++ {
				work()
			}
			join.Done()
		}()
	}
	join.Wait()
	return time.Since(start)
}

func main() {
	var m sync.Mutex
	permits := make(chan struct{}, 1)
	x := 0
	start := time.Now()
	for i := 0; i < alone; i++ {
		m.Lock()
		x++
		m.Unlock()
	}
	fmt.Println("RESULT mutex.alone", time.Since(start).Microseconds(), alone)
	took := crowd(func() {
		m.Lock()
		runtime.Gosched()
		m.Unlock()
	})
	fmt.Println("RESULT mutex.100", took.Microseconds(), processes*each)
	start = time.Now()
	for i := 0; i < alone; i++ {
		permits <- struct{}{}
		<-permits
	}
	fmt.Println("RESULT semaphore.alone", time.Since(start).Microseconds(), alone)
	took = crowd(func() {
		permits <- struct{}{}
		runtime.Gosched()
		<-permits
	})
	fmt.Println("RESULT semaphore.100", took.Microseconds(), processes*each)
}
