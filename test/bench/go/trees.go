// trees: the twin of trees.occ.
package main

import (
	"fmt"
	"time"
)

const deepest = 18

type node struct {
	left, right *node
	key         int32
}

func build(depth int32) *node {
	n := &node{key: depth}
	if depth > 0 {
		n.left = build(depth - 1)
		n.right = build(depth - 1)
	}
	return n
}

func (n *node) count() int32 {
	if n == nil {
		return 0
	}
	return n.left.count() + n.right.count() + 1
}

func main() {
	start := time.Now()
	long := build(deepest)
	total := int32(0)
	for depth := int32(4); depth <= deepest; depth += 2 {
		for i := 0; i < 1<<(deepest-depth+2); i++ {
			total += build(depth).count()
		}
	}
	total += long.count()
	fmt.Printf("RESULT trees %d %d\n", time.Since(start).Microseconds(), total)
	fmt.Printf("CHECK %d\n", total)
}
