package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitStat(t *testing.T) {
	name, fields := splitStat("42 (a (b) c) S 7 42\n")
	require.Equal(t, "a (b) c", name)
	require.Equal(t, []string{"S", "7", "42"}, fields)
	name, _ = splitStat("")
	require.Empty(t, name)
}

func TestOwnProcess(t *testing.T) {
	_, err := cpuTime(os.Getpid())
	require.NoError(t, err)
	peak, resident, err := memory(os.Getpid())
	require.NoError(t, err)
	require.Positive(t, resident)
	require.GreaterOrEqual(t, peak, resident)
}

func TestMemStat(t *testing.T) {
	text := []byte("heap profile: 1\n\n# runtime.MemStats\n# TotalAlloc = 2048\n# Mallocs = 17\n")
	n, err := memStat(text, "Mallocs")
	require.NoError(t, err)
	require.EqualValues(t, 17, n)
	_, err = memStat(text, "Frees")
	require.Error(t, err)
}
