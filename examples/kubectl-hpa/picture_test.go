package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPicture(t *testing.T) {
	require.Equal(t, "3 |    █\n2 |  █ █\n1 | ██ █\n", picture([]int32{1, 2, 0, 3}, 3, 40))
	// A row of 10 for sizes up to 80.
	require.Equal(t, `80 |   █
70 |   █
60 |   █
50 |   █
40 |   █
30 |  ▄█
20 |  ██
10 | ▁██
`, picture([]int32{1, 25, 80}, 80, 40))
	require.Equal(t, "0 |\n", picture([]int32{0}, 0, 40))
	// The largest of several in a column.
	require.Equal(t, "2 |          █\n1 | ██████████\n", picture([]int32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1}, 2, 14))
}
