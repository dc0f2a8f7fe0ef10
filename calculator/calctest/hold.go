package calctest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/prove"
)

// prepare applies the options after checking them and the setup.
func prepare(t *rapid.T, setup *prove.Setup, opts []Option) *config {
	if err := setup.Validate(); err != nil {
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
func (c *config) hold(t *rapid.T, tl *prove.Timeline, claim string, check func(*prove.Sync) string) {
	x := prove.Counterexample{Timeline: tl, Claim: claim}
	err := c.Run(tl, func(s *prove.Sync) bool {
		x.Add(s)
		x.Broken = check(s)
		if x.Broken != "" {
			x.Broken = fmt.Sprintf("At %s, %s.", since(s.Now), x.Broken)
			x.Because = s.Decision
		}
		return x.Broken == ""
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	if x.Broken != "" {
		t.Logf("%v", &x)
		t.Fatalf("%s", x.Broken)
	}
}

// since returns the time on the clock of the timeline.
func since(t time.Time) string { return words.Clock(t.Sub(prove.Start)) }
