package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// TestREADME runs the commands of the README one after another. The pods, and
// their load, are the test's.
func TestREADME(t *testing.T) {
	// In a cluster of its own, for they also take all away.
	c, err := clustertest.Start(t.Context(), clustertest.Options{})
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	require.NoError(t, err)
	c.World.Set(clustertest.Load{CPU: 800}, "demo")
	require.NoError(t, c.Free())

	out := c.README(t, "", nil)
	require.Contains(t, out, "would scale from 1 to 4")
	require.Contains(t, out, "New size: 4")
}
