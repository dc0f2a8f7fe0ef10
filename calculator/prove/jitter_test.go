package prove_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/prove"
)

// bounds returns the ages at which something of the rules counts no more.
func (v naive) bounds() (all []time.Duration) {
	all = []time.Duration{v.setup.Startup, v.setup.Startup + 15*time.Second}
	b := v.setup.Spec.Behavior
	if b == nil {
		return append(all, v.setup.Settings.DownscaleStabilization)
	}
	for _, r := range []*behavior.ScalingRules{b.ScaleUp, b.ScaleDown} {
		all = append(all, time.Duration(*r.StabilizationWindowSeconds)*time.Second)
		for _, p := range r.Policies {
			all = append(all, time.Duration(p.PeriodSeconds)*time.Second)
		}
	}
	return all
}

// jittered returns a timeline whose syncs are early or late, as far as they
// may be. Many are exactly, or a nanosecond less or more than, one of the bounds
// after another sync.
func (v naive) jittered(r *rand.Rand, tl *prove.Timeline) *prove.Timeline {
	all := &prove.Timeline{Setup: tl.Setup, Size: tl.Size, ScaledToZero: tl.ScaledToZero}
	bounds := v.bounds()
	at := []time.Duration{0}
	for _, p := range tl.Segments {
		due := p.Wait
		if due == 0 {
			due = v.setup.Period()
		}
		for range p.Syncs {
			one := p
			one.Syncs, one.Wait = 1, v.wait(r, due, at, bounds)
			if len(all.Segments) > 0 {
				at = append(at, at[len(at)-1]+one.Wait)
			}
			all.Segments = append(all.Segments, one)
		}
	}
	return all
}

// wait returns the time until the next sync, of all before which it has the
// times.
func (v naive) wait(r *rand.Rand, due time.Duration, at, bounds []time.Duration) time.Duration {
	last := at[len(at)-1]
	for range r.IntN(8) {
		before := at[len(at)-1-r.IntN(min(len(at), 8))]
		wait := before + pick(r, bounds...) + time.Duration(r.IntN(3)-1) - last
		if (wait - due).Abs() <= v.jitter {
			return wait
		}
	}
	return due + pick(r, -v.jitter, 0, v.jitter, time.Duration(r.Int64N(int64(2*v.jitter+1)))-v.jitter)
}

// within fails unless all syncs of a timeline are early or late as far as they
// may be.
func (v naive) within(tl *prove.Timeline, missed int, text string) {
	for _, p := range tl.Segments {
		if p.Wait == 0 {
			continue
		}
		off := v.jitter + 1
		for n := range missed + 1 {
			off = min(off, (p.Wait - time.Duration(1+n)*v.setup.Period()).Abs())
		}
		require.LessOrEqual(v.t, off, v.jitter, "%s: %v", text, tl.Segments)
	}
}

// waits are what random courses have seen take longest, until something.
type waits struct{ up, tolerated, down time.Duration }

// longest returns how long loads that stay the same have taken in a course,
// each from the sync before the first one that sees it.
func (v naive) longest(course []seen) (w waits) {
	for _, x := range []struct {
		most *time.Duration
		done func(size int32, load int64) bool
	}{
		{&w.up, func(size int32, load int64) bool { return size >= v.needs(load) }},
		{&w.tolerated, func(size int32, load int64) bool { return v.carries(v.t, size, load) }},
		{&w.down, func(size int32, load int64) bool { return size <= v.needs(load) }},
	} {
		for i := 1; i < len(course); i++ {
			if !v.stays([]seen{{at: course[i-1].at}, {at: course[i].at}}) || x.done(course[i].size, course[i].load) {
				continue
			}
			for k := i; k < len(course) && !course[k].trouble && (k == i || v.stays(course[k-1:k+1])); k++ {
				if *x.most = max(*x.most, course[k].at-course[i-1].at); x.done(course[k].after, course[i].load) {
					break
				}
			}
		}
	}
	return w
}

// No random course whose syncs are early or late breaks what is proved for all
// of them, at the strictest limit that is, nor takes longer than the longest
// times. The counterexamples to stricter ones break them for naive checks, too,
// with syncs that are early or late as far as they may be.
func TestJitteredCoursesBreakNothingProved(t *testing.T) {
	cases(t, 5, func(t *testing.T, i int) {
		p := drawLoadSearch(t, seeded(20, i), 40, 50)
		r := seeded(13, i)
		v := naive{p, t, pick(r, 1, time.Millisecond, time.Second, p.setup.Period()/10)}
		missed := max(r.IntN(5)-3, 0)
		troubles := randomTroubles(r, p.setup.Spec.MaxReplicas)
		text := fmt.Sprintf("%s, jitter %v, up to %d missed, %v", textOf(i, p.setup), v.jitter, missed, troubles)
		families, edge := v.limits(r)
		search := prove.Search{Jitter: v.jitter, Missed: missed, Troubles: troubles, Edges: []float64{edge}}
		v.judge(r, search, families, text)
	})
}

