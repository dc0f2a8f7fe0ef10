package prove_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/prove"
)

// seen is a sync of a course, as the naive checks see it.
type seen struct {
	at          time.Duration
	load        int64 // in thousandths of a replica
	size, after int32
	trouble     bool
}

// see runs a timeline.
func see(t testing.TB, tl *prove.Timeline) (course []seen) {
	t.Helper()
	require.NoError(t, tl.Run(func(s *prove.Sync) bool {
		p := &tl.Segments[s.Segment]
		course = append(course, seen{s.Now.Sub(prove.Start), int64(p.Load*1000 + 0.5), s.Size, s.After, len(p.Troubles) > 0})
		return true
	}))
	return course
}

// claim is a property with a naive check: breaks returns the sync of a course
// that breaks it, or -1.
type claim struct {
	prove.Property
	breaks func(course []seen) int
}

// naive makes claims about the rules of a reference, for syncs that may be so
// much early or late.
type naive struct {
	*loadSearch
	t      testing.TB
	jitter time.Duration
}

// until claims that a load that stays leads to a size that is done within so
// many syncs.
func (v naive) until(p prove.Property, syncs int, done func(s seen, size int32) bool) claim {
	return claim{p, func(course []seen) int {
		for i, first := range course {
			if done(first, first.size) {
				continue
			}
			for k := 0; ; k++ {
				if k == syncs {
					return i + max(k-1, 0)
				}
				if i+k == len(course) || course[i+k].trouble || k > 0 && !v.stays(course[i+k-1:i+k+1]) {
					break
				}
				if done(first, course[i+k].after) {
					break
				}
			}
		}
		return -1
	}}
}

// stays reports whether the load of a sync stays until the next one, which is
// due then.
func (v naive) stays(two []seen) bool {
	return two[0].load == two[1].load && (two[1].at-two[0].at-v.setup.Period()).Abs() <= v.jitter
}

// sure returns a time within which there are so many syncs for sure.
func (v naive) sure(syncs int) time.Duration {
	return time.Duration(syncs) * (v.setup.Period() + v.jitter)
}

func (v naive) carriedWithin(syncs int) claim {
	p := prove.CarriedWithin(v.sure(syncs))
	return v.until(p, syncs, func(s seen, size int32) bool { return v.carries(v.t, size, s.load) })
}

func (v naive) releasedWithin(syncs int, factor float64) claim {
	p := prove.ReleasedWithin(v.sure(syncs), factor)
	return v.until(p, syncs, func(s seen, size int32) bool { return float64(size) <= factor*float64(v.needs(s.load)) })
}

func (v naive) settledWithin(syncs int) claim {
	return claim{prove.SettledWithin(v.sure(syncs)), func(course []seen) int {
		stays := 0
		for i, s := range course {
			switch {
			case s.trouble:
				stays = 0
			case i > 0 && v.stays(course[i-1:i+1]):
				stays++
			default:
				stays = 1
			}
			if stays > syncs && s.after != s.size {
				return i
			}
		}
		return -1
	}}
}

func (v naive) neverBelow(window time.Duration) claim {
	return claim{prove.NeverBelow(window), func(course []seen) int {
		for i, s := range course {
			for k := i; k >= 0 && s.at-course[k].at < window; k-- {
				if s.after < s.size && s.after < v.needs(course[k].load) {
					return i
				}
			}
		}
		return -1
	}}
}

// atMost checks the number of pods that are added or removed within a time.
func atMost(p prove.Property, pods int32, within time.Duration, count func(seen) int32) claim {
	return claim{p, func(course []seen) int {
		for i, s := range course {
			sum := int32(0)
			for k := i; k >= 0 && s.at-course[k].at < within; k-- {
				sum += max(count(course[k]), 0)
			}
			if sum > pods {
				return i
			}
		}
		return -1
	}}
}

func (v naive) removedAtMost(pods int32, within time.Duration) claim {
	return atMost(prove.RemovedAtMost(pods, within), pods, within, func(s seen) int32 { return s.size - s.after })
}

func (v naive) addedAtMost(pods int32, within time.Duration) claim {
	return atMost(prove.AddedAtMost(pods, within), pods, within, func(s seen) int32 { return s.after - s.size })
}

