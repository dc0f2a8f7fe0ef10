package calctest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
)

// failing is a test that notes why it fails.
type failing struct {
	testing.TB
	why []string
}

func (f *failing) Errorf(format string, args ...any) {
	f.why = append(f.why, fmt.Sprintf(format, args...))
}

// Exhaust fails a test for what is broken, and for what the search did not find
// out.
func TestExhaustFails(t *testing.T) {
	spec := autoscaling.NewSpec(1, 3, autoscaling.ResourceUtilizationMetric("cpu", 60))
	setup := prove.NewSetup(&spec)
	exhaust := func(s prove.Search, properties ...prove.Property) (*prove.Result, []string) {
		f := &failing{TB: t}
		x := calctest.Exhaust(f, setup, s, properties...)
		return x, f.why
	}
	x, why := exhaust(prove.Search{}, prove.SettledWithin(15*time.Minute))
	require.Empty(t, why)
	_, why = exhaust(prove.Search{Untimed: true}, prove.SettledWithin(time.Minute))
	require.Len(t, why, 1)
	require.Contains(t, why[0], "A constant load settles within 1m.\n")
	_, why = exhaust(prove.Search{MaxStates: 1})
	require.Len(t, why, 1)
	require.Contains(t, why[0], "incomplete after ")
	most := x.States
	for x.Complete = false; !x.Complete; most++ {
		x, why = exhaust(prove.Search{MaxStates: most})
	}
	require.Len(t, why, 1)
	require.Contains(t, why[0], "the longest times were not found\nnext, try ")
	_, why = exhaust(prove.Search{Untimed: true, MaxStates: most})
	require.Empty(t, why, "no times were asked for")
}