// So it is where events count in a policy and pods start late, which few of
// these rules have.
func TestJitteredPoliciesAndPods(t *testing.T) {
	for name, s := range map[string]*prove.Setup{
		"pods": cpuRules(15*time.Second, 30*time.Second),
		"policies": rules(3, 15*time.Second, 0, func(b *behavior.Behavior) {
			b.ScaleUp.Policies, b.ScaleDown.Policies = pods(1, 30), pods(1, 44)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			s.Spec.MaxReplicas = 3
			p := newLoadSearch(s, 50)
			require.True(t, p.run(t, 1000))
			v := naive{p, t, time.Second}
			var families [][]claim
			for _, n := range []time.Duration{30, 44} {
				var removed, added []claim
				for pods := range int32(3) {
					removed = append(removed, v.removedAtMost(pods, n*time.Second))
					added = append(added, v.addedAtMost(pods, n*time.Second))
				}
				families = append(families, removed, added)
			}
			var carried, settled, below []claim
			for n := range 12 {
				carried, settled = append(carried, v.carriedWithin(n)), append(settled, v.settledWithin(n))
			}
			for n := range 4 {
				below = append(below, v.neverBelow(time.Duration(3-n)*v.setup.Period()))
			}
			v.judge(seeded(17, 0), prove.Search{Jitter: v.jitter}, append(families, carried, settled, below), name)
		})
	}
}

// judge compares what a search finds out about families of claims, each from
// the strictest one on, with random courses.
func (v naive) judge(r *rand.Rand, search prove.Search, families [][]claim, text string) {
	var properties []prove.Property
	for _, family := range families {
		for _, c := range family {
			properties = append(properties, c.Property)
		}
	}
	x, err := search.Run(v.t.Context(), v.setup, properties...)
	require.NoError(v.t, err, text)
	require.True(v.t, x.Complete && x.Timed, text)
	undecided := 0
	for i := range x.Verdicts {
		if x.Verdicts[i].Outcome == prove.Undecided {
			undecided++
		}
	}
	require.Less(v.t, 4*undecided, len(x.Verdicts), text)
	var held []claim
	verdicts := x.Verdicts
	for _, family := range families {
		held = append(held, v.held(family, verdicts, search.Missed, text)...)
		verdicts = verdicts[len(family):]
	}
	longest := waits{}
	for range 30 {
		tl := v.jittered(r, v.randomCourse(r, 300, search.Missed, search.Troubles))
		course := see(v.t, tl)
		for _, c := range held {
			at := c.breaks(course)
			require.Negative(v.t, at, "%s: %v, at sync %d of %v", text, c, at, course[:max(at, 0)+1])
		}
		w := v.longest(course)
		longest = waits{max(longest.up, w.up), max(longest.tolerated, w.tolerated), max(longest.down, w.down)}
	}
	for _, w := range []struct {
		seen   time.Duration
		proved prove.Worst
	}{{longest.up, x.WorstUp}, {longest.tolerated, x.WorstTolerated}, {longest.down, x.WorstDown}} {
		require.True(v.t, w.proved.Never || w.seen <= w.proved.Time, "%s: %v, %+v", text, x, longest)
	}
}

// held returns the strictest claim of a family that is proved, and checks the
// counterexamples to the others.
func (v naive) held(family []claim, verdicts []prove.Verdict, missed int, text string) (held []claim) {
	for k, c := range family {
		verdict := &verdicts[k]
		if verdict.Outcome == prove.Proved && held == nil {
			held = []claim{c}
		}
		if verdict.Outcome != prove.Broken {
			continue
		}
		require.Empty(v.t, held, "%s: %s, but not a stricter one", text, verdict)
		tl := verdict.Counterexample.Timeline
		v.within(tl, missed, text)
		if !forever(verdict) {
			course := see(v.t, tl)
			require.Equal(v.t, len(course)-1, c.breaks(course), "%s: %s", text, verdict)
		}
	}
	return held
}

