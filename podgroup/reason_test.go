package podgroup_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/podgroup"
)

func TestReasonClass(t *testing.T) {
	for r := podgroup.Counted; r <= podgroup.NotOwned; r++ {
		require.Equal(t, classOf(r), r.Class(), r)
	}
	require.Equal(t, podgroup.Ignored, (podgroup.NotOwned + 1).Class())
	require.Equal(t, podgroup.Ignored, podgroup.Reason(255).Class())
}

func TestReasonText(t *testing.T) {
	for r, text := range []string{
		"counted", "being deleted", "phase failed", "phase pending", "no sample",
		"no ready condition", "no start time", "not ready yet", "sample too early", "never ready",
		"phase succeeded", "not owned",
		"reason(12)",
	} {
		require.Equal(t, text, podgroup.Reason(r).Text())
	}
}

func TestReasonCountsText(t *testing.T) {
	for _, tt := range []struct {
		counts podgroup.ReasonCounts
		class  podgroup.Class
		want   string
	}{
		{podgroup.ReasonCounts{}, podgroup.Unready, ""},
		{podgroup.ReasonCounts{podgroup.NoSample: 3}, podgroup.Unready, ""},
		{podgroup.ReasonCounts{podgroup.NoSample: 3}, podgroup.Missing, "no sample"},
		{podgroup.ReasonCounts{podgroup.NoStartTime: 1, podgroup.NoSample: 9}, podgroup.Unready, "no start time"},
		{podgroup.ReasonCounts{podgroup.NoStartTime: 3, podgroup.PhaseIsPending: 2}, podgroup.Unready, "3 no start time, 2 phase pending"},
		{podgroup.ReasonCounts{podgroup.NoStartTime: 2, podgroup.PhaseIsPending: 2}, podgroup.Unready, "2 phase pending, 2 no start time"},
		{podgroup.ReasonCounts{podgroup.BeingDeleted: 1, podgroup.PhaseIsFailed: 2}, podgroup.Ignored, "2 phase failed, 1 being deleted"},
		{podgroup.ReasonCounts{podgroup.Counted: 5, podgroup.NotReadyYet: 1}, podgroup.Ready, ""},
		{podgroup.ReasonCounts{podgroup.Counted: 5, podgroup.NotReadyYet: 1}, podgroup.Unready, "not ready yet"},
	} {
		require.Equal(t, tt.want, tt.counts.Text(tt.class))
	}
}

// Every pod of a class is in the text of the class.
func TestReasonCountsTextAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counts podgroup.ReasonCounts
		want := map[podgroup.Class]int{}
		kinds := map[podgroup.Class]int{}
		for r := podgroup.BeingDeleted; r <= podgroup.NotOwned; r++ {
			counts[r] = int32(rapid.IntRange(0, 3).Draw(t, "count"))
			want[r.Class()] += int(counts[r])
			if counts[r] > 0 {
				kinds[r.Class()]++
			}
		}
		for c := podgroup.Ready; c <= podgroup.Ignored; c++ {
			text := counts.Text(c)
			if kinds[c] < 2 {
				require.False(t, strings.ContainsAny(text, "0123456789,"), text)
				require.Equal(t, kinds[c] == 0, text == "")
				continue
			}
			parts := strings.Split(text, ", ")
			require.Len(t, parts, kinds[c])
			sum, last := 0, 3
			for _, part := range parts {
				n, err := strconv.Atoi(part[:1])
				require.NoError(t, err)
				require.LessOrEqual(t, n, last)
				sum, last = sum+n, n
			}
			require.Equal(t, want[c], sum)
		}
	})
}
