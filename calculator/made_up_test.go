package calculator_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
)

// madeUp returns a random value of the type, and few that any decision has.
func madeUp[T any](r *rand.Rand) T {
	var v T
	makeUp(r, reflect.ValueOf(&v).Elem())
	return v
}

// madeUpTexts are words of the enumerations, and texts that no enumeration has.
var madeUpTexts = []string{
	"", "scribble", "line\nline", "\xff", "Max", "Min", "Disabled", "Pods", "Percent", "Resource",
	"ContainerResource", "Object", "External", "cpu", "memory", "True", "Normal", "Disabled",
	"FromZero", "AboveMax", "BelowMin", "AboveTarget", "BelowTarget", "AboveMaxReplicas",
	"BelowMinReplicas", "Pending", "Written", "NotWritten", "MetricUnavailable", "NoPods",
	"NoSamples", "NoRequest", "NoMatchingSamples", "ZeroRequests", "NoTarget", "InvalidTarget",
	"InvalidSelector", "WithinTolerance", "CorrectedWithinTolerance", "DirectionWouldChange",
	"CountWouldChangeDirection", "RatioTimesPods", "CorrectedRatioTimesPods", "RatioFromZero",
	"UsagePerTarget", "AsZero", "AsTarget", "AsRequest", "ScaleUpStabilized",
	"ScaleDownStabilized", "ReadyForNewScale", "TooFewReplicas", "TooManyReplicas", "ScaleUpLimit",
	"ScaleDownLimit", "DesiredWithinRange", "BackoffBoth", "BackoffUpscale", "BackoffDownscale",
	"In", "Exists", "DoesNotExist",
}

func makeUp(r *rand.Rand, v reflect.Value) {
	ints := []int64{0, 0, 1, 2, 3, -1, -2, 100, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64, r.Int64()}
	switch v.Interface().(type) {
	case time.Time:
		times := []time.Time{
			{}, noon, noon.Add(1), noon.Add(-time.Hour),
			time.Unix(math.MinInt64, 0), time.Unix(math.MaxInt64, 999_999_999),
		}
		v.Set(reflect.ValueOf(times[r.IntN(len(times))]))
		return
	case metrics.Target:
		n := ints[r.IntN(len(ints))]
		targets := []metrics.Target{
			{}, metrics.Utilization(int32(n)), metrics.AverageValue(metrics.Milli(n)), metrics.Value(metrics.Milli(n)),
		}
		v.Set(reflect.ValueOf(targets[r.IntN(len(targets))]))
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		if r.IntN(2) == 0 {
			v.Set(reflect.ValueOf(&fickleError{Text: "made up"}))
		}
	case reflect.Pointer:
		if r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			makeUp(r, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && r.IntN(8) > 0 {
				makeUp(r, v.Field(i))
			}
		}
	case reflect.Slice:
		n := r.IntN(4)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			makeUp(r, v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			makeUp(r, v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{madeUpTexts[r.IntN(len(madeUpTexts))]: "a"}))
	case reflect.String:
		v.SetString(madeUpTexts[r.IntN(len(madeUpTexts))])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Float64:
		floats := []float64{0, 1, -1, 0.1, 1.1, 1e300, math.NaN(), math.Inf(1), math.Inf(-1), r.NormFloat64()}
		v.SetFloat(floats[r.IntN(len(floats))])
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(ints[r.IntN(len(ints))])
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64())
	default:
		panic("cannot make up a " + v.Type().String())
	}
}

// A Decision of any fields, whose indices lead nowhere and whose parts do not
// fit together, has all its methods, and can be used again.
func TestMadeUpDecisions(t *testing.T) {
	t.Parallel()
	n := 5_000
	if testing.Short() || raceDetector {
		n /= 10
	}
	for seed := range uint64(n) {
		madeUpDecision(t, seed)
	}
}

func madeUpDecision(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	d := madeUp[calculator.Decision](r)
	if r.IntN(2) == 0 {
		// As often as not, one that gets to the stages after the choice.
		d.Zone, d.Choice.Blocked = calculator.ZoneNormal, false
	}
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("seed %d: %v\n%s", seed, p, debug.Stack())
		}
	}()
	callAll(t, r, &d)
	var st calculator.State
	if r.IntN(2) == 0 {
		st = sampleState(t)
	}
	if r.IntN(2) == 0 {
		st.Applied(noon, &d)
	} else {
		st.Failed(noon, &d, nil)
	}
	callAll(t, r, &d)

	// It leaves nothing behind in the decision that uses its memory.
	settings := calculator.DefaultSettings()
	spec, obs := externalSpec(t, slowPolicy), backlogOf(3, 90_000)
	if r.IntN(2) == 0 {
		spec.Metrics[0].External.Metric.Selector = &autoscaling.LabelSelector{MatchLabels: map[string]string{"queue": "mail"}}
	}
	want := calculator.Decide(noon, &settings, spec, obs, new(calculator.State))
	calculator.DecideInto(&d, noon, &settings, spec, obs, new(calculator.State))
	require.Equal(t, want.String(), d.String(), "seed %d", seed)
	require.Equal(t, want.Err(), d.Err(), "seed %d", seed)
}

// callAll calls the methods of the decision, and of what it holds.
func callAll(t *testing.T, r *rand.Rand, d *calculator.Decision) {
	t.Helper()
	require.NotEmpty(t, d.String())
	_, err := d.AppendText(nil)
	require.NoError(t, err)
	text, err := d.MarshalJSON()
	require.NoError(t, err)
	require.True(t, json.Valid(text))
	_ = errorTexts(d.Err())
	_ = d.AppendEvents(nil)
	_ = d.ReasonText()
	obs := madeUp[calculator.Observation](r)
	settings := madeUp[calculator.Settings](r)
	for i := -2; i <= len(d.Proposals)+1; i++ {
		_ = d.MetricName(i)
		if n := len(d.AppendVerdicts(nil, i, &settings, &obs)); n > len(obs.Pods) {
			t.Fatalf("%d verdicts on %d pods", n, len(obs.Pods))
		}
		if len(d.AppendVerdicts(nil, i, &calculator.Settings{}, &obs))+len(d.AppendVerdicts(nil, i, &settings, nil)) > 0 {
			t.Fatal("verdicts by refused settings or without pods")
		}
	}
	made := calculator.State{
		Conditions:      madeUp[[]autoscaling.HorizontalPodAutoscalerCondition](r),
		LastScaleTime:   madeUp[time.Time](r),
		DesiredReplicas: -1,
	}
	for _, st := range []*calculator.State{nil, {}, &made} {
		status := d.Status(st)
		require.Len(t, status.CurrentMetrics, len(d.Proposals))
		_, _ = json.Marshal(status) // years of five digits have no JSON in autoscaling/v2
	}
	for i := range d.Proposals {
		_ = errorTexts(d.Proposals[i].Err())
	}
	_ = calculator.Choose(d.CurrentReplicas, d.Proposals)
	_, _ = d.Stabilization.Reason.Message(), d.Limits.Reason.Message()
	_ = d.Cooldown.Backoff.Message()
}
