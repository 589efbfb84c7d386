// matmul: the twin of matmul.occ.
package main

import (
	"fmt"
	"time"
)

const n = 512

var a, b, c [n][n]float64

func main() {
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			a[i][j] = float64((i*3 + j*7) % 11)
			b[i][j] = float64((i*5 + j*2) % 13)
		}
	}
	start := time.Now()
	for i := 0; i < n; i++ {
		row := &c[i]
		for k := 0; k < n; k++ {
			x, other := a[i][k], &b[k]
			for j := range row {
				row[j] += x * other[j]
			}
		}
	}
	took := time.Since(start).Microseconds()
	trace := 0.0
	for i := 0; i < n; i++ {
		trace += c[i][i]
	}
	fmt.Println("CHECK", int(trace))
	fmt.Println("RESULT matmul", took, 1)
}
