package conformance

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/correction"
)

// TestHistories runs both through random histories.
func TestHistories(t *testing.T) {
	n := uint64(6_000)
	if testing.Short() {
		n = 1_000
	}
	r := Histories(t, 1, 0, n)
	t.Logf("%d histories, %d syncs, %d agreed, deviated: %v", r.Histories, r.Syncs, r.Agreed, r.Deviated)
	if f := r.Failure; f != nil {
		t.Fatalf("go run ./cmd/agree -seed %d -history %d\n%v", f.Seed, f.History, f)
	}
	if r.Agreed < 9*r.Syncs/10 {
		t.Errorf("only %d of %d syncs agree in everything", r.Agreed, r.Syncs)
	}
	for _, name := range []string{NoPodsAverage, ExactSums, InvalidInput, NegativeExternal, Saturation, ZeroRequests} {
		if r.Deviated[name] == 0 {
			t.Errorf("no sync deviated by %q: the histories do not reach it", name)
		}
	}
}

// rapidDice rolls by drawing, so that rapid can make a failure smaller.
type rapidDice struct{ *rapid.T }

func (d rapidDice) Roll(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "roll") }

// TestHistoryProperty is TestHistories as a property, which shrinks.
func TestHistoryProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		if f := History(t, rapidDice{rt}).Failure; f != nil {
			rt.Fatalf("%vthe sync saw: %s", f, f.Input)
		}
	})
}

// FuzzHistory rolls the bytes of a fuzzer.
func FuzzHistory(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("a few bytes that make a history of some syncs, more or less, whatever they come to"))
	f.Fuzz(func(t *testing.T, b []byte) {
		dice := Bytes(b)
		if f := History(t, &dice).Failure; f != nil {
			t.Fatalf("%vthe sync saw: %s", f, f.Input)
		}
	})
}

// A difference is found and made smaller. Here upstream's answers are
// falsified.
func TestShrink(t *testing.T) {
	defer func() { inspect = nil }()
	inspect = func(_ *Library, _ *Step, a *Answer) {
		if a.Rescaled {
			a.Size++
		}
	}
	r := Histories(t, 7, 0, 50)
	if r.Failure == nil {
		t.Fatal("the difference was not seen")
	}
	log := &Logged{Dice: Random(7, r.Failure.History)}
	History(t, log)
	f := Shrink(t, log.Rolls)
	if f == nil || f.Sync > r.Failure.Sync || len(f.Differences) == 0 || f.Differences[0].Path != "size" {
		t.Fatalf("no smaller history with the same difference: %v", f)
	}
}

// TestEdges hits the edges of the tolerance exactly, on both sides, for the
// formula of today and the one up to 1.32.
func TestEdges(t *testing.T) {
	lower, upper, err := Edges(t, 1, 3000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Edge{lower, upper} {
		if e.Exact < 50 || e.ExactDistance < 50 || e.Apart < 50 {
			t.Errorf("the edges are hardly hit: %+v %+v", lower, upper)
		}
	}
}

// Each correction alone is named where the answer is not Kubernetes', and
// nowhere else.
func TestCorrections(t *testing.T) {
	CorrectEach = true
	defer func() { CorrectEach = false }()
	r := Histories(t, 2, 0, 1_500)
	if f := r.Failure; f != nil {
		t.Fatalf("go run ./cmd/agree -corrections -seed %d -history %d\n%v", f.Seed, f.History, f)
	}
	for c := range correction.All().All() {
		if n := r.Corrected[c.String()]; n.Seen == 0 || n.Named < n.Seen {
			t.Errorf("%v: named in %d syncs, seen in %d", c, n.Named, n.Seen)
		}
	}
}
