package calculator_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

// TestWhatPersistenceBuys restarts an autoscaler at each step of its load in
// turn, and judges the sizes after the restart by a reference that keeps the
// whole history: what was asked for and what was written, before and after. It
// counts the runs in which the size falls lower than the reference allows,
// within the longest window or period since the restart.
//
//   - With the state kept, no run does.
//   - With the state lost, some do, if policies look back further than the
//     window.
//   - With the state lost and HoldScaleDown, no run does.
func TestWhatPersistenceBuys(t *testing.T) {
	t.Parallel()
	const steps = 80
	loads := uint64(6)
	if testing.Short() || raceDetector {
		loads = 2
	}
	type count struct{ runs, kept, lost, held, late, laterHeld int }
	for _, tt := range []struct {
		name, behavior string
		lookBack       time.Duration
		breaks         bool // whether losing the state matters
	}{
		{"no behavior", noBehavior, 5 * time.Minute, false},
		{"default behavior", `,"behavior":{}`, 5 * time.Minute, false},
		{"no window", noWindow, 15 * time.Second, false},
		{"2 pods in 10 minutes, window of a minute", slowPolicy, 10 * time.Minute, true},
		{"10 percent in 5 minutes, no window", `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0,"policies":[{"type":"Percent","value":10,"periodSeconds":300}]}}`, 5 * time.Minute, true},
	} {
		spec := externalSpec(t, tt.behavior)
		var n count
		for seed := range loads {
			load := dailyLoad(rand.New(rand.NewPCG(seed, 1)), steps)
			// One run without a restart, of which each step is kept.
			m := persistenceRun{settings: coldSettings(calculator.RecommendCurrent), spec: spec, load: load, size: 5}
			m.ref = &refAutoscaler{settings: *m.settings, spec: spec}
			for restart := range steps {
				n.runs++
				kept := m.fork(recode(t, &m.state, restart%2 == 0))
				lost := m.fork(m.lost())
				held := m.fork(m.lost())
				held.settings = coldSettings(calculator.HoldScaleDown)
				for range steps - restart {
					kept.step(t, tt.lookBack)
					lost.step(t, tt.lookBack)
					held.step(t, tt.lookBack)
				}
				if kept.tooSoon {
					n.kept++
				}
				if lost.tooSoon {
					n.lost++
				}
				if held.tooSoon {
					n.held++
				}
				if lost.podSyncs > kept.podSyncs {
					n.late++
				}
				if held.podSyncs > kept.podSyncs {
					n.laterHeld++
				}
				require.False(t, held.fell, "%s: fell while held", tt.name)
				m.step(t, 0)
			}
			require.False(t, m.tooSoon)
		}
		t.Logf("%s: of %d runs, the size falls too soon in %d with the state kept, %d with it lost, %d with it lost and the way down held; "+
			"a lost state costs more pods in %d, and a held one in %d",
			tt.name, n.runs, n.kept, n.lost, n.held, n.late, n.laterHeld)
		require.Zero(t, n.kept)
		require.Zero(t, n.held)
		require.Equal(t, tt.breaks, n.lost > 0)
	}
}

// dailyLoad is a wave with noise, in replicas.
func dailyLoad(r *rand.Rand, steps int) []int32 {
	load := make([]int32, steps)
	phase := r.Float64() * 2 * math.Pi
	for i := range load {
		wave := 10 + 8*math.Sin(phase+float64(i)/12)
		load[i] = max(1, int32(wave+r.NormFloat64()*2))
	}
	return load
}

// persistenceRun follows a load, 15 seconds a step.
type persistenceRun struct {
	settings *calculator.Settings
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	load     []int32
	at, from int
	size     int32
	state    calculator.State
	// ref has the history that was, and judges by it.
	ref *refAutoscaler

	tooSoon, fell bool
	podSyncs      int
}

// fork goes on with another state, as after a restart.
func (m *persistenceRun) fork(st calculator.State) *persistenceRun {
	f := *m
	f.state, f.ref, f.from, f.podSyncs = st, m.ref.clone(), m.at, 0
	return &f
}

// lost is what a restart leaves: the status, which the API server has.
func (m *persistenceRun) lost() calculator.State {
	c := m.state.Clone()
	return calculator.State{Conditions: c.Conditions, LastScaleTime: c.LastScaleTime, DesiredReplicas: c.DesiredReplicas}
}

func (m *persistenceRun) step(t *testing.T, lookBack time.Duration) {
	now, proposal := noon.Add(time.Duration(m.at)*15*time.Second), m.load[m.at]
	since := time.Duration(m.at-m.from) * 15 * time.Second
	allowed, ok := m.ref.sync(now, m.size, proposal, false, false)
	d := calculator.Decide(now, m.settings, m.spec, wanted(m.size, proposal), &m.state)
	if !ok || d.Err() != nil {
		t.Fatalf("step %d: %v", m.at, d.Err())
	}
	m.state.Applied(now, &d)
	if d.DesiredReplicas < m.size && since < lookBack {
		m.fell = m.fell || m.settings.ColdStart == calculator.HoldScaleDown
		m.tooSoon = m.tooSoon || d.DesiredReplicas < allowed
	}
	if d.Rescale {
		m.ref.written(now, m.size, d.DesiredReplicas, false)
	}
	m.size = d.DesiredReplicas
	m.podSyncs += int(m.size)
	m.at++
}
