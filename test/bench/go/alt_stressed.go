// alt_stressed: the twin in Go; select over a number known at run time is reflect.Select.
package main

import (
	"fmt"
	"reflect"
	"time"
)

const (
	messages = 400000
	slow     = 20 // reflect.Select over many channels is slow: fewer messages are measured
)

func channels(n int) []chan int32 {
	all := make([]chan int32, n)
	for i := range all {
		all[i] = make(chan int32)
	}
	return all
}

func writer(n int, out chan<- int32) {
	for i := 0; i < n; i++ {
		out <- int32(i)
	}
}

func chooseInput(n int, in []chan int32) {
	cases := make([]reflect.SelectCase, len(in))
	for i := range in {
		cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(in[i])}
	}
	for i := 0; i < n; i++ {
		reflect.Select(cases)
	}
}

func report(name string, start time.Time, count int) {
	fmt.Println("RESULT", name, time.Since(start).Microseconds(), count)
}

func main() {
	start := time.Now()
	c := channels(200)
	for i := range c {
		go writer(messages/slow/len(c), c[i])
	}
	chooseInput(messages/slow, c)
	report("alt.stressed.200", start, messages/slow)

	start = time.Now()
	c = channels(128)
	go writer(messages/slow, c[97])
	chooseInput(messages/slow, c)
	report("alt.one.of.128", start, messages/slow)

	start = time.Now()
	c = channels(16)
	cases := make([]reflect.SelectCase, len(c))
	for i := range c {
		go func(in <-chan int32) {
			for range in {
			}
		}(c[i])
		cases[i] = reflect.SelectCase{Dir: reflect.SelectSend, Chan: reflect.ValueOf(c[i]), Send: reflect.ValueOf(int32(1))}
	}
	for i := 0; i < messages/slow; i++ {
		reflect.Select(cases)
	}
	report("alt.output.16", start, messages/slow)

	start = time.Now()
	one := make(chan int32)
	go writer(1, one)
	for missed := 0; missed < messages; {
		select {
		case <-one:
		default:
			missed++
		}
	}
	report("alt.poll", start, messages)
}
