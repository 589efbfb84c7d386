// maps: the twin of maps.occ.
package main

import (
	"encoding/binary"
	"fmt"
	"time"
)

const size = 500000

func keyOf(i int32, key []byte) {
	binary.LittleEndian.PutUint64(key, uint64(int64(i)*-7046029254386353131))
}

func result(name string, start time.Time, count int) {
	fmt.Printf("RESULT %s %d %d\n", name, time.Since(start).Microseconds(), count)
}

func main() {
	m := map[string]int32{}
	words := map[string]int32{}
	key := make([]byte, 8)
	start := time.Now()
	for i := int32(0); i < size; i++ {
		keyOf(i, key)
		m[string(key)] = i
	}
	result("maps.put", start, size)
	var sum int32
	start = time.Now()
	for i := int32(0); i < size; i++ {
		keyOf(i*7%size, key)
		sum += m[string(key)]
	}
	result("maps.get", start, size)
	seed := uint32(1)
	word := make([]byte, 4)
	start = time.Now()
	for i := 0; i < 2*size; i++ {
		seed = seed*1103515245 + 12345
		binary.LittleEndian.PutUint32(word, (seed>>8)&0xffff%20000)
		words[string(word)]++
	}
	result("maps.count", start, 2*size)
	start = time.Now()
	for i := int32(0); i < size; i++ {
		keyOf(i, key)
		delete(m, string(key))
	}
	result("maps.remove", start, size)
	fmt.Println("CHECK", sum+int32(len(m)+len(words)))
}
