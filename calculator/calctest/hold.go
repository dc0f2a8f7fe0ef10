package calctest

import (
	"fmt"

	"pgregory.net/rapid"
)

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

// hold runs the timeline and fails t at the first sync for which check returns
// how it breaks the claim. check returns "" if it does not.
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
