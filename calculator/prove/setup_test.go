package prove_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/prove"
)

func TestParseManifest(t *testing.T) {
	r, err := prove.ParseManifest([]byte(manifest))
	require.NoError(t, err)
	require.EqualValues(t, 20, r.Spec.MaxReplicas)
	require.NotNil(t, r.Spec.Behavior.ScaleDown, "defaults are set")
	require.Equal(t, calculator.DefaultSettings(), r.Settings)
	require.Contains(t, fmt.Sprintf("%#v", r), `"maxReplicas":20`)
	require.Contains(t, fmt.Sprintf("%#v", r), "each 15s, startup 20s, lag 0s, capacity 0%")
	r.Settings.Tolerance = 0.25
	require.Contains(t, fmt.Sprintf("%#v", r), "Tolerance:0.25")
}

func TestParseManifestRefuses(t *testing.T) {
	_, err := prove.ParseManifest([]byte(`{"kind":"Pod"}`))
	var decoding *kubejson.Error
	require.ErrorAs(t, err, &decoding)

	_, err = prove.ParseManifest([]byte(`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},
		"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":5,"maxReplicas":3}}`))
	var fields field.ErrorList
	require.ErrorAs(t, err, &fields)
	require.ErrorContains(t, err, "spec.maxReplicas")
}

func TestSetupsThatCannotBeTested(t *testing.T) {
	for want, change := range map[string]func(*prove.Setup){
		"there is no spec":                         func(r *prove.Setup) { r.Spec = nil },
		"prove: settings: Required value: all":     func(r *prove.Setup) { r.Settings = calculator.Settings{} },
		"SyncPeriod: 1.5s is not a number of":      func(r *prove.Setup) { r.SyncPeriod = 1500 * time.Millisecond },
		"SyncPeriod: -1s is not a number":          func(r *prove.Setup) { r.SyncPeriod = -time.Second },
		"Startup: -1ns is negative":                func(r *prove.Setup) { r.Startup = -1 },
		"Lag: -1ns is negative":                    func(r *prove.Setup) { r.Lag = -1 },
		"Capacity: -1 is negative":                 func(r *prove.Setup) { r.Capacity = -1 },
		"prove: spec.maxReplicas: Required":        func(r *prove.Setup) { r.Spec.MaxReplicas = 0; r.Spec.MinReplicas = nil },
		"spec.metrics: Required value: must speci": func(r *prove.Setup) { r.Spec.Metrics = nil },
	} {
		r := setupOf(t, cpu60, "")
		change(r)
		tl := prove.Timeline{Setup: r}
		require.ErrorContains(t, tl.Run(func(*prove.Sync) bool { return true }), want)
	}
	bare := setupOf(t, cpu60, "")
	bare.Spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{}
	require.NoError(t, (&prove.Timeline{Setup: bare}).Run(nil), "as autoscaling.NewSpec leaves it")
	tl := prove.Timeline{}
	require.ErrorContains(t, tl.Run(nil), "there is no spec")
}

// A timeline stops when it is told to, and what is seen follows from sync to
// sync.
func TestRun(t *testing.T) {
	r := setupOf(t, cpu60, jumpy)
	tl := prove.Timeline{Setup: r, Size: 5, Segments: []prove.Segment{
		{Syncs: 2, Load: 5},
		{Syncs: 4, Load: 10, Troubles: []prove.Trouble{{Kind: prove.WriteFails}}},
		{Syncs: 4, Load: 10},
		{Syncs: 1, Load: 10, Troubles: []prove.Trouble{{Kind: prove.Resized, N: 30}}},
		{Syncs: 1, Load: 10, Troubles: []prove.Trouble{{Kind: prove.Resized, N: 0}}},
		{Syncs: 9, Load: 10},
	}}
	var got []string
	require.NoError(t, tl.Run(func(s *prove.Sync) bool {
		got = append(got, fmt.Sprintf("%d %d>%d %v", s.Segment, s.Size, s.After, s.Decision.Zone))
		return s.Segment < 5
	}))
	require.Equal(t, []string{
		"0 5>5 Normal", "0 5>5 Normal",
		"1 5>5 Normal", "1 5>5 Normal", "1 5>5 Normal", "1 5>5 Normal",
		"2 5>10 Normal", "2 10>10 Normal", "2 10>10 Normal", "2 10>10 Normal",
		"3 30>20 AboveMax",
		"4 0>0 Disabled",
		"5 0>0 Disabled",
	}, got)
	require.Equal(t, "5 replicas of 2 to 20, load 5 for 30s, load 10 for 1m (write fails), load 10 for 1m, "+
		"load 10 for 15s (resized to 30), load 10 for 15s (resized to 0), load 10 for 2m15s", tl.String())
}

