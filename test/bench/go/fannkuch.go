// fannkuch: the twin of fannkuch.occ.
package main

import (
	"fmt"
	"time"
)

const n = 10

func fannkuch() (int, int) {
	var perm, first, count [n]int
	checksum, flips, parity, r := 0, 0, 0, n
	for i := range first {
		first[i] = i
	}
	for {
		for ; r != 1; r-- {
			count[r-1] = r
		}
		perm = first
		f := 0
		for k := perm[0]; k != 0; k = perm[0] {
			for i, j := 0, k; i < j; i, j = i+1, j-1 {
				perm[i], perm[j] = perm[j], perm[i]
			}
			f++
		}
		if f > flips {
			flips = f
		}
		if parity == 0 {
			checksum += f
		} else {
			checksum -= f
		}
		for {
			if r == n {
				return checksum, flips
			}
			p := first[0]
			for i := 0; i < r; i++ {
				first[i] = first[i+1]
			}
			first[r] = p
			count[r]--
			if count[r] > 0 {
				break
			}
			r++
		}
		parity = 1 - parity
	}
}

func main() {
	start := time.Now()
	checksum, flips := fannkuch()
	took := time.Since(start).Microseconds()
	fmt.Println("CHECK", checksum*100+flips)
	fmt.Println("RESULT fannkuch", took, 1)
}
