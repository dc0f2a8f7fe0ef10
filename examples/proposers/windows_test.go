package proposers_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/examples/proposers"
	"github.com/purehpa/hpa/examples/proposers/internal/reference"
	"github.com/purehpa/hpa/metrics"
)

// drawWindows draws settings. Targets that divide loads are frequent.
func drawWindows(t *rapid.T) proposers.Windows {
	stable := rapid.Int64Range(1, 20).Draw(t, "stable")
	w := proposers.Windows{
		Target:           rapid.OneOf(rapid.SampledFrom([]metrics.Milli{1, 100, 700, 1000, 10_000}), rapid.Map(rapid.Int64Range(1, 20_000), func(n int64) metrics.Milli { return metrics.Milli(n) })).Draw(t, "target"),
		Stable:           time.Duration(stable) * time.Second,
		Panic:            time.Duration(rapid.Int64Range(1, stable).Draw(t, "panic")) * time.Second,
		PanicThreshold:   rapid.SampledFrom([]float64{1.1, 1.5, 2, 3.3, 10}).Draw(t, "threshold"),
		MaxScaleUpRate:   rapid.SampledFrom([]float64{1.1, 2, 10, 1000}).Draw(t, "up"),
		MaxScaleDownRate: rapid.SampledFrom([]float64{0, 1.1, 2, 1000}).Draw(t, "down"),
		ActivationScale:  rapid.Int32Range(0, 4).Draw(t, "activation"),
	}
	return w
}

// course is what happens to an application.
type course struct {
	w         proposers.Windows
	now       time.Time
	load      proposers.Load
	reference reference.Windows
}

func drawCourse(t *rapid.T) *course {
	w := drawWindows(t)
	c := &course{w: w, now: noon}
	c.reference.Windows = w
	return c
}

// advance moves the clock, mostly on.
func (c *course) advance(t *rapid.T) {
	const s = time.Second
	c.now = c.now.Add(rapid.OneOf(
		rapid.SampledFrom([]time.Duration{0, 1, s - 1, s, s, s, s, s + 1, 2 * s, -1, -s, c.w.Panic - s, c.w.Panic, c.w.Stable - s, c.w.Stable, c.w.Stable + 1, c.w.Stable + s, -c.w.Panic, -c.w.Stable, -c.w.Stable - 1, -c.w.Stable - s, -24 * time.Hour}),
		rapid.Map(rapid.Int64Range(0, int64(3*s)), func(n int64) time.Duration { return time.Duration(n) }),
	).Draw(t, "step"))
}

func (c *course) record(t *rapid.T) {
	for range rapid.IntRange(0, 2).Draw(t, "records") {
		load := rapid.OneOf(rapid.Int64Range(-1, 20), rapid.Map(rapid.Int64Range(0, 100), func(n int64) int64 { return n * 1000 }), rapid.Int64Range(0, 100_000)).Draw(t, "load")
		c.w.Record(c.now, metrics.Milli(load), &c.load)
		c.reference.Record(c.now, load)
	}
}

// clone returns the load after its encoding, which forgets nothing.
func clone(t require.TestingT, l *proposers.Load) *proposers.Load {
	text, err := json.Marshal(l)
	require.NoError(t, err)
	var c proposers.Load
	require.NoError(t, json.Unmarshal(text, &c))
	return &c
}

// The size is that of a reference which remembers everything and computes in
// fractions.
func TestWindowsAreThoseOfTheReference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := drawCourse(t)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			c.advance(t)
			c.record(t)
			ready := rapid.Int32Range(0, 20).Draw(t, "ready")
			decoded := clone(t, &c.load)
			p, err := c.w.Propose(c.now, ready, &c.load)
			again, _ := c.w.Propose(c.now, ready, decoded)
			require.Equal(t, p, again)
			want, recorded := c.reference.Propose(c.now, ready)
			if !recorded {
				require.ErrorIs(t, err, proposers.ErrNoLoad)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, want, p.Replicas, p.Text)
			average, _ := c.reference.Average(c.now, c.w.Stable)
			exact, _ := average.Float64()
			require.InDelta(t, exact, float64(p.Value)/1000, 0.001)
		}
	})
}

