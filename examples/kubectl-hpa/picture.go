package main

import (
	"fmt"
	"strings"
)

// rows is how many lines a picture has at most.
const rows = 8

// picture draws sizes as columns below a scale that ends at most. Where there
// are more sizes than columns, one shows the largest of several.
func picture(sizes []int32, most int32, width int) string {
	label := len(fmt.Sprint(most))
	columns := merge(sizes, max(width-label-3, 10))
	height := min(int32(rows), max(most, 1))
	var b strings.Builder
	for row := height; row > 0; row-- {
		// The size at the top of the row, and at its bottom.
		top, bottom := level(row, height, most), level(row-1, height, most)
		line := fmt.Sprintf("%*d | ", label, top)
		for _, size := range columns {
			line += string(block(size, bottom, top))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// level is the size that a row reaches up to.
func level(row, height, most int32) int32 { return int32(int64(row) * int64(most) / int64(height)) }

// block is how much of a row a size fills.
func block(size, bottom, top int32) rune {
	blocks := []rune(" ▁▂▃▄▅▆▇█")
	if top <= bottom || size <= bottom {
		return ' '
	}
	return blocks[max(min(int64(size-bottom)*8/int64(top-bottom), 8), 1)]
}

// merge returns at most n values, each the largest of several.
func merge(sizes []int32, n int) []int32 {
	if len(sizes) <= n {
		return sizes
	}
	out := make([]int32, n)
	for i, s := range sizes {
		at := i * n / len(sizes)
		out[at] = max(out[at], s)
	}
	return out
}
