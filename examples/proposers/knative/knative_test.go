package knative

import (
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"

	"github.com/purehpa/hpa/examples/proposers"
)

var (
	steps = flag.Int("steps", 20_000, "how many steps to compare")
	seed  = flag.Uint64("seed", 1, "of the courses")
)

// In each step the sizes are equal, or the arithmetic says why not.
func TestWindowsAreKnatives(t *testing.T) {
	dice := rand.New(rand.NewPCG(*seed, 0))
	count := map[string]int{}
	for count["steps"] < *steps {
		compare(t, newSides(t, dice), dice, count)
	}
	t.Log(count)
	for _, what := range []string{"restarted", "without load", "in a panic"} {
		require.Positive(t, count[what], what)
	}
}

// compare goes on until the course ends, or until Knative's arithmetic matters:
// from then on the two may remember different panics.
func compare(t *testing.T, s *sides, dice *rand.Rand, count map[string]int) {
	defer s.collector.Delete(s.key.Namespace, s.key.Name)
	if s.restarted {
		count["restarted"]++
	}
	for range 1 + dice.IntN(200) {
		s.advance(dice)
		s.record(dice)
		got, err := s.propose()
		want := s.scaler.Scale(zap.NewNop().Sugar(), s.now)
		count["steps"]++
		if !want.ScaleValid {
			require.ErrorIs(t, err, proposers.ErrNoLoad)
			count["without load"]++
			continue
		}
		require.NoError(t, err)
		if !s.load.PanicSeen.IsZero() {
			count["in a panic"]++
		}
		name := s.inexact(t)
		switch differs := got.Replicas != want.DesiredPodCount; {
		case differs && name == "":
			t.Fatalf("step %d: %d, Knative %d of %d ready: %s, %+v", count["steps"], got.Replicas, want.DesiredPodCount, s.ready, got.Text, s.w)
		case differs:
			count["differ by "+name]++
			return
		case name != "":
			count["inexact, and equal"]++
			return
		}
		s.settle(dice, int(got.Replicas))
	}
}

// inexact names what Knative's arithmetic does to the pods that a window asks
// for; "" if nothing.
func (s *sides) inexact(t *testing.T) string {
	stable, panicked := s.averages(t)
	exact, _ := s.reference.Average(s.now, s.w.Stable)
	if name := s.name(stable, exact); name != "" {
		return name
	}
	exact, _ = s.reference.Average(s.now, s.w.Panic)
	return s.name(panicked, exact)
}

func (s *sides) name(average float64, exact *big.Rat) string {
	pods := math.Ceil(average / (float64(s.w.Target) / 1000))
	millionths := big.NewRat(int64(math.Round(average*1e6)), 1e6)
	off, _ := new(big.Rat).Sub(exact, millionths).Float64()
	switch {
	case s.reference.Pods(exact).Int64() == int64(pods):
		return ""
	case s.reference.Pods(millionths).Int64() != int64(pods):
		return "quotient"
	case math.Abs(off) < 2e-6:
		return "average"
	}
	return ""
}
