package behavior_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
)

// course is a Scaler on its way: random proposals, each of which is written.
type course struct {
	scaler behavior.Scaler
	draw   *rand.Rand
	now    time.Time
	size   int32
}

// newCourse returns a course of so many steps. Equal seeds have equal courses.
func newCourse(seed uint64, steps int) *course {
	rules := &behavior.Behavior{
		ScaleUp:   &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 4, PeriodSeconds: 60}}},
		ScaleDown: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: behavior.PodsPolicy, Value: 2, PeriodSeconds: 60}}},
	}
	rules.SetDefaults()
	c := &course{
		scaler: behavior.Scaler{Behavior: rules, DownscaleStabilization: 2 * time.Minute},
		draw:   rand.New(rand.NewPCG(seed, 0)), now: noon, size: 10,
	}
	c.sizes(steps)
	return c
}

// sizes takes so many steps, and returns the size after each.
func (c *course) sizes(steps int) (sizes []int32) {
	for range steps {
		c.now = c.now.Add(15 * time.Second)
		step := c.scaler.Step(c.now, behavior.Change{Current: c.size, Desired: 1 + c.draw.Int32N(40)}, behavior.Bounds{Min: 1, Max: 40})
		c.scaler.Applied(c.now, c.size, step.Replicas)
		c.size = step.Replicas
		sizes = append(sizes, c.size)
	}
	return sizes
}

// Steps of a clone leave the later sizes of the original as they are. Steps of
// a plain copy change them.
func TestStepsOfACloneLeaveTheOriginal(t *testing.T) {
	// differing counts the later sizes that differ after steps of a copy.
	differing := func(seed uint64, copied func(*behavior.Scaler) behavior.Scaler) (n int) {
		want := newCourse(seed, 100).sizes(400)
		c := newCourse(seed, 100)
		whatIf := course{scaler: copied(&c.scaler), draw: rand.New(rand.NewPCG(seed, 1)), now: c.now, size: c.size}
		whatIf.sizes(40)
		for i, size := range c.sizes(400) {
			if size != want[i] {
				n++
			}
		}
		return n
	}
	ofCopies := 0
	for seed := range uint64(20) {
		require.Zero(t, differing(seed, (*behavior.Scaler).Clone), "seed %d", seed)
		ofCopies += differing(seed, func(s *behavior.Scaler) behavior.Scaler { return *s })
	}
	require.Positive(t, ofCopies, "a plain copy shares memory")
}

func TestClonesAreEqualAndApart(t *testing.T) {
	s := &newCourse(1, 100).scaler
	s.ScaledToZero = true
	clone := s.Clone()
	require.Equal(t, s.Behavior, clone.Behavior)
	require.Equal(t, s.DownscaleStabilization, clone.DownscaleStabilization)
	require.True(t, s.Equal(&clone))

	clone.Behavior.ScaleUp.Policies[0].Value++
	require.NotEqual(t, s.Behavior, clone.Behavior)
	require.True(t, s.Equal(&clone), "rules are not compared")

	for name, change := range map[string]func(*behavior.Scaler){
		"a recommendation": func(c *behavior.Scaler) { c.Recommendations.Record(noon.Add(time.Hour), 1, c.Behavior.Windows(0)) },
		"an event":         func(c *behavior.Scaler) { c.Events.Record(noon.Add(time.Hour), 1, 2, c.Behavior) },
		"scaled to zero":   func(c *behavior.Scaler) { c.ScaledToZero = false },
	} {
		changed := s.Clone()
		change(&changed)
		require.False(t, s.Equal(&changed), name)
	}
	empty := new(behavior.Scaler).Clone()
	require.Equal(t, behavior.Scaler{}, empty)
}