func (v naive) turnsWithin(low, high int64, turns int) claim {
	return claim{prove.TurnsWithin(float64(low)/1000, float64(high)/1000, turns), func(course []seen) int {
		up, down, times := false, false, 0
		for i, s := range course {
			switch {
			case s.load < low || s.load > high || s.trouble:
				up, down, times = false, false, 0
			case s.after > s.size:
				if down {
					times++
				}
				up, down = true, false
			case s.after < s.size:
				if up {
					times++
				}
				up, down = false, true
			}
			if times > turns {
				return i
			}
		}
		return -1
	}}
}

// leadsTo claims that a load above one that lasts for some syncs leads to a size
// within others.
func (v naive) leadsTo(above int64, lasting int, size int32, within int) claim {
	period := v.setup.Period()
	p := prove.LeadsTo(fmt.Sprintf("%d syncs above %d lead to %d within %d syncs.", lasting, above, size, within),
		func(tr *prove.Transition) bool { return tr.Load > float64(above)/1000 }, time.Duration(lasting)*period,
		func(tr *prove.Transition) bool { return tr.After >= size }, time.Duration(within)*period)
	return claim{p, func(course []seen) int {
		since := -1
		for i, s := range course {
			if s.load <= above {
				since = -1
				continue
			}
			if since < 0 {
				since = i
			}
			if s.at-course[since].at < time.Duration(lasting)*period {
				continue
			}
			for k := i; ; k++ {
				if k == len(course) || course[k].at-s.at <= time.Duration(within)*period && course[k].after >= size {
					break
				}
				if course[k].at-s.at >= time.Duration(within)*period {
					return k
				}
			}
		}
		return -1
	}}
}

// limits returns families of claims, each from the strictest one on, and the
// load that some of them compare loads with.
func (v naive) limits(r *rand.Rand) (families [][]claim, edge float64) {
	var carried, settled, released, below, removed, added, turns, leads []claim
	most := v.setup.Spec.MaxReplicas
	factor := pick(r, 1, 1.2, 1.5, 2)
	within := time.Duration(1+r.IntN(4)) * v.setup.Period()
	low := r.Int64N(v.highest())
	high := low + r.Int64N(v.highest()-low)
	size, lasting := 1+r.Int32N(most), r.IntN(3)
	for n := range 30 {
		carried = append(carried, v.carriedWithin(n))
		settled = append(settled, v.settledWithin(n))
		released = append(released, v.releasedWithin(n, factor))
	}
	for n := range 5 {
		below = append(below, v.neverBelow(time.Duration(4-n)*v.setup.Period()))
		turns = append(turns, v.turnsWithin(low, high, n))
		leads = append(leads, v.leadsTo(low, lasting, size, n))
	}
	for n := range most {
		removed = append(removed, v.removedAtMost(n, within))
		added = append(added, v.addedAtMost(n, within))
	}
	return [][]claim{carried, settled, released, below, removed, added, turns, leads}, float64(low) / 1000
}

// randomCourse returns a course with loads of all kinds, some of which stay, and
// some troubles and syncs that do not happen.
func (v naive) randomCourse(r *rand.Rand, syncs, missed int, troubles []prove.Trouble) *prove.Timeline {
	bounds := v.setup.Spec.Bounds()
	tl := &prove.Timeline{Setup: v.setup, Size: bounds.Min + r.Int32N(bounds.Max-bounds.Min+1), ScaledToZero: true}
	edges := v.loads
	for syncs > 0 {
		p := prove.Segment{Syncs: 1}
		switch r.IntN(4) {
		case 0:
			p.Load = float64(edges[r.IntN(len(edges))]) / 1000
		case 1:
			p.Load = float64(r.Int32N(bounds.Max+2)) * pick(r, 1-v.setup.Settings.Tolerance, 1, 1+v.setup.Settings.Tolerance)
		default:
			p.Load = r.Float64() * float64(v.highest()) / 1000
		}
		p.Load = min(p.Load, float64(v.highest())/1000)
		if missed > 0 && r.IntN(4) == 0 {
			p.Wait = time.Duration(2+r.IntN(missed)) * v.setup.Period()
		}
		if r.IntN(3) == 0 {
			p.Troubles = troubles
		}
		tl.Segments = append(tl.Segments, p)
		if r.IntN(3) == 0 {
			p.Syncs, p.Wait, p.Troubles = 1+r.IntN(pick(r, 3, 30)), 0, nil
			tl.Segments = append(tl.Segments, p)
			syncs -= p.Syncs
		}
		syncs--
	}
	return tl
}

