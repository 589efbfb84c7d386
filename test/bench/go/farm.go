// farm: the Mandelbrot set by eight workers; select with send and receive cases.
package main

import (
	"fmt"
	"time"
)

const (
	size    = 1000
	limit   = 255
	workers = 8
)

func iterations(cx, cy float64) int {
	x, y, xx, yy := 0.0, 0.0, 0.0, 0.0
	n := 0
	for n < limit && xx+yy < 4.0 {
		y = 2.0*x*y + cy
		x = xx - yy + cx
		xx = x * x
		yy = y * y
		n++
	}
	return n
}

func worker(rows <-chan int, sums chan<- int) {
	for row := range rows {
		cy := float64(row)*(2.6/size) - 1.3
		cx := -2.1
		sum := 0
		for column := 0; column < size; column++ {
			sum += iterations(cx, cy)
			cx += 3.1 / size
		}
		sums <- sum
	}
}

func main() {
	start := time.Now()
	var rows, sums [workers]chan int
	for i := range rows {
		rows[i], sums[i] = make(chan int), make(chan int)
		go worker(rows[i], sums[i])
	}
	go func() {
		for row := 0; row < size; row++ {
			select {
			case rows[0] <- row:
			case rows[1] <- row:
			case rows[2] <- row:
			case rows[3] <- row:
			case rows[4] <- row:
			case rows[5] <- row:
			case rows[6] <- row:
			case rows[7] <- row:
			}
		}
		for i := range rows {
			close(rows[i])
		}
	}()
	total, sum := 0, 0
	for i := 0; i < size; i++ {
		select {
		case sum = <-sums[0]:
		case sum = <-sums[1]:
		case sum = <-sums[2]:
		case sum = <-sums[3]:
		case sum = <-sums[4]:
		case sum = <-sums[5]:
		case sum = <-sums[6]:
		case sum = <-sums[7]:
		}
		total += sum
	}
	fmt.Println("CHECK", total)
	fmt.Println("RESULT farm", time.Since(start).Microseconds(), 1)
}
