package calctest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

// Invariant is a statement about rules. It draws what happens to them, and fails
// t where the statement does not hold.
type Invariant struct {
	// Name is the function's.
	Name string
	// Claim is the statement in a sentence.
	Claim string
	// Check is the function.
	Check func(t *rapid.T, r *Rules, opts ...Option)
}

// Invariants returns the invariants that any rules keep, for a test of all:
//
//	for _, i := range calctest.Invariants() {
//		t.Run(i.Name, rapid.MakeCheck(func(t *rapid.T) { i.Check(t, rules) }))
//	}
func Invariants() []Invariant {
	return []Invariant{
		{"WithinBounds", withinBounds, WithinBounds},
		{"WithinPolicies", withinPolicies, WithinPolicies},
		{"AboveWindow", aboveWindow, AboveWindow},
		{"StaysWithinTolerance", staysWithinTolerance, StaysWithinTolerance},
		{"MoreLoadNeverFewer", moreLoadNeverFewer, MoreLoadNeverFewer},
		{"MissingNeverDown", missingNeverDown, MissingNeverDown},
		{"RestartChangesNothing", restartChangesNothing, RestartChangesNothing},
		{"OrderChangesNothing", orderChangesNothing, OrderChangesNothing},
	}
}

// prepare checks the rules and the options.
func prepare(t *rapid.T, r *Rules, opts []Option) *config {
	if err := r.problem(); err != nil {
		t.Fatalf("%v", err)
	}
	return configOf(opts)
}

// hold runs the timeline and fails t at the first sync that check says something
// about. Check returns "" where the claim holds.
func (c *config) hold(t *rapid.T, tl *Timeline, claim string, check func(*Sync) string) {
	x := counterexample{tl: tl, claim: claim}
	c.run(tl, func(s *Sync) bool {
		x.rows = append(x.rows, rowOf(s))
		x.broken = check(s)
		if x.broken != "" {
			x.broken = fmt.Sprintf("At %s, %s.", clock(s.Now.Sub(Start)), x.broken)
			x.because = s.Decision
		}
		return x.broken == ""
	})
	if x.broken != "" {
		t.Logf("%v", &x)
		t.Fatalf("%s", x.broken)
	}
}

// since is a time of the timeline.
func since(t time.Time) string { return clock(t.Sub(Start)) }