// Until then the proposal stays, and then it is another one or none.
func TestWindowsUntil(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := drawCourse(t)
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			c.advance(t)
			c.record(t)
			ready := rapid.Int32Range(0, 20).Draw(t, "ready")
			p, err := c.w.Propose(c.now, ready, &c.load)
			if err != nil {
				continue
			}
			require.True(t, p.Until.After(c.now))
			length := p.Until.Sub(c.now)
			for _, later := range []time.Duration{1, length / 2, length - 1, time.Duration(rapid.Int64Range(0, int64(length)-1).Draw(t, "later"))} {
				if later < length {
					same, err := c.w.Propose(c.now.Add(later), ready, clone(t, &c.load))
					require.NoError(t, err)
					require.Equal(t, p.Replicas, same.Replicas, "%v later", later)
				}
			}
			other, err := c.w.Propose(p.Until, ready, clone(t, &c.load))
			require.True(t, err != nil || other.Replicas != p.Replicas, "%v later", length)
		}
	})
}

// Each boundary, by hand: a target of 10, windows of 60s and 6s, a threshold of
// 2, and at least half of the pods.
func TestWindowsBoundaries(t *testing.T) {
	w := proposers.DefaultWindows(10_000)
	for _, tt := range []struct {
		what    string
		seconds int           // with load, since noon
		load    metrics.Milli // of each
		peak    metrics.Milli // more in the last one
		after   time.Duration // of the last one
		ready   int32
		want    int32 // -1: none
		panic   bool
	}{
		// 30 over both windows are 3 pods of 10.
		{"on a multiple", 60, 30_000, 0, 0, 3, 3, false},
		{"a thousandth above it", 60, 30_000, 1, 0, 3, 4, false},
		{"a thousandth below it", 60, 29_999, 59, 0, 3, 3, false},
		{"a window that is not full", 2, 30_000, 1, 0, 3, 4, false},
		// 10 in each second, and at the end 240 more: 14 over 60s, and 50 over
		// 6s, which are 5 pods. One thousandth more makes 6, twice the ready
		// ones.
		{"below the threshold", 60, 10_000, 240_000, 0, 3, 2, false},
		{"on the threshold", 60, 10_000, 240_001, 0, 3, 6, true},
		{"above it", 60, 10_000, 300_001, 0, 3, 7, true},
		{"more than fits", 1, math.MaxInt64, math.MaxInt64, 0, 3, 3000, true},
		// 1 over both windows is one pod, but no less than half of the ready
		// ones.
		{"half of 5", 60, 1_000, 0, 0, 5, 2, false},
		{"half of 6", 60, 1_000, 0, 0, 6, 3, false},
		{"half of 7", 60, 1_000, 0, 0, 7, 3, false},
		// The last second with load is a minute ago.
		{"almost a minute ago", 60, 30_000, 0, time.Minute - 1, 1, 3, false},
		{"a minute ago", 60, 30_000, 0, time.Minute, 1, 0, false},
		{"a second longer, almost", 60, 30_000, 0, time.Minute + time.Second - 1, 1, 0, false},
		{"a second longer", 60, 30_000, 0, time.Minute + time.Second, 1, -1, false},
		{"no pods yet", 60, 10_000, 0, 0, 0, 1, false},
	} {
		t.Run(tt.what, func(t *testing.T) {
			var l proposers.Load
			now := noon
			for i := range tt.seconds {
				now = noon.Add(time.Duration(i) * time.Second)
				w.Record(now, tt.load, &l)
			}
			w.Record(now, tt.peak, &l)
			p, err := w.Propose(now.Add(tt.after), tt.ready, &l)
			if tt.want < 0 {
				require.ErrorIs(t, err, proposers.ErrNoLoad)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, p.Replicas, p.Text)
			require.Equal(t, tt.panic, !l.PanicSeen.IsZero())
		})
	}
}

// A panic keeps its largest size until just after a stable window.
func TestWindowsPanicEnds(t *testing.T) {
	w := proposers.DefaultWindows(10_000)
	var l proposers.Load
	w.Record(noon, 200_000, &l)
	p, err := w.Propose(noon, 5, &l)
	require.NoError(t, err)
	require.Equal(t, int32(20), p.Replicas)
	for i := 1; i <= 60; i++ {
		w.Record(noon.Add(time.Duration(i)*time.Second), 10_000, &l)
	}
	for _, tt := range []struct {
		after time.Duration
		want  int32
	}{{time.Minute - 1, 20}, {time.Minute, 20}, {time.Minute + 1, 10}} {
		p, err := w.Propose(noon.Add(tt.after), 20, clone(t, &l))
		require.NoError(t, err)
		require.Equal(t, tt.want, p.Replicas, p.Text)
	}
}

