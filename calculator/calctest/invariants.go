package calctest

import (
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/prove"
)

// Invariant is a claim about the decisions of a setup.
type Invariant struct {
	// Name is the name of the function.
	Name string
	// Claim is the claim in a sentence.
	Claim string
	// Check draws a timeline and fails t at the first sync that breaks the
	// claim.
	Check func(t *rapid.T, setup *prove.Setup, opts ...Option)
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
