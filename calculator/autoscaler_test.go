package calculator_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/metrics"
)

var errConflict = errors.New("conflict")

// climber is a proposer with a memory: it proposes a step more at each sync,
// for every metric.
type climber struct{ sizes []int32 }

func (c *climber) Propose(_ time.Time, obs *calculator.Observation) {
	c.sizes[0] += c.sizes[1]
	for i := range obs.Readings {
		obs.Readings[i] = calculator.Reading{Proposed: &calculator.Proposed{Replicas: c.sizes[0]}}
	}
}

func (c *climber) Clone() calculator.Proposer {
	return &climber{append([]int32(nil), c.sizes...)}
}

// anyAutoscaler draws an autoscaler of a setup, in the middle of its life.
func anyAutoscaler(t *rapid.T, setup *prove.Setup) calculator.Autoscaler {
	a := calculator.Autoscaler{Spec: setup.Spec}
	if rapid.Bool().Draw(t, "settings") {
		a.Settings = &setup.Settings
	}
	if rapid.Bool().Draw(t, "proposer") {
		a.Proposer = &climber{rapid.SliceOfN(rapid.Int32Range(0, 3), 2, 2).Draw(t, "steps")}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "syncs before") {
		now := prove.Start.Add(time.Duration(i-3) * time.Minute)
		d := a.Decide(now, anyObservation(t, setup))
		a.Applied(now, &d)
	}
	return a
}

func anyObservation(t *rapid.T, setup *prove.Setup) *calculator.Observation {
	pods := calctest.Pods(setup.Spec).Draw(t, "pods")
	return &calculator.Observation{
		SpecReplicas: rapid.Int32Range(0, 12).Draw(t, "size"), StatusReplicas: int32(len(pods)),
		Pods: pods, Readings: calctest.Readings(setup.Spec, pods).Draw(t, "readings"),
	}
}

// The methods decide and record as the functions do with what the autoscaler
// holds, and with what its proposer made of the observation, which they do not
// change.
func TestAutoscalerDecidesAsDecide(t *testing.T) {
	t.Parallel()
	proposed := 0
	rapid.Check(t, func(t *rapid.T) {
		setup := calctest.Setups().Draw(t, "setup")
		a := anyAutoscaler(t, setup)
		settings, state, by := calculator.DefaultSettings(), a.State.Clone(), calculator.Proposer(nil)
		if a.Settings != nil {
			settings = *a.Settings
		}
		if a.Proposer != nil {
			by = a.Proposer.Clone()
			proposed++
		}
		var d calculator.Decision
		for i := range rapid.IntRange(1, 4).Draw(t, "syncs") {
			now, obs := prove.Start.Add(time.Duration(i)*calculator.SyncPeriod), anyObservation(t, setup)
			seen := *obs
			seen.Readings = append([]calculator.Reading(nil), obs.Readings...)
			before := seen
			if by != nil {
				before.Readings = append([]calculator.Reading(nil), obs.Readings...)
				by.Propose(now, &seen)
			}
			want := calculator.Decide(now, &settings, a.Spec, &seen, &state)
			a.DecideInto(&d, now, obs)
			require.Equal(t, before, *obs)
			if rapid.Bool().Draw(t, "written") {
				state.Applied(now, &want)
				a.Applied(now, &d)
			} else {
				state.Failed(now, &want, errConflict)
				a.Failed(now, &d, errConflict)
			}
			require.Equal(t, want.String(), d.String())
			require.Equal(t, want.Err(), d.Err())
			require.Equal(t, want.Status(&state), d.Status(&a.State))
			require.True(t, state.Equal(&a.State))
		}
	})
	require.Positive(t, proposed)
}

