// spectral: the twin of spectral.occ.
package main

import (
	"fmt"
	"math"
	"time"
)

const n = 2000

func a(i, j int32) float64 { return 1.0 / float64((i+j)*(i+j+1)/2+i+1) }

func times(v, w *[n]float64) {
	for i := range w {
		sum := 0.0
		for j := range v {
			sum += a(int32(i), int32(j)) * v[j]
		}
		w[i] = sum
	}
}

func timesTransposed(v, w *[n]float64) {
	for i := range w {
		sum := 0.0
		for j := range v {
			sum += a(int32(j), int32(i)) * v[j]
		}
		w[i] = sum
	}
}

func main() {
	start := time.Now()
	var u, v, w [n]float64
	for i := range u {
		u[i] = 1.0
	}
	for i := 0; i < 10; i++ {
		times(&u, &w)
		timesTransposed(&w, &v)
		times(&v, &w)
		timesTransposed(&w, &u)
	}
	var uv, vv float64
	for i := range u {
		uv += u[i] * v[i]
		vv += v[i] * v[i]
	}
	took := time.Since(start).Microseconds()
	fmt.Printf("CHECK %.9f\n", math.Sqrt(uv/vv))
	fmt.Println("RESULT spectral", took, 1)
}