// Late metrics are those of a sync before, and a rollout shows in
// status.replicas.
func TestMetricsLateAndSurge(t *testing.T) {
	r := setupOf(t, `{"type":"External","external":{"metric":{"name":"jobs"},"target":{"type":"AverageValue","averageValue":"1"}}}`, "")
	late := func(n int32) []prove.Trouble {
		return []prove.Trouble{{Kind: prove.MetricsLate, N: n}}
	}
	tl := prove.Timeline{Setup: r, Size: 5, Segments: []prove.Segment{
		{Syncs: 1, Load: 11, Troubles: late(1)},
		{Syncs: 1, Load: 12, Troubles: late(1)},
		{Syncs: 1, Load: 13},
		{Syncs: 1, Load: 14, Troubles: late(3)},
		{Syncs: 1, Load: 15, Troubles: append(late(1), late(1)...)},
		{Syncs: 2, Load: 16, Troubles: []prove.Trouble{{Kind: prove.Surge, N: 25}}},
	}}
	for _, lag := range []time.Duration{0, 15 * time.Second} {
		r.Lag = lag
		var got []string
		require.NoError(t, tl.Run(func(s *prove.Sync) bool {
			obs := s.Observation
			got = append(got, fmt.Sprint(int64(obs.Readings[0].Values[0])/1000, " ", obs.StatusReplicas, "/", obs.SpecReplicas, " ", len(obs.Pods)))
			return true
		}))
		require.Equal(t, map[time.Duration][]string{
			0:                {"11 5/5 5", "11 10/10 10", "13 11/11 11", "11 13/13 13", "13 13/13 13", "16 17/13 17", "16 22/17 22"},
			15 * time.Second: {"11 5/5 5", "11 10/10 10", "12 11/11 11", "11 11/11 11", "12 11/11 11", "15 14/11 14", "16 18/14 18"},
		}[lag], got)
	}
}

// Numbers that no generator draws have no effect, or name no metric.
func TestTroublesOutOfRange(t *testing.T) {
	r := setupOf(t, cpu60, "")
	twice := prove.Trouble{Kind: prove.SelectorFails, N: math.MaxInt32}
	tl := prove.Timeline{Setup: r, Size: 5, Segments: []prove.Segment{{Syncs: 1, Load: 5, Troubles: []prove.Trouble{twice, twice}}}}
	require.NoError(t, tl.Run(func(*prove.Sync) bool { return true }))
	for kind := prove.Resized; kind <= prove.Surge+1; kind++ {
		for _, n := range []int32{math.MinInt32, -1, 1000} {
			tl := prove.Timeline{Setup: r, Size: 5, Segments: []prove.Segment{{Syncs: 2, Load: 5, Troubles: []prove.Trouble{{Kind: kind, N: n}}}}}
			require.NoError(t, tl.Run(func(*prove.Sync) bool { return true }))
		}
	}
}

// Whatever the troubles are, the ready pods share the load, and none is lost.
func TestLoadIsShared(t *testing.T) {
	r := setupOf(t, cpu60, "")
	rapid.Check(t, func(t *rapid.T) {
		tl := calctest.Timelines(r, calctest.LoadUpTo(30)).Draw(t, "timeline")
		err := tl.Run(func(s *prove.Sync) bool {
			obs := s.Observation
			ready, sum := 0, int64(0)
			for i := range obs.Pods {
				p := &obs.Pods[i]
				ready += boolToInt(p.Ready.String() == "True" && p.Phase.String() == "Running" && !p.Deleted)
			}
			for _, x := range tl.Segments[s.Segment].Troubles {
				switch x.Kind {
				case prove.PodsMute, prove.MetricEmpty, prove.MetricFails, prove.MetricsLate:
					return true
				}
			}
			for i := range obs.Readings[0].Samples {
				sum += int64(obs.Readings[0].Samples[i].Value)
			}
			// 60% of a core for each replica.
			want := int64(tl.Segments[s.Segment].Load*10+0.5) * 60
			switch {
			case ready > 0 && sum != want:
				t.Fatalf("%v: %d pods use %dm, not %dm", s.Now, ready, sum, want)
			case ready == 0 && sum != 0:
				t.Fatalf("%v: no pod uses %dm", s.Now, sum)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
