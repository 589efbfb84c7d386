// mandelbrot: the twin of mandelbrot.occ.
package main

import (
	"fmt"
	"time"
)

const (
	size  = 1000
	limit = 255
)

func iterations(cx, cy float64) int32 {
	var x, y, xx, yy float64
	var n int32
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
	var sum int32
	cy := -1.3
	for row := 0; row < size; row++ {
		cx := -2.1
		for column := 0; column < size; column++ {
			sum += iterations(cx, cy)
			cx += 3.1 / size
		}
		cy += 2.6 / size
	}
	took := time.Since(start).Microseconds()
	fmt.Println("CHECK", sum)
	fmt.Println("RESULT mandelbrot", took, 1)
}