// randomTroubles returns one trouble, or none in half of the cases.
func randomTroubles(r *rand.Rand, most int32) []prove.Trouble {
	if r.IntN(2) == 0 {
		return nil
	}
	return []prove.Trouble{pick(r,
		prove.Trouble{Kind: prove.MetricFails}, prove.Trouble{Kind: prove.MetricEmpty}, prove.Trouble{Kind: prove.ScaleFails},
		prove.Trouble{Kind: prove.WriteFails}, prove.Trouble{Kind: prove.Restarted}, prove.Trouble{Kind: prove.Resized, N: 1 + r.Int32N(most+1)},
		prove.Trouble{Kind: prove.PodsMute, N: 1}, prove.Trouble{Kind: prove.PodsLacking, N: 1}, prove.Trouble{Kind: prove.Surge, N: 50},
	)}
}

// forever reports whether the end of a counterexample repeats itself.
func forever(v *prove.Verdict) bool {
	return strings.Contains(v.Counterexample.Broken, " will forever")
}

// No random course breaks what is proved for all loads, at the strictest limit
// that is. The counterexamples to stricter ones break them for naive checks,
// too, and not before their last sync unless that repeats itself.
func TestRandomCoursesBreakNothingProved(t *testing.T) {
	all, syncs := 0, 0
	cases(t, 10, func(t *testing.T, i int) {
		p := drawLoadSearch(t, seeded(9, i), 300, 50)
		v := naive{p, t, 0}
		r := seeded(10, i)
		missed := max(r.IntN(5)-2, 0)
		troubles := randomTroubles(r, p.setup.Spec.MaxReplicas)
		if missed == 0 && p.setup.Spec.MaxReplicas <= 3 {
			switch r.IntN(3) {
			case 0:
				troubles = []prove.Trouble{{Kind: prove.MetricsLate, N: 1}}
			case 1:
				p.setup.Lag = time.Duration(1+r.IntN(2)) * p.setup.SyncPeriod
			}
		}
		text := fmt.Sprintf("%s, up to %d missed, %v", textOf(i, p.setup), missed, troubles)
		var held []claim
		families, edge := v.limits(r)
		for _, family := range families {
			var properties []prove.Property
			for _, c := range family {
				properties = append(properties, c.Property)
			}
			search := prove.Search{Missed: missed, Troubles: troubles, Edges: []float64{edge}}
			x, err := search.Run(t.Context(), p.setup, properties...)
			require.NoError(t, err, text)
			require.True(t, x.Complete, text)
			proved := false
			for k := range x.Verdicts {
				v := &x.Verdicts[k]
				require.NotEqual(t, prove.Undecided, v.Outcome, text)
				if v.Outcome == prove.Proved {
					if !proved {
						held = append(held, family[k])
					}
					proved = true
					continue
				}
				require.False(t, proved, "%s: %s, but not a stricter one", text, v)
				tl := v.Counterexample.Timeline
				if forever(v) {
					last := tl.Segments[len(tl.Segments)-1]
					last.Syncs, last.Wait = 60, 0
					tl.Segments = append(tl.Segments, last)
					require.LessOrEqual(t, 0, family[k].breaks(see(t, tl)), "%s: %s", text, v)
					continue
				}
				course := see(t, tl)
				require.Equal(t, len(course)-1, family[k].breaks(course), "%s: %s", text, v)
			}
		}
		courses := 10
		if thorough() > 0 {
			courses = 1_000_000 / thorough()
		}
		for range courses {
			tl := v.randomCourse(r, 10+r.IntN(50), missed, troubles)
			course := see(t, tl)
			for _, c := range held {
				at := c.breaks(course)
				require.Negative(t, at, "%s: %v, at sync %d of %v", text, c, at, tl)
			}
			all++
			syncs += len(course)
		}
	})
	t.Logf("%d courses of %d syncs", all, syncs)
}
