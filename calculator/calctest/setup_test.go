package calctest_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/kubejson"
)

func TestManifest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hpa.json")
	require.NoError(t, os.WriteFile(file, []byte(manifest), 0o600))
	r := calctest.Manifest(t, file)
	require.EqualValues(t, 20, r.Spec.MaxReplicas)
	require.NotNil(t, r.Spec.Behavior.ScaleDown, "defaults are set")
	require.Equal(t, calculator.DefaultSettings(), r.Settings)
	require.Contains(t, fmt.Sprintf("%#v", r), `"maxReplicas":20`)
	require.Contains(t, fmt.Sprintf("%#v", r), "each 15s, startup 20s, lag 0s, capacity 0%")
	r.Settings.Tolerance = 0.25
	require.Contains(t, fmt.Sprintf("%#v", r), "Tolerance:0.25")
}

func TestParseManifestRefuses(t *testing.T) {
	_, err := calctest.ParseManifest([]byte(`{"kind":"Pod"}`))
	var decoding *kubejson.Error
	require.ErrorAs(t, err, &decoding)

	_, err = calctest.ParseManifest([]byte(`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},
		"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":5,"maxReplicas":3}}`))
	var fields field.ErrorList
	require.ErrorAs(t, err, &fields)
	require.ErrorContains(t, err, "spec.maxReplicas")
}

func TestSetupsThatCannotBeTested(t *testing.T) {
	for want, change := range map[string]func(*calctest.Setup){
		"there is no spec":                         func(r *calctest.Setup) { r.Spec = nil },
		"calctest: settings: Required value: all":  func(r *calctest.Setup) { r.Settings = calculator.Settings{} },
		"SyncPeriod: 1.5s is not a number of":      func(r *calctest.Setup) { r.SyncPeriod = 1500 * time.Millisecond },
		"SyncPeriod: -1s is not a number":          func(r *calctest.Setup) { r.SyncPeriod = -time.Second },
		"Startup: -1ns is negative":                func(r *calctest.Setup) { r.Startup = -1 },
		"Lag: -1ns is negative":                    func(r *calctest.Setup) { r.Lag = -1 },
		"Capacity: -1 is negative":                 func(r *calctest.Setup) { r.Capacity = -1 },
		"calctest: spec.maxReplicas: Required":     func(r *calctest.Setup) { r.Spec.MaxReplicas = 0; r.Spec.MinReplicas = nil },
		"spec.metrics: Required value: must speci": func(r *calctest.Setup) { r.Spec.Metrics = nil },
	} {
		r := setupOf(t, cpu60, "")
		change(r)
		tl := calctest.Timeline{Setup: r}
		require.ErrorContains(t, tl.Run(func(*calctest.Sync) bool { return true }), want)
		require.Contains(t, calctest.Find(1, 1, func(t *rapid.T) { calctest.WithinBounds(t, r) }), want)
	}
	bare := setupOf(t, cpu60, "")
	bare.Spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{}
	require.NoError(t, (&calctest.Timeline{Setup: bare}).Run(nil), "as autoscaling.NewSpec leaves it")
	none := calctest.WithLoad(calctest.LoadProfile{})
	for want, property := range map[string]func(*rapid.T){
		"calctest: WithLoad: there are no levels": func(t *rapid.T) { calctest.AnswersStep(t, bare, time.Minute, none) },
		"the size turns for the 1st time":         func(t *rapid.T) { calctest.TurnsAtMost(t, bare, -1, 9) },
		"calctest: there is no spec":              func(t *rapid.T) { calctest.Timelines(&calctest.Setup{}).Draw(t, "timeline") },
	} {
		require.Contains(t, calctest.Find(1, 1000, property), want)
	}
	require.Contains(t, calctest.Find(1, 1, func(t *rapid.T) { calctest.Settles(t, bare, time.Minute, none) }), "calctest: WithLoad: there are no levels")
	tl := calctest.Timeline{}
	require.ErrorContains(t, tl.Run(nil), "there is no spec")
}

