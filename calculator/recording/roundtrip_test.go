package recording_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Whatever is written is read again, whether it can be decided on or not.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := headers().Draw(t, "header")
		pool := rapid.SliceOfN(anyPod(), 0, 8).Draw(t, "pods")
		var syncs []replay.Sync
		var readings []calculator.Reading
		for range rapid.IntRange(0, 5).Draw(t, "syncs") {
			s := anySync(t, h, &pool, &readings)
			syncs = append(syncs, s)
		}
		inOrder(syncs)
		data := write(t, h, syncs...)
		got := open(t, data).Header()
		if diff := cmp.Diff(h, got, same, cmpopts.EquateComparable(metrics.Quantity{}, release.Release{})); diff != "" {
			t.Fatalf("header (-written +read):\n%s", diff)
		}
		requireSame(t, data, syncs)
	})
}

// inOrder puts the times of the syncs in order, whatever the syncs see.
func inOrder(syncs []replay.Sync) {
	times := make([]time.Time, len(syncs))
	for i := range syncs {
		times[i] = syncs[i].Time
	}
	slices.SortFunc(times, time.Time.Compare)
	for i := range syncs {
		syncs[i].Time = times[i]
	}
}

// headers draws a header. A status and a state are those after a decision.
func headers() *rapid.Generator[recording.Header] {
	setups := calctest.Setups()
	return rapid.Custom(func(t *rapid.T) recording.Header {
		setup := setups.Draw(t, "setup")
		h := recording.Header{
			Namespace:  rapid.SampledFrom([]string{"shop", ""}).Draw(t, "namespace"),
			Name:       rapid.SampledFrom([]string{"web", ""}).Draw(t, "name"),
			Generation: rapid.Int64Range(0, 5).Draw(t, "generation"),
			Spec:       setup.Spec,
			Settings:   &setup.Settings,
		}
		if rapid.Bool().Draw(t, "cooldown") {
			h.Settings.Cooldown, h.Settings.ColdStart = behavior.DefaultCooldown(), calculator.HoldScaleDown
			h.Settings.ChooseBy, h.Settings.Corrections = calculator.ChooseMin, correction.NewSet(correction.Strays, correction.Bounds)
		}
		pods := calctest.Pods(h.Spec).Draw(t, "pods before")
		var st calculator.State
		obs := calculator.Observation{SpecReplicas: h.Spec.MaxReplicas, Pods: pods, Readings: calctest.Readings(h.Spec, pods).Draw(t, "readings before")}
		d := calculator.Decide(prove.Start, h.Settings, h.Spec, &obs, &st)
		st.Applied(prove.Start, &d)
		if rapid.Bool().Draw(t, "default settings") {
			h.Settings = nil
		}
		if rapid.Bool().Draw(t, "state") {
			h.State = &st
		}
		if rapid.Bool().Draw(t, "status") {
			// Nothing is set beside what the metrics are about.
			h.Status.Conditions = st.Conditions
			h.Status.LastScaleTime, h.Status.DesiredReplicas = st.LastScaleTime, st.DesiredReplicas
			h.Status.CurrentReplicas = d.CurrentReplicas
		}
		return h
	})
}

// An autoscaler's state is as much as a recording knows.
func TestAutoscaler(t *testing.T) {
	h := header()
	h.Status.DesiredReplicas = 7
	a := h.Autoscaler()
	require.Equal(t, h.Spec, a.Spec)
	require.Equal(t, h.Settings, a.Settings)
	require.True(t, a.State.Equal(&calculator.State{DesiredReplicas: 7}))
	h.State = &calculator.State{DesiredReplicas: 8}
	a = h.Autoscaler()
	require.True(t, a.State.Equal(h.State))
	a.State.Recommendations.Start(noon, 1)
	require.True(t, h.State.Recommendations.IsEmpty())
	a.Settings.Tolerance, a.Spec.MaxReplicas = 0.5, 7
	require.Equal(t, header().Settings, h.Settings)
	require.Equal(t, header().Spec, h.Spec)
	h.Settings = nil
	require.Equal(t, calculator.DefaultSettings(), *h.Autoscaler().Settings)
}

