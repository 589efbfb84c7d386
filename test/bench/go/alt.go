// alt: the twin of alt.occ; select statements written out for 2 and 16, reflect for 128.
package main

import (
	"fmt"
	"reflect"
	"time"
)

const messages = 1024000

func writers(n int) []chan int {
	c := make([]chan int, n)
	for i := range c {
		c[i] = make(chan int)
		go func(out chan<- int) {
			for m := 0; m < messages/n; m++ {
				out <- m
			}
		}(c[i])
	}
	return c
}

func report(name string, start time.Time, done int) {
	fmt.Println("RESULT", name, time.Since(start).Microseconds(), done)
}

func alt2() {
	c := writers(2)
	start := time.Now()
	for i := 0; i < messages; i++ {
		select {
		case <-c[0]:
		case <-c[1]:
		}
	}
	report("alt.2", start, messages)
}

func alt16() {
	c := writers(16)
	start := time.Now()
	for i := 0; i < messages; i++ {
		select {
		case <-c[0]:
		case <-c[1]:
		case <-c[2]:
		case <-c[3]:
		case <-c[4]:
		case <-c[5]:
		case <-c[6]:
		case <-c[7]:
		case <-c[8]:
		case <-c[9]:
		case <-c[10]:
		case <-c[11]:
		case <-c[12]:
		case <-c[13]:
		case <-c[14]:
		case <-c[15]:
		}
	}
	report("alt.16", start, messages)
}

// A tenth of the messages: this one is slow.
func alt128() {
	c := writers(128)
	cases := make([]reflect.SelectCase, len(c))
	for i := range c {
		cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c[i])}
	}
	start := time.Now()
	for i := 0; i < messages/10; i++ {
		reflect.Select(cases)
	}
	report("alt.128", start, messages/10)
}

func main() {
	alt2()
	alt16()
	alt128()
}
