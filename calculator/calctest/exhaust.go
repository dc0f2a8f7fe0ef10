package calctest

import (
	"testing"

	"github.com/purehpa/hpa/calculator/prove"
)

// Exhaust tries every course of load, and fails t for each property that does
// not hold, with a shortest counterexample. A search that is not complete, or
// finds no longest times, fails t, too. All processors are used. Package prove
// says what is proved if Exhaust passes, and what is not.
//
//	func TestRules(t *testing.T) {
//		setup := calctest.Manifest(t, "hpa.json")
//		calctest.Exhaust(t, setup, prove.Search{},
//			prove.CarriedWithin(time.Minute),
//			prove.SettledWithin(10*time.Minute))
//	}
func Exhaust(t testing.TB, setup *prove.Setup, s prove.Search, properties ...prove.Property) *prove.Result {
	t.Helper()
	x, err := s.Run(t.Context(), setup, properties...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.Verdicts {
		if v := &x.Verdicts[i]; v.Outcome != prove.Proved {
			t.Errorf("%s", v)
		}
	}
	if !x.Complete || !x.Timed && !s.Untimed {
		t.Errorf("calctest: %v", x)
	}
	return x
}