// anySync draws a sync. Its pods are some of the pool, of which some change,
// and its readings are in part those of the sync before.
func anySync(t *rapid.T, h recording.Header, pool *[]podgroup.Pod, readings *[]calculator.Reading) replay.Sync {
	obs := &calculator.Observation{
		Namespace:      rapid.SampledFrom([]string{h.Namespace, "", "other"}).Draw(t, "namespace"),
		SpecReplicas:   rapid.Int32Min(0).Draw(t, "specReplicas"),
		StatusReplicas: rapid.Int32Min(0).Draw(t, "statusReplicas"),
		ScaleError:     anyError().Draw(t, "scale error"),
		Calibration:    rapid.SampledFrom([]float64{0, 0, 1, 1. / 3, -1, math.MaxFloat64}).Draw(t, "calibration"),
	}
	if obs.ScaleError != nil && rapid.Bool().Draw(t, "scale error of its own") {
		obs.ScaleError = &calculator.ScaleError{Reason: "FailedGetBindings", Message: rapid.String().Draw(t, "message"), Err: obs.ScaleError}
	}
	if rapid.IntRange(0, 7).Draw(t, "selector") == 7 {
		obs.SelectorError = &calculator.SelectorError{
			Reason:   rapid.SampledFrom([]calculator.SelectorReason{"", calculator.SelectorInvalid, "other"}).Draw(t, "reason"),
			Selector: rapid.String().Draw(t, "selector"), Others: rapid.String().Draw(t, "others"), Problem: rapid.String().Draw(t, "problem"),
		}
	}
	switch rapid.IntRange(0, 3).Draw(t, "what happens to the pods") {
	case 1:
		*pool = rapid.Permutation(*pool).Draw(t, "order")
	case 2:
		*pool = slices.Clone(*pool)
		for i := range *pool {
			if rapid.IntRange(0, 3).Draw(t, "changes") == 3 {
				name := (*pool)[i].Name
				(*pool)[i] = anyPod().Draw(t, "pod")
				(*pool)[i].Name = name
			}
		}
	case 3:
		*pool = slices.Concat(rapid.SliceOfN(anyPod(), 0, 2).Draw(t, "new"), *pool, rapid.SliceOfN(anyPod(), 0, 2).Draw(t, "new"))
	}
	gone := rapid.IntRange(0, len(*pool)).Draw(t, "pods that are not listed")
	if rapid.Bool().Draw(t, "the first ones") {
		obs.Pods = slices.Clone((*pool)[gone:])
	} else {
		obs.Pods = slices.Clone((*pool)[:len(*pool)-gone])
	}
	*readings = anyReadings(t, *readings, len(obs.Pods))
	obs.Readings = *readings
	return replay.Sync{Time: anyTime().Draw(t, "time"), Observation: obs, WriteErr: anyError().Draw(t, "write error")}
}

// anyReadings draws readings, some of whose samples are those of before. Some
// have fewer samples than there are pods, or more.
func anyReadings(t *rapid.T, before []calculator.Reading, pods int) []calculator.Reading {
	readings := make([]calculator.Reading, rapid.IntRange(0, 3).Draw(t, "readings"))
	for i := range readings {
		r := &readings[i]
		r.Err = anyError().Draw(t, "error")
		r.WithoutContainer = rapid.SampledFrom([]string{"", "web-1"}).Draw(t, "without container")
		if rapid.Bool().Draw(t, "samples") {
			pods += rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "samples too many")
			r.Samples = rapid.SliceOfN(anySample(), pods, pods).Draw(t, "samples")
		}
		if i < len(before) && rapid.Bool().Draw(t, "as before") {
			copy(r.Samples, before[i].Samples)
		}
		r.Strays = rapid.SliceOfN(anySample(), 0, 2).Draw(t, "strays")
		for k := range r.Strays {
			r.Strays[k].Present = true
		}
		if rapid.IntRange(0, 3).Draw(t, "proposed") == 3 {
			r.Proposed = &calculator.Proposed{
				Replicas: rapid.Int32().Draw(t, "replicas"), Ratio: float64(rapid.Int32().Draw(t, "ratio")) / 3, Counted: rapid.Int().Draw(t, "counted"),
				Value: metrics.Milli(rapid.Int64().Draw(t, "value")), Utilization: rapid.Int32().Draw(t, "utilization"), Text: rapid.String().Draw(t, "text"),
			}
			if rapid.Bool().Draw(t, "until") {
				r.Proposed.Until = anyTime().Draw(t, "until")
			}
		}
		r.Values = rapid.SliceOfN(rapid.Map(rapid.Int64(), func(n int64) metrics.Milli { return metrics.Milli(n) }), 0, 2).Draw(t, "values")
	}
	return readings
}

func anyError() *rapid.Generator[error] {
	return rapid.Custom(func(t *rapid.T) error {
		if rapid.IntRange(0, 3).Draw(t, "is there one") < 3 {
			return nil
		}
		return errors.New(rapid.OneOf(rapid.Just(""), rapid.Just("a < b\n"), rapid.String()).Draw(t, "text"))
	})
}

func anyTime() *rapid.Generator[time.Time] {
	return rapid.OneOf(
		rapid.Map(rapid.Int64Range(0, int64(time.Hour)), func(ns int64) time.Time { return noon.Add(time.Duration(ns)) }),
		rapid.Map(rapid.Int64Range(0, 60), func(s int64) time.Time { return noon.Add(time.Duration(s) * time.Second) }),
		rapid.SampledFrom([]time.Time{{}, noon.In(time.FixedZone("", 3600)), time.Unix(math.MaxInt32<<20, 1), time.Unix(-math.MaxInt32<<20, 1)}),
	)
}

func anyInstant() *rapid.Generator[metrics.Instant] {
	return rapid.OneOf(
		rapid.Map(anyTime(), metrics.At),
		rapid.SampledFrom([]metrics.Instant{0, 1, 2, 1 << 63, math.MaxUint64}),
		rapid.Map(rapid.Uint64(), func(n uint64) metrics.Instant { return metrics.Instant(n) }),
	)
}

