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
	all, decided, undecided := 0, 0, 0
	cases(t, 10, func(t *testing.T, i int) {
		p := drawLoadSearch(t, seeded(12, i), 60, 50)
		r := seeded(13, i)
		v := naive{p, t, pick(r, 1, time.Millisecond, time.Second, p.setup.Period()/10)}
		missed := max(r.IntN(5)-3, 0)
		troubles := randomTroubles(r, p.setup.Spec.MaxReplicas)
		text := fmt.Sprintf("%s, jitter %v, up to %d missed, %v", textOf(i, p.setup), v.jitter, missed, troubles)
		families, edge := v.limits(r)
		search := prove.Search{Jitter: v.jitter, Missed: missed, Troubles: troubles, Edges: []float64{edge}}
		var properties []prove.Property
		for _, family := range families {
			for _, c := range family {
				properties = append(properties, c.Property)
			}
		}
		x, err := search.Run(t.Context(), p.setup, properties...)
		require.NoError(t, err, text)
		require.True(t, x.Complete && x.Timed, text)
		var held []claim
		for _, family := range families {
			proved := false
			for k, c := range family {
				verdict := x.Verdicts[0]
				x.Verdicts = x.Verdicts[1:]
				switch verdict.Outcome {
				case prove.Proved:
					if !proved {
						held = append(held, family[k])
					}
					proved = true
					decided++
					continue
				case prove.Undecided:
					undecided++
					continue
				}
				decided++
				require.False(t, proved, "%s: %s, but not a stricter one", text, &verdict)
				tl := verdict.Counterexample.Timeline
				v.within(tl, missed, text)
				if !forever(&verdict) {
					course := see(t, tl)
					require.Equal(t, len(course)-1, c.breaks(course), "%s: %s", text, &verdict)
				}
			}
		}
		longest := waits{}
		for syncs := 3000; syncs > 0; {
			tl := v.jittered(r, v.randomCourse(r, 300, missed, troubles))
			course := see(t, tl)
			for _, c := range held {
				at := c.breaks(course)
				require.Negative(t, at, "%s: %v, at sync %d of %v, %v", text, c, at, tl, course[:max(at, 0)+1])
			}
			w := v.longest(course)
			longest.up, longest.tolerated, longest.down = max(longest.up, w.up), max(longest.tolerated, w.tolerated), max(longest.down, w.down)
			syncs -= len(course)
			all += len(course)
		}
		for _, w := range []struct {
			seen   time.Duration
			proved prove.Worst
		}{{longest.up, x.WorstUp}, {longest.tolerated, x.WorstTolerated}, {longest.down, x.WorstDown}} {
			if !w.proved.Never {
				require.LessOrEqual(t, w.seen, w.proved.Time, "%s: %v\n%+v", text, x, longest)
			}
		}
		t.Log(x.States, v.jitter, missed, troubles, x, longest)
	})
	t.Logf("%d syncs, %d verdicts, %d undecided", all, decided, undecided)
	require.Less(t, undecided*10, decided)
}