// Without a behavior, the window includes its end, which only syncs on the exact
// grid meet. With the slightest jitter, there is no difference to the same
// window in a behavior.
func TestJitterOfWindowWithoutBehavior(t *testing.T) {
	for _, tt := range []struct {
		jitter           time.Duration
		without, behaved string
	}{
		{0, "1m30s", "1m15s"},
		{1, "1m30s", "1m30s"},
		{time.Millisecond, "1m30.006s", "1m30.006s"},
		{time.Second, "1m36s", "1m36s"},
	} {
		behaved := rules(4, 15*time.Second, time.Minute, nil)
		without := rules(4, 15*time.Second, time.Minute, nil)
		without.Spec.Behavior, without.Settings.DownscaleStabilization = nil, time.Minute
		var times [][]worstTime
		for s, down := range map[*prove.Setup]string{without: tt.without, behaved: tt.behaved} {
			x, err := prove.Search{Jitter: tt.jitter}.Run(t.Context(), s)
			require.NoError(t, err)
			require.Equal(t, down, x.WorstDown.Time.Round(time.Microsecond).String(), "%v", tt)
			times = append(times, []worstTime{timeOf(x.WorstUp), timeOf(x.WorstTolerated), timeOf(x.WorstDown), timeOf(x.WorstSettle)})
		}
		require.Equal(t, tt.jitter > 0, fmt.Sprint(times[0]) == fmt.Sprint(times[1]), "%v: %v", tt, times)
	}
}

// What comes only too late is late in the counterexample: a nanosecond after its
// time.
func TestCounterexampleIsLate(t *testing.T) {
	leads := prove.LeadsTo("A third replica is seen within 15 seconds.",
		func(tr *prove.Transition) bool { return tr.Size < 3 && tr.After == 3 }, 0,
		func(tr *prove.Transition) bool { return tr.Size == 3 }, 15*time.Second)
	search := prove.Search{Jitter: time.Second, Untimed: true}
	x, err := search.Run(t.Context(), rules(3, 15*time.Second, 0, nil), leads)
	require.NoError(t, err)
	require.Equal(t, prove.Broken, x.Verdicts[0].Outcome)
	at := time.Duration(0)
	require.NoError(t, x.Verdicts[0].Counterexample.Timeline.Run(func(s *prove.Sync) bool {
		at = s.Now.Sub(prove.Start)
		return true
	}))
	require.Equal(t, 15*time.Second+1, at)
}

// Ages are told apart at the times that are named.
func TestAgesOfAWatch(t *testing.T) {
	apart := func(least time.Duration) prove.Property {
		return prove.Watch("Scale-ups are apart.", -1, func(since int, tr *prove.Transition) (int, string) {
			if since >= 0 {
				since += tr.Since()
			}
			switch {
			case tr.After > tr.Size && since >= 0 && tr.Ago(since) < least:
				return 0, "another scale-up"
			case tr.After > tr.Size:
				return 0, ""
			case since >= 0 && tr.Ago(since) >= least:
				return -1, ""
			}
			return since, ""
		})
	}
	for _, tt := range []struct {
		least   time.Duration
		outcome prove.Outcome
		apart   time.Duration
	}{
		{14 * time.Second, prove.Proved, 0},
		{14*time.Second + 1, prove.Broken, 14 * time.Second},
		{14500 * time.Millisecond, prove.Broken, 14500*time.Millisecond - 1},
	} {
		search := prove.Search{Jitter: time.Second, Untimed: true, Ages: []time.Duration{tt.least}}
		x, err := search.Run(t.Context(), rules(3, 15*time.Second, 0, nil), apart(tt.least))
		require.NoError(t, err)
		require.Equal(t, tt.outcome, x.Verdicts[0].Outcome, "%v", tt.least)
		if tt.outcome == prove.Broken {
			segments := x.Verdicts[0].Counterexample.Timeline.Segments
			require.Equal(t, tt.apart, segments[len(segments)-1].Wait)
		}
	}
}

// The longest times are the limits that are proved: a nanosecond less is not.
func TestJitteredTimesAreProved(t *testing.T) {
	s := rules(2, 15*time.Second, 4*time.Minute, nil)
	search := prove.Search{Jitter: time.Second}
	x, err := search.Run(t.Context(), s)
	require.NoError(t, err)
	x, err = search.Run(t.Context(), s, prove.SettledWithin(x.WorstSettle.Time), prove.SettledWithin(x.WorstSettle.Time-1))
	require.NoError(t, err)
	require.Equal(t, prove.Proved, x.Verdicts[0].Outcome)
	require.Equal(t, prove.Broken, x.Verdicts[1].Outcome)
}

// Syncs may be in too many orders, for the rules or for a property.
func TestJitterOfTooManyOrders(t *testing.T) {
	s := rules(4, 15*time.Second, 5*time.Minute, func(b *behavior.Behavior) {
		b.ScaleDown.Policies = append(pods(1, 200), pods(2, 400)...)
	})
	search := prove.Search{Jitter: 3 * time.Second}
	_, err := search.Run(t.Context(), s)
	require.EqualError(t, err, "prove: Search.Jitter: 3s lets syncs be in too many orders; name a shorter one")
	s = rules(4, 15*time.Second, time.Minute, nil)
	_, err = search.Run(t.Context(), s, prove.RemovedAtMost(9, time.Hour))
	require.EqualError(t, err, "prove: Search.Jitter: 3s lets syncs be in too many orders; name a shorter one")
}
