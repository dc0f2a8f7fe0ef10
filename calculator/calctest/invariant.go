package calctest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

// Invariant is a claim about the decisions of a setup.
type Invariant struct {
	// Name is the name of the function.
	Name string
	// Claim is the claim in a sentence.
	Claim string
	// Check draws a timeline and fails t at the first sync that breaks the claim.
	Check func(t *rapid.T, setup *Setup, opts ...Option)
}

// Invariants returns the invariants that hold for any rules. To test all:
//
//	for _, i := range calctest.Invariants() {
//		t.Run(i.Name, rapid.MakeCheck(func(t *rapid.T) { i.Check(t, setup) }))
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

// prepare applies the options after checking them and the setup.
func prepare(t *rapid.T, setup *Setup, opts []Option) *config {
	if err := setup.problem(); err != nil {
		t.Fatalf("%v", err)
	}
	c := configOf(opts)
	if c.load != nil && len(c.load) == 0 {
		t.Fatalf("calctest: WithLoad: there are no levels")
	}
	return c
}

// hold runs the timeline and fails t at the first sync for which check returns how
// it breaks the claim. check returns "" if it does not.
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

// since returns the time on the clock of the timeline.
func since(t time.Time) string { return clock(t.Sub(Start)) }