// A clock that goes back by a day blocks nothing: what was recorded then is
// forgotten, and the panic ends a stable window later.
func TestWindowsAfterTheClockWentBack(t *testing.T) {
	w := proposers.DefaultWindows(10_000)
	var l proposers.Load
	tomorrow := noon.AddDate(0, 0, 1)
	w.Record(tomorrow, 500_000, &l)
	p, err := w.Propose(tomorrow, 5, &l)
	require.NoError(t, err)
	require.Equal(t, int32(50), p.Replicas)
	_, err = w.Propose(noon, 50, &l)
	require.ErrorIs(t, err, proposers.ErrNoLoad)
	for i, want := range map[int]int32{0: 50, 60: 50, 61: 25} {
		l := l.Clone()
		for s := range i + 1 {
			w.Record(noon.Add(time.Duration(s)*time.Second), 10_000, &l)
			p, err = w.Propose(noon.Add(time.Duration(s)*time.Second), 50, &l)
			require.NoError(t, err)
		}
		require.Equal(t, want, p.Replicas, "after %ds: %s", i, p.Text)
	}
	// Of one window, Knative drops what is older, and so does this.
	for back, want := range map[time.Duration]metrics.Milli{time.Minute: 500_000, time.Minute + time.Second: 10_000} {
		l := l.Clone()
		w.Record(tomorrow.Add(-back), 10_000, &l)
		p, err := w.Propose(tomorrow.Add(-back), 50, &l)
		require.NoError(t, err)
		require.Equal(t, want, p.Value, back)
	}
}

func TestLoadClone(t *testing.T) {
	w := proposers.DefaultWindows(10_000)
	var l proposers.Load
	w.Record(noon, 1000, &l)
	before, c := clone(t, &l), l.Clone()
	w.Record(noon, 1000, &c)
	require.Equal(t, before, &l)
	require.NotEqual(t, before, &c)
}

func TestWindowsErrors(t *testing.T) {
	for problem, change := range map[string]func(w *proposers.Windows, ready *int32){
		`windows.target: Invalid value: "0": must be positive`:                                                             func(w *proposers.Windows, _ *int32) { w.Target = 0 },
		`windows.panic: Invalid value: "999ms": must be whole seconds, and at least one`:                                   func(w *proposers.Windows, _ *int32) { w.Panic = 999 * time.Millisecond },
		`windows.panic: Invalid value: "1.5s": must be whole seconds, and at least one`:                                    func(w *proposers.Windows, _ *int32) { w.Panic = 1500 * time.Millisecond },
		`windows.stable: Invalid value: "5s": must be whole seconds, at least the panic window and at most 1h`:             func(w *proposers.Windows, _ *int32) { w.Stable = 5 * time.Second },
		`windows.stable: Invalid value: "1h0m1s": must be whole seconds, at least the panic window and at most 1h`:         func(w *proposers.Windows, _ *int32) { w.Stable = time.Hour + time.Second },
		`windows.stable: Invalid value: "1m0.000000001s": must be whole seconds, at least the panic window and at most 1h`: func(w *proposers.Windows, _ *int32) { w.Stable++ },
		`windows.panicThreshold: Invalid value: "1": must be above 1`:                                                      func(w *proposers.Windows, _ *int32) { w.PanicThreshold = 1 },
		`windows.panicThreshold: Invalid value: "NaN": must be above 1`:                                                    func(w *proposers.Windows, _ *int32) { w.PanicThreshold = math.NaN() },
		`windows.maxScaleUpRate: Invalid value: "0": must be above 1`:                                                      func(w *proposers.Windows, _ *int32) { w.MaxScaleUpRate = 0 },
		`windows.maxScaleDownRate: Invalid value: "1": must be 0 or above 1`:                                               func(w *proposers.Windows, _ *int32) { w.MaxScaleDownRate = 1 },
		`windows.activationScale: Invalid value: -1: must not be negative`:                                                 func(w *proposers.Windows, _ *int32) { w.ActivationScale = -1 },
		`ready: Invalid value: -1: must not be negative`:                                                                   func(_ *proposers.Windows, ready *int32) { *ready = -1 },
	} {
		w, ready := proposers.DefaultWindows(10_000), int32(3)
		var l proposers.Load
		w.Record(noon, 200_000, &l)
		before := clone(t, &l)
		change(&w, &ready)
		p, err := w.Propose(noon, ready, &l)
		require.EqualError(t, err, problem)
		var e *field.Error
		require.ErrorAs(t, err, &e)
		require.Zero(t, p)
		require.Equal(t, before, &l)
	}
}
