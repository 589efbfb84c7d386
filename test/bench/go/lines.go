// lines: the twin of lines.occ.
package main

import (
	"fmt"
	"time"
)

const size, limit = 1000, 255

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

func main() {
	start := time.Now()
	sums := make([]chan int, size)
	for row := range sums {
		sums[row] = make(chan int)
		go func(row int, sum chan<- int) {
			cy := 2.6*(float64(row)/size) - 1.3
			cx := -2.1
			total := 0
			for column := 0; column < size; column++ {
				total += iterations(cx, cy)
				cx += 3.1 / size
			}
			sum <- total
		}(row, sums[row])
	}
	all := 0
	for _, sum := range sums {
		all += <-sum
	}
	elapsed := time.Since(start).Microseconds()
	fmt.Println("CHECK", all)
	fmt.Println("RESULT lines", elapsed, 1)
}