// A clone is equal and shares no memory: what one of the two decides does not
// change what the other one does.
func TestAutoscalerClone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		setup := calctest.Setups().Draw(t, "setup")
		a := anyAutoscaler(t, setup)
		c := a.Clone()
		require.Empty(t, shared(&a, &c))
		require.Equal(t, a.Settings, c.Settings)
		require.Equal(t, a.Spec, c.Spec)
		require.Equal(t, a.Proposer, c.Proposer)
		require.True(t, a.State.Equal(&c.State))

		obs := anyObservation(t, setup)
		again := a.Clone()
		want := again.Decide(prove.Start, obs)
		d := c.Decide(prove.Start, obs)
		c.Applied(prove.Start, &d)
		c.Decide(prove.Start.Add(time.Minute), obs)
		c.Spec.MaxReplicas = 1
		d = a.Decide(prove.Start, obs)
		require.Equal(t, want.String(), d.String())
		require.True(t, again.State.Equal(&a.State))
	})
	require.Equal(t, calculator.Autoscaler{}, (*calculator.Autoscaler)(nil).Clone())
}

// shared returns the paths in b of memory that a reaches, too. Strings do not
// count: nothing changes them.
func shared(a, b any) []string {
	reached := map[unsafe.Pointer]bool{}
	walk(reflect.ValueOf(a), "", func(_ string, p unsafe.Pointer) { reached[p] = true })
	var both []string
	walk(reflect.ValueOf(b), "", func(path string, p unsafe.Pointer) {
		if reached[p] {
			both = append(both, path)
		}
	})
	return both
}

// walk visits all memory that the value refers to.
func walk(v reflect.Value, path string, visit func(string, unsafe.Pointer)) {
	switch v.Kind() {
	case reflect.Interface:
		walk(v.Elem(), path, visit)
	case reflect.Pointer:
		// The pointer of a time.Time is to its location.
		if !v.IsNil() && v.Type() != reflect.TypeFor[*time.Location]() {
			visit(path, v.UnsafePointer())
			walk(v.Elem(), path, visit)
		}
	case reflect.Slice:
		if v.Cap() > 0 {
			visit(path, v.UnsafePointer())
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Map:
		visit(path, v.UnsafePointer())
	}
}

// Nothing of an autoscaler is needed to say what is missing.
func TestAutoscalerWithoutSpec(t *testing.T) {
	for _, a := range []*calculator.Autoscaler{nil, {}, {Proposer: &climber{[]int32{0, 1}}}} {
		d := a.Decide(noon, backlogOf(5, 1))
		a.Applied(noon, &d)
		a.Failed(noon, &d, errConflict)
		var e *field.Error
		require.ErrorAs(t, d.Err(), &e)
		require.Equal(t, "spec", e.Field)
		require.Equal(t, int32(5), d.DesiredReplicas)
	}
	a := calculator.Autoscaler{Spec: externalSpec(t, ""), Proposer: &climber{[]int32{0, 1}}}
	d := a.Decide(noon, nil)
	require.EqualError(t, d.Err(), "observation: Required value")
}

// A proposer may replace the list of readings by one of its own, which stays
// its own.
func TestProposerWithItsOwnReadings(t *testing.T) {
	own := []calculator.Reading{{Proposed: &calculator.Proposed{Replicas: 7}}}
	a := calculator.Autoscaler{Spec: externalSpec(t, ""), Proposer: calculator.ProposerFunc(func(_ time.Time, obs *calculator.Observation) {
		obs.Readings = own
	})}
	for range 2 {
		d := a.Decide(noon, backlogOf(5, 1))
		require.Equal(t, int32(7), d.Choice.Replicas)
		require.Equal(t, int32(7), own[0].Proposed.Replicas)
	}
}

// Once warm, a decision allocates nothing, with settings or without, with a
// proposer or without.
func TestAutoscalerAllocations(t *testing.T) {
	settings := calculator.DefaultSettings()
	proposal := calculator.Proposed{Replicas: 5}
	by := calculator.ProposerFunc(func(_ time.Time, obs *calculator.Observation) { obs.Readings[0].Proposed = &proposal })
	for name, a := range map[string]calculator.Autoscaler{
		"plain": {}, "settings": {Settings: &settings}, "proposer": {Proposer: by},
	} {
		spec := autoscaling.NewSpec(1, 20, autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("10")))
		a.Spec = &spec
		obs, now := backlogOf(5, 50_000), noon
		var d calculator.Decision
		sync := func() {
			now = now.Add(calculator.SyncPeriod)
			a.DecideInto(&d, now, obs)
		}
		for range 100 {
			sync()
		}
		require.Zero(t, testing.AllocsPerRun(100, sync), name)
		require.NoError(t, d.Err())
	}
}