func TestFind(t *testing.T) {
	seven := func(t *rapid.T) {
		if n := rapid.IntRange(0, 100).Draw(t, "n"); n >= 7 {
			t.Logf("%d is too much", n)
			t.Fatalf("too much")
		}
	}
	require.Equal(t, "7 is too much\n", calctest.Find(1, 100, seven), "the smallest, without rapid's own lines")
	require.Empty(t, calctest.Find(1, 100, func(t *rapid.T) { rapid.Bool().Draw(t, "b") }))
	require.Contains(t, calctest.Find(1, 100, func(t *rapid.T) {
		rapid.Bool().Draw(t, "b")
		panic(errors.New("out of order"))
	}), "out of order")
	require.Contains(t, calctest.Find(1, 100, func(t *rapid.T) {
		rapid.Bool().Draw(t, "b")
		t.Skip("never mind")
	}), "only generated 0 valid tests")
	require.NotEmpty(t, calctest.Find(1, 1, func(t *rapid.T) { t.Fail() }))
}

// A timeline stops when it is told to, and what is seen follows from sync to
// sync.
func TestRun(t *testing.T) {
	r := setupOf(t, cpu60, jumpy)
	tl := calctest.Timeline{Setup: r, Size: 5, Segments: []calctest.Segment{
		{Syncs: 2, Load: 5},
		{Syncs: 4, Load: 10, Troubles: []calctest.Trouble{{Kind: calctest.WriteFails}}},
		{Syncs: 4, Load: 10},
		{Syncs: 1, Load: 10, Troubles: []calctest.Trouble{{Kind: calctest.Resized, N: 30}}},
		{Syncs: 1, Load: 10, Troubles: []calctest.Trouble{{Kind: calctest.Resized, N: 0}}},
		{Syncs: 9, Load: 10},
	}}
	var got []string
	require.NoError(t, tl.Run(func(s *calctest.Sync) bool {
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
	late := func(n int32) []calctest.Trouble {
		return []calctest.Trouble{{Kind: calctest.MetricsLate, N: n}}
	}
	tl := calctest.Timeline{Setup: r, Size: 5, Segments: []calctest.Segment{
		{Syncs: 1, Load: 11, Troubles: late(1)},
		{Syncs: 1, Load: 12, Troubles: late(1)},
		{Syncs: 1, Load: 13},
		{Syncs: 1, Load: 14, Troubles: late(3)},
		{Syncs: 1, Load: 15, Troubles: append(late(1), late(1)...)},
		{Syncs: 2, Load: 16, Troubles: []calctest.Trouble{{Kind: calctest.Surge, N: 25}}},
	}}
	for _, lag := range []time.Duration{0, 15 * time.Second} {
		r.Lag = lag
		var got []string
		require.NoError(t, tl.Run(func(s *calctest.Sync) bool {
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
	twice := calctest.Trouble{Kind: calctest.SelectorFails, N: math.MaxInt32}
	tl := calctest.Timeline{Setup: r, Size: 5, Segments: []calctest.Segment{{Syncs: 1, Load: 5, Troubles: []calctest.Trouble{twice, twice}}}}
	require.NoError(t, tl.Run(func(*calctest.Sync) bool { return true }))
	for kind := calctest.Resized; kind <= calctest.Surge+1; kind++ {
		for _, n := range []int32{math.MinInt32, -1, 1000} {
			tl := calctest.Timeline{Setup: r, Size: 5, Segments: []calctest.Segment{{Syncs: 2, Load: 5, Troubles: []calctest.Trouble{{Kind: kind, N: n}}}}}
			require.NoError(t, tl.Run(func(*calctest.Sync) bool { return true }))
		}
	}
}

// Whatever the troubles are, the ready pods share the load, and none is lost.
func TestLoadIsShared(t *testing.T) {
	r := setupOf(t, cpu60, "")
	rapid.Check(t, func(t *rapid.T) {
		tl := calctest.Timelines(r, calctest.LoadUpTo(30)).Draw(t, "timeline")
		err := tl.Run(func(s *calctest.Sync) bool {
			obs := s.Observation
			ready, sum := 0, int64(0)
			for i := range obs.Pods {
				p := &obs.Pods[i]
				ready += boolToInt(p.Ready.String() == "True" && p.Phase.String() == "Running" && !p.Deleted)
			}
			for _, x := range tl.Segments[s.Segment].Troubles {
				switch x.Kind {
				case calctest.PodsMute, calctest.MetricEmpty, calctest.MetricFails, calctest.MetricsLate:
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
