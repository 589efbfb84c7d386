// alt_waiting: the twin in Go; select statements written out for 2 and 8, reflect for 1000.
package main

import (
	"fmt"
	"reflect"
	"time"
)

const ahead = 60 * time.Second

type crew struct {
	request []chan int32
	out     []chan int32
	seed    uint32
}

func newCrew(n int) *crew {
	c := &crew{request: make([]chan int32, n), out: make([]chan int32, n), seed: 12345}
	for i := range c.out {
		c.request[i] = make(chan int32)
		c.out[i] = make(chan int32)
		go func(request <-chan int32, out chan<- int32) {
			for x := range request {
				out <- x
			}
		}(c.request[i], c.out[i])
	}
	return c
}

// ask tells one writer, at random, to answer.
func (c *crew) ask(x int) {
	c.seed = c.seed*1664525 + 1013904223
	c.request[(c.seed>>16)*uint32(len(c.request))>>16] <- int32(x)
}

func (c *crew) dismiss() {
	for _, request := range c.request {
		close(request)
	}
}

func two(messages int) {
	c := newCrew(2)
	a, b := c.out[0], c.out[1]
	for i := 0; i < messages; i++ {
		c.ask(i)
		select {
		case <-a:
		case <-b:
		}
	}
	c.dismiss()
}

func eight(messages int) {
	crew := newCrew(8)
	o := crew.out
	a, b, c, d, e, f, g, h := o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7]
	for i := 0; i < messages; i++ {
		crew.ask(i)
		select {
		case <-a:
		case <-b:
		case <-c:
		case <-d:
		case <-e:
		case <-f:
		case <-g:
		case <-h:
		}
	}
	crew.dismiss()
}

func thousand(messages int) {
	c := newCrew(1000)
	cases := make([]reflect.SelectCase, len(c.out))
	for i := range c.out {
		cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c.out[i])}
	}
	for i := 0; i < messages; i++ {
		c.ask(i)
		reflect.Select(cases)
	}
	c.dismiss()
}

func deadline(messages int) {
	crew := newCrew(8)
	o := crew.out
	a, b, c, d, e, f, g, h := o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7]
	late := time.After(ahead)
	for i := 0; i < messages; i++ {
		crew.ask(i)
		select {
		case <-a:
		case <-b:
		case <-c:
		case <-d:
		case <-e:
		case <-f:
		case <-g:
		case <-h:
		case <-late:
			panic("too late")
		}
	}
	crew.dismiss()
}

func timeout(messages int) {
	in := make(chan int32)
	go func() {
		for i := 0; i < messages; i++ {
			in <- int32(i)
		}
	}()
	late := time.NewTimer(ahead)
	for i := 0; i < messages; i++ {
		late.Reset(ahead)
		select {
		case <-in:
		case <-late.C:
			panic("too late")
		}
	}
}

func measure(name string, messages int, body func(int)) {
	start := time.Now()
	body(messages)
	fmt.Println("RESULT", name, time.Since(start).Microseconds(), messages)
}

func main() {
	measure("alt.waiting.2", 200000, two)
	measure("alt.waiting.8", 200000, eight)
	measure("alt.waiting.1000", 500, thousand)
	measure("alt.deadline.8", 200000, deadline)
	measure("alt.timeout", 200000, timeout)
}
