package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestPercentile(t *testing.T) {
	var all []time.Duration
	require.Zero(t, percentile(all, 50))
	for i := range 200 {
		all = append(all, time.Duration(i+1))
	}
	require.EqualValues(t, 100, percentile(all, 50))
	require.EqualValues(t, 198, percentile(all, 99))
	require.EqualValues(t, 200, percentile(all, 100))
	require.EqualValues(t, 1, percentile(all[:1], 50))
}

func TestLatencies(t *testing.T) {
	start := time.Now()
	changed := map[client.ObjectKey]time.Time{{Name: "a"}: start, {Name: "b"}: start, {Name: "c"}: start.Add(time.Second)}
	seen := arrivals{all: map[client.ObjectKey]time.Time{}}
	seen.note(client.ObjectKey{Name: "a"}, start.Add(2*time.Second))
	seen.note(client.ObjectKey{Name: "a"}, start.Add(9*time.Second)) // a later event of the same
	seen.note(client.ObjectKey{Name: "c"}, start.Add(6*time.Second))
	got, err := seen.since(changed)
	require.NoError(t, err)
	require.Equal(t, &latencies{P50: 2 * time.Second, P99: 5 * time.Second, Max: 5 * time.Second, Missing: 1}, got)

	seen.note(client.ObjectKey{Name: "b"}, start.Add(-time.Second))
	_, err = seen.since(changed)
	require.ErrorContains(t, err, "/b scaled before its load changed")
}
