// sleepers: 100 000 goroutines each sleep a random 1 to 100 ms, ten times: how late they wake.
package main

import (
	"fmt"
	"sort"
	"sync"
	"time"
)

const (
	processes = 100000
	times     = 10
)

func main() {
	late := make([]int64, processes*times)
	var done sync.WaitGroup
	done.Add(processes)
	for p := 0; p < processes; p++ {
		go func(me uint32) {
			defer done.Done()
			state := me*0x9E3779B1 + 12345
			for i := 0; i < times; i++ {
				state = state*1664525 + 1013904223
				length := time.Duration(1000+(state>>8)%99001) * time.Microsecond
				start := time.Now()
				time.Sleep(length)
				late[int(me)*times+i] = (time.Since(start) - length).Microseconds()
			}
		}(uint32(p))
	}
	done.Wait()
	sort.Slice(late, func(i, j int) bool { return late[i] < late[j] })
	fmt.Println("RESULT sleepers.late.p50", late[len(late)/2], 1000)
	fmt.Println("RESULT sleepers.late.p99", late[len(late)/100*99], 1000)
}
