// The twin of clock.occ: a barrier of a mutex and a condition variable, which is the fastest way in Go.
package main

import (
	"fmt"
	"sync"
	"time"
)

const each = 10000000

type barrier struct {
	mutex   sync.Mutex
	changed *sync.Cond
	members int
	missing int
	phase   int
}

func newBarrier(members int) *barrier {
	b := &barrier{members: members, missing: members}
	b.changed = sync.NewCond(&b.mutex)
	return b
}

func (b *barrier) next() {
	b.mutex.Lock()
	b.missing--
	if b.missing == 0 {
		b.missing = b.members
		b.phase++
		b.changed.Broadcast()
	} else {
		for phase := b.phase; phase == b.phase; {
			b.changed.Wait()
		}
	}
	b.mutex.Unlock()
}

func measure(name string, members, total int) {
	b := newBarrier(members)
	var all sync.WaitGroup
	start := time.Now()
	for i := 0; i < members; i++ {
		all.Add(1)
		go func() {
			for k := 0; k < total/members; k++ {
				b.next()
			}
			all.Done()
		}()
	}
	all.Wait()
	fmt.Printf("RESULT %s %d %d\n", name, time.Since(start).Microseconds(), total/members*members)
}

func main() {
	measure("clock.10", 10, each/10)
	measure("clock.100", 100, each/10)
	measure("clock.1000", 1000, each/10)
	measure("clock.10000", 10000, each/10)
}
