// sort: the twin of sort.occ.
package main

import (
	"fmt"
	"time"
)

const size, limit = 1000000, 8000000

func shellSort(v []int32) {
	for gap := len(v) / 2; gap > 0; gap /= 2 {
		for i := gap; i < len(v); i++ {
			x, j := v[i], i
			for j >= gap && v[j-gap] > x {
				v[j] = v[j-gap]
				j -= gap
			}
			v[j] = x
		}
	}
}

func quickSort(v []int32) {
	var lows, highs [64]int
	depth := 1
	highs[0] = len(v) - 1
	for depth > 0 {
		depth--
		low, high := lows[depth], highs[depth]
		for low < high {
			i, j, pivot := low, high, v[low+(high-low)/2]
			for i <= j {
				for v[i] < pivot {
					i++
				}
				for v[j] > pivot {
					j--
				}
				if i <= j {
					v[i], v[j] = v[j], v[i]
					i++
					j--
				}
			}
			if j-low < high-i {
				lows[depth], highs[depth] = i, high
				high = j
			} else {
				lows[depth], highs[depth] = low, j
				low = i
			}
			depth++
		}
	}
}

func primes() int {
	crossed := make([]bool, limit)
	count := 0
	for i := 2; i < limit; i++ {
		if !crossed[i] {
			count++
			for j := i + i; j < limit; j += i {
				crossed[j] = true
			}
		}
	}
	return count
}

func main() {
	v := make([]int32, size)
	seed := uint32(42)
	for i := range v {
		seed = seed*1103515245 + 12345
		v[i] = int32(seed >> 8 & 0xFFFFF)
	}
	w := append([]int32(nil), v...)
	start := time.Now()
	shellSort(v)
	quickSort(w)
	sum := int32(primes())
	took := time.Since(start).Microseconds()
	for i := range v {
		sum += v[i] ^ (w[size-1-i] * int32(i))
	}
	fmt.Println("CHECK", sum)
	fmt.Println("RESULT sort", took, 1)
}