func anySample() *rapid.Generator[metrics.Sample] {
	return rapid.Custom(func(t *rapid.T) metrics.Sample {
		return metrics.Sample{
			Value:   metrics.Milli(rapid.Int64().Draw(t, "value")),
			Time:    anyInstant().Draw(t, "sampled"),
			Window:  rapid.OneOf(rapid.Just(15*time.Second), rapid.Map(rapid.Int64(), func(n int64) time.Duration { return time.Duration(n) })).Draw(t, "window"),
			Present: rapid.IntRange(0, 3).Draw(t, "missing") < 3,
		}
	})
}

func anyPod() *rapid.Generator[podgroup.Pod] {
	amount := func(t *rapid.T) podgroup.Request {
		return podgroup.Request{Milli: metrics.Milli(rapid.Int64Range(-1, 1).Draw(t, "amount")), Set: rapid.Bool().Draw(t, "set")}
	}
	requests := rapid.Custom(func(t *rapid.T) podgroup.Requests {
		r := podgroup.Requests{CPU: amount(t), Memory: amount(t)}
		for range rapid.IntRange(0, 2).Draw(t, "others") {
			r.Others = append(r.Others, podgroup.ResourceRequest{Resource: rapid.SampledFrom([]string{"", "hugepages-2Mi"}).Draw(t, "resource"), Milli: amount(t).Milli})
		}
		return r
	})
	inForce := rapid.Map(rapid.Ptr(requests, true), func(r *podgroup.Requests) *podgroup.Requests {
		if r != nil {
			r.CPU, r.Memory = podgroup.Requested(r.CPU.Milli), podgroup.Request{}
		}
		return r
	})
	container := rapid.Custom(func(t *rapid.T) podgroup.Container {
		return podgroup.Container{Name: rapid.SampledFrom([]string{"app", ""}).Draw(t, "container"), Requests: requests.Draw(t, "requests"), InForce: inForce.Draw(t, "in force")}
	})
	return rapid.Custom(func(t *rapid.T) podgroup.Pod {
		p := podgroup.Pod{
			Name:            fmt.Sprint("web-", rapid.IntRange(0, 9).Draw(t, "number")),
			Phase:           podgroup.Phase(rapid.Uint8Range(0, 7).Draw(t, "phase")),
			Ready:           podgroup.Readiness(rapid.Uint8Range(0, 5).Draw(t, "ready")),
			Deleted:         rapid.Bool().Draw(t, "deleted"),
			Foreign:         rapid.Bool().Draw(t, "foreign"),
			StartTime:       anyInstant().Draw(t, "start"),
			ReadyTransition: anyInstant().Draw(t, "transition"),
		}
		if rapid.Bool().Draw(t, "usual") {
			p.CPU = podgroup.Requested(500)
			return p
		}
		p.CPU, p.Memory = amount(t), amount(t)
		p.Containers = rapid.SliceOfN(container, 0, 2).Draw(t, "containers")
		for _, c := range rapid.SliceOfN(container, 0, 1).Draw(t, "init containers") {
			p.InitContainers = append(p.InitContainers, podgroup.InitContainer{Container: c, Restarts: rapid.Bool().Draw(t, "restarts")})
		}
		if rapid.Bool().Draw(t, "pod level") {
			p.PodLevel = &podgroup.PodLevel{Requests: requests.Draw(t, "requests"), Overhead: requests.Draw(t, "overhead"), InForce: inForce.Draw(t, "in force")}
		}
		return p
	})
}

// What was recorded of any timeline leads to the same decisions and the same
// state, in every field that is exported or can be printed.
func TestReplayOfTimelines(t *testing.T) {
	timelines := calctest.Timelines(nil)
	rapid.Check(t, func(t *rapid.T) {
		tl := timelines.Draw(t, "timeline")
		h := recording.Header{Name: "web", Spec: tl.Setup.Spec, Settings: &tl.Setup.Settings, State: new(calculator.State)}
		var line lines
		w, err := recording.NewWriter(&line, h)
		require.NoError(t, err)
		type told struct {
			text   string
			status any
		}
		var want, got []told
		own := h.Autoscaler()
		require.NoError(t, tl.Run(func(s *prove.Sync) bool {
			sync := replay.Sync{Time: s.Now, Observation: s.Observation}
			d := own.Decide(s.Now, s.Observation)
			if s.Decision.Outcome == calculator.OutcomeNotWritten {
				sync.WriteErr = errDown
				own.Failed(s.Now, &d, errDown)
			} else {
				own.Applied(s.Now, &d)
			}
			want = append(want, told{d.String(), d.Status(&own.State)})
			require.NoError(t, w.Write(sync))
			return true
		}))
		r := open(t, line.all)
		a := r.Header().Autoscaler()
		for sync, err := range r.Syncs() {
			require.NoError(t, err)
			d := a.Decide(sync.Time, sync.Observation)
			if sync.WriteErr != nil {
				a.Failed(sync.Time, &d, sync.WriteErr)
			} else {
				a.Applied(sync.Time, &d)
			}
			got = append(got, told{d.String(), d.Status(&a.State)})
		}
		require.Equal(t, want, got)
		require.True(t, own.State.Equal(&a.State))
	})
}
