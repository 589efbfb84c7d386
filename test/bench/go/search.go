// search: the twin of search.occ.
package main

import (
	"fmt"
	"time"
)

const size, rounds = 4000000, 20

func find(text []byte, pattern string) int {
	var skip [256]int
	last := len(pattern) - 1
	for i := range skip {
		skip[i] = len(pattern)
	}
	for i := 0; i < last; i++ {
		skip[pattern[i]] = last - i
	}
	count := 0
	for at := last; at < len(text); at += skip[text[at]] {
		k := 0
		for k <= last && text[at-k] == pattern[last-k] {
			k++
		}
		if k > last {
			count++
		}
	}
	return count
}

func words(text []byte) int {
	count, inside := 0, false
	for _, c := range text {
		if c == ' ' || c == '\n' {
			inside = false
		} else if !inside {
			inside = true
			count++
		}
	}
	return count
}

func main() {
	text := make([]byte, size)
	seed := uint32(7)
	for i := range text {
		seed = seed*1103515245 + 12345
		text[i] = " abcdea\n"[seed>>16&7]
	}
	start := time.Now()
	total := 0
	for r := 0; r < rounds; r++ {
		total += find(text, "abacabad") + words(text)&0xFFFF
	}
	took := time.Since(start).Microseconds()
	fmt.Println("CHECK", total)
	fmt.Println("RESULT search", took, 1)
}
