package rules

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
)

// busy is the load, in replicas, above which there must be as many.
const busy = 6

// slo is what the team promises for every course of load, and the rules that
// break it.
var slo = []struct {
	promise  prove.Property
	brokenBy string
}{
	{prove.CarriedWithin(2 * time.Minute), "search"},
	{prove.ReleasedWithin(25*time.Minute, 1.5), "hoarding"},
	{prove.RemovedAtMost(4, time.Minute), "checkout"},
	{prove.TurnsWithin(4, 4.2, 1), "nervous"},
	{
		prove.LeadsTo("A minute above 6 leads to 6 replicas within 2 more.",
			func(tr *prove.Transition) bool { return tr.Load > busy }, time.Minute,
			func(tr *prove.Transition) bool { return tr.After >= busy }, 2*time.Minute),
		"search",
	},
	{
		// The memory is how many syncs ago the size rose, up to 5.
		prove.Watch("What was added stays for 5 minutes.", 5, func(ago int, tr *prove.Transition) (int, string) {
			switch {
			case tr.After > tr.Size:
				return 0, ""
			case tr.After < tr.Size && ago < 4:
				return 5, fmt.Sprintf("%d becomes %d", tr.Size, tr.After)
			}
			return min(ago+1, 5), ""
		}),
		"checkout",
	},
}

// service returns the rules for up to 8 replicas with a sync each minute, which
// takes a search a moment. Two are those of catalog under another tolerance:
// hoarding keeps pods that are hardly used, nervous tolerates nothing.
func service(t *testing.T, rules string) *prove.Setup {
	tolerance, other := map[string]float64{"hoarding": 0.9, "nervous": 0}[rules]
	file := rules
	if other {
		file = "catalog"
	}
	s := calctest.Manifest(t, filepath.Join("testdata", file+".json"))
	s.Spec.MaxReplicas, s.SyncPeriod = 8, time.Minute
	if other {
		s.Settings.Tolerance = tolerance
	}
	return s
}

// The rules of catalog keep all promises. Each promise is broken by others, with
// a shortest course of load.
func TestSLO(t *testing.T) {
	search := prove.Search{Edges: []float64{busy}}
	for _, x := range slo {
		t.Run(x.promise.String(), func(t *testing.T) {
			calctest.Exhaust(t, service(t, "catalog"), search, x.promise)

			broken, err := search.Run(t.Context(), service(t, x.brokenBy), x.promise)
			require.NoError(t, err)
			require.Equal(t, prove.Broken, broken.Verdicts[0].Outcome)
			t.Logf("%s: %v", x.brokenBy, &broken.Verdicts[0])
		})
	}
}
