package calculator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// fickleError is an error whose text changes with what it points to.
type fickleError struct{ Text string }

func (e *fickleError) Error() string { return e.Text }

// world is all that a decision is handed but for the state. The same drawn one
// can be built more than once, and no two share memory.
type world struct {
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	settings *calculator.Settings
	obs      *calculator.Observation
	writeErr error
}

// ownedSelectors are selectors, the last ones not valid.
var ownedSelectors = []string{
	``, `,"selector":{"matchLabels":{"queue":"mail","tier":"front"}}`,
	`,"selector":{"matchLabels":{"queue":"mail"},"matchExpressions":[{"key":"tier","operator":"In","values":["a","b"]}]}`,
	`,"selector":{"matchLabels":{"queue":"no label"}}`,
	`,"selector":{"matchExpressions":[{"key":"tier","operator":"In"}]}`,
	`,"selector":{"matchExpressions":[{"key":"tier","operator":"Exists","values":["a","b"]}]}`,
	`,"selector":{"matchExpressions":[{"key":"tier","operator":"Near","values":["a"]}]}`,
}

// ownedMetrics are metrics, the last ones not valid. SELECTOR stands for one of
// ownedSelectors.
var ownedMetrics = []string{
	`{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}`,
	`{"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":"1Gi"}}}`,
	`{"type":"ContainerResource","containerResource":{"name":"cpu","container":"app","target":{"type":"Utilization","averageUtilization":50}}}`,
	`{"type":"Pods","pods":{"metric":{"name":"queue"SELECTOR},"target":{"type":"AverageValue","averageValue":"500m"}}}`,
	`{"type":"Object","object":{"metric":{"name":"hits"SELECTOR},"describedObject":{"kind":"Ingress","name":"main"},"target":{"type":"Value","value":"2k"}}}`,
	`{"type":"Object","object":{"metric":{"name":"hits"SELECTOR},"describedObject":{"kind":"Ingress","name":"main"},"target":{"type":"AverageValue","averageValue":"1"}}}`,
	`{"type":"External","external":{"metric":{"name":"backlog"SELECTOR},"target":{"type":"Value","value":"1"}}}`,
	`{"type":"External","external":{"metric":{"name":"backlog"SELECTOR},"target":{"type":"AverageValue","averageValue":"1"}}}`,
	`{"type":"External","external":{"metric":{"name":"backlog"SELECTOR},"target":{"type":"AverageValue","averageValue":"-1500m"}}}`,
	`{"type":"Other"}`,
}

// ownedBehaviors are behaviors, the last ones not valid.
var ownedBehaviors = []string{
	``, `,"behavior":{}`,
	`,"behavior":{"scaleUp":{"tolerance":"0.05","policies":[{"type":"Pods","value":1,"periodSeconds":60}]},
		"scaleDown":{"stabilizationWindowSeconds":0,"selectPolicy":"Min","policies":[{"type":"Pods","value":1,"periodSeconds":60},{"type":"Percent","value":10,"periodSeconds":600}]}}`,
	`,"behavior":{"scaleUp":{"stabilizationWindowSeconds":600},"scaleDown":{"selectPolicy":"Disabled"}}`,
	`,"behavior":{"scaleUp":{"selectPolicy":"Median","stabilizationWindowSeconds":-1}}`,
	`,"behavior":{"scaleUp":{"tolerance":"-1"},"scaleDown":{"policies":[{"type":"Half","value":0,"periodSeconds":9999}]}}`,
}

// drawOwnedSpec returns a spec in JSON.
func drawOwnedSpec(t *rapid.T) string {
	// What comes first is the simplest, and what is not valid is rare.
	pick := func(list []string, sound int, label string) string {
		if rapid.IntRange(0, 9).Draw(t, label+" may be wrong") < 9 {
			list = list[:sound]
		}
		return rapid.SampledFrom(list).Draw(t, label)
	}
	var list []string
	for range rapid.IntRange(1, 3).Draw(t, "metrics") {
		metric := pick(ownedMetrics, 8, "metric")
		list = append(list, strings.ReplaceAll(metric, "SELECTOR", pick(ownedSelectors, 3, "selector")))
	}
	return fmt.Sprintf(`{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":%s,"maxReplicas":%s,"metrics":[%s]%s}`,
		pick([]string{"1", "3", "0", "-1", "11"}, 3, "least"), pick([]string{"10", "20", "0"}, 2, "most"),
		strings.Join(list, ","), pick(ownedBehaviors, 4, "behavior"))
}

// drawOwnedWorld returns what builds a world with that spec.
func drawOwnedWorld(t *rapid.T, text string) func() world {
	size := rapid.Int32Range(0, 22).Draw(t, "size")
	pods := rapid.IntRange(0, 12).Draw(t, "pods")
	value := rapid.Int64Range(0, 20_000).Draw(t, "value")
	broken := rapid.IntRange(0, 15).Draw(t, "broken")
	failed := make([]bool, 3) // there are no more metrics
	for i := range failed {
		failed[i] = rapid.IntRange(0, 5).Draw(t, "failed") == 5
	}
	settings := machineSettings().Draw(t, "settings")

	return func() world {
		var spec autoscaling.HorizontalPodAutoscalerSpec
		require.NoError(t, json.Unmarshal([]byte(text), &spec))
		if broken != 1 {
			spec.SetDefaults()
		}
		obs := &calculator.Observation{Namespace: "ns", SpecReplicas: size, StatusReplicas: size, Pods: readyPods(pods)}
		for i := range obs.Pods {
			obs.Pods[i].Containers = []podgroup.Container{{
				Name: "app", Requests: podgroup.Requests{CPU: podgroup.Requested(1000), Memory: podgroup.Requested(1 << 40)},
			}}
			if broken == 2 {
				obs.Pods[i].CPU, obs.Pods[i].Containers[0].Requests.CPU = podgroup.Request{}, podgroup.Request{}
			}
			if i%5 == 4 {
				obs.Pods[i].Ready = podgroup.ReadyFalse
			}
		}
		for i := range spec.Metrics {
			var r calculator.Reading
			switch m := spec.Metrics[i].Resolve(); {
			case failed[i]:
				r.Err = &fickleError{Text: "the metric is not to be had"}
			case m.OfPods():
				r.Samples, r.Strays = same(pods, metrics.Milli(value)), same(int(value)%2, 500)
				if pods > 1 {
					r.Samples[0].Present = false
				}
			default:
				r.Values = []metrics.Milli{metrics.Milli(value)}
			}
			obs.Readings = append(obs.Readings, r)
		}
		switch broken {
		case 3:
			obs.ScaleError = &fickleError{Text: "the scale is not to be had"}
		case 4:
			obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorInvalid, Problem: "half a selector"}
		case 5:
			obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorAmbiguous, Selector: "app=web", Others: "[ns/other]"}
		case 6:
			obs.SelectorError = &calculator.SelectorError{}
		case 7:
			obs.Readings = obs.Readings[1:]
		case 8:
			obs.SpecReplicas = -1
		}
		s := settings
		return world{&spec, &s, obs, &fickleError{Text: "the write failed"}}
	}
}

// scribble writes over everything that v leads to: the world gets other values,
// in the memory that it has.
func scribble(v reflect.Value) {
	switch q := v.Interface().(type) {
	case metrics.Quantity:
		v.Set(reflect.ValueOf(metrics.MilliQuantity(q.Milli()+777, metrics.DecimalSI)))
		return
	case *podgroup.Group:
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scribble(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				scribble(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			scribble(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		for _, k := range v.MapKeys() {
			v.SetMapIndex(k, reflect.ValueOf("scribble"))
		}
		v.SetMapIndex(reflect.ValueOf("scribble"), reflect.ValueOf("scribble"))
	case reflect.String:
		v.SetString("scribble")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(v.Float() + 777)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() + 7)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	default:
		panic("cannot scribble over " + v.Type().String())
	}
}

func (w *world) scribble() {
	scribble(reflect.ValueOf(w.spec))
	scribble(reflect.ValueOf(w.settings))
	scribble(reflect.ValueOf(w.obs))
	scribble(reflect.ValueOf(w.writeErr))
}

// errorTexts are the texts of an error and of the module's own errors within it.
func errorTexts(err error) (s []string) {
	if err == nil {
		return nil
	}
	s = append(s, err.Error())
	var (
		failure  *calculator.Failure
		selector *calculator.SelectorError
		request  *podgroup.RequestError
		unknown  *autoscaling.UnknownOperatorError
		input    *field.Error
		list     field.ErrorList
	)
	for _, target := range []any{&failure, &selector, &request, &unknown, &input, &list} {
		if errors.As(err, target) {
			s = append(s, reflect.ValueOf(target).Elem().Interface().(error).Error())
		}
	}
	return s
}

// everything is all that a decision and a state say, through all their methods.
func everything(t require.TestingT, d *calculator.Decision, st *calculator.State, w *world) []string {
	appended, err := d.AppendText([]byte("before "))
	require.NoError(t, err)
	require.Equal(t, "before "+d.String(), string(appended))
	trace, err := d.MarshalJSON()
	require.NoError(t, err)
	status, err := json.Marshal(d.Status(st))
	require.NoError(t, err)
	s := []string{string(appended), string(trace), string(status), d.ReasonText(), fmt.Sprintf("%+v", d.Conditions)}
	s = append(s, errorTexts(d.Err())...)
	for _, e := range d.AppendEvents(nil) {
		s = append(s, e.String())
	}
	for i := -1; i <= len(d.Proposals); i++ {
		s = append(s, d.MetricName(i), fmt.Sprint(d.AppendVerdicts(nil, i, w.settings, w.obs)))
	}
	for i := range d.Proposals {
		s = append(s, errorTexts(d.Proposals[i].Err())...)
	}
	kept, err := st.MarshalBinary()
	require.NoError(t, err)
	text, err := st.MarshalJSON()
	require.NoError(t, err)
	return append(s, string(kept), string(text))
}

// States, decisions and errors own what they say: nothing that happens
// afterwards to what Decide was handed changes them. An error outlives its
// decision, too.
func TestOwnership(t *testing.T) {
	t.Parallel()
	other := externalSpec(t, slowPolicy)
	rapid.Check(t, func(t *rapid.T) {
		var d calculator.Decision
		var st calculator.State
		// What was returned of earlier syncs, and what it said then.
		type returned struct {
			err    error
			status autoscaling.HorizontalPodAutoscalerStatus
			events []calculator.Event
			state  calculator.State
		}
		said := func(r *returned) []string {
			status, err := json.Marshal(r.status)
			require.NoError(t, err)
			state, err := r.state.MarshalJSON()
			require.NoError(t, err)
			return append(errorTexts(r.err), string(status), fmt.Sprint(r.events), string(state))
		}
		var earlier []returned
		var texts [][]string

		text := drawOwnedSpec(t)
		now := noon
		for range rapid.IntRange(1, 4).Draw(t, "syncs") {
			if rapid.Bool().Draw(t, "another spec") {
				text = drawOwnedSpec(t)
			}
			build := drawOwnedWorld(t, text)
			w, pristine := build(), build()
			now = now.Add(clockSteps().Draw(t, "step"))
			last := st.Clone()
			calculator.DecideInto(&d, now, w.settings, w.spec, w.obs, &st)
			fresh := calculator.Decide(now, pristine.settings, pristine.spec, pristine.obs, &last)
			require.Equal(t, everything(t, &fresh, &last, &pristine), everything(t, &d, &st, &pristine), "nothing of the sync before is left")
			early := rapid.Bool().Draw(t, "scribble before the write")
			if early {
				before := everything(t, &d, &st, &pristine)
				w.scribble()
				require.Equal(t, before, everything(t, &d, &st, &pristine))
				w.writeErr = pristine.writeErr
			}
			switch rapid.IntRange(0, 2).Draw(t, "outcome") {
			case 0:
				st.Applied(now, &d)
			case 1:
				st.Failed(now, &d, w.writeErr)
			}
			r := returned{err: d.Err(), status: d.Status(&st), events: d.AppendEvents(nil), state: st.Clone()}
			before, beforeReturned := everything(t, &d, &st, &pristine), said(&r)
			scribble(reflect.ValueOf(w.writeErr))
			if !early {
				w.scribble()
			}
			require.Equal(t, before, everything(t, &d, &st, &pristine))
			require.Equal(t, beforeReturned, said(&r))
			require.True(t, st.Equal(&r.state))
			earlier, texts = append(earlier, r), append(texts, beforeReturned)
			for i := range earlier {
				require.Equal(t, texts[i], said(&earlier[i]), "what sync %d returned", i)
			}
			// Nor does the status lead back to them, nor one of them to the other.
			status := d.Status(&st)
			scribble(reflect.ValueOf(&status))
			require.Equal(t, before, everything(t, &d, &st, &pristine))
			scribble(reflect.ValueOf(st.Conditions))
			calculator.Decide(now.Add(time.Minute), pristine.settings, other, wanted(3, 9), &st)
			require.Equal(t, before, everything(t, &d, &r.state, &pristine))
			st = r.state.Clone()
			if rapid.Bool().Draw(t, "scribble over the decision") {
				scribble(reflect.ValueOf(d.Conditions))
				for i := range d.Proposals {
					scribble(reflect.ValueOf(d.Proposals[i].Metric.Selector))
				}
			}
			require.True(t, st.Equal(&r.state))
			require.Equal(t, beforeReturned, said(&r))
		}
	})
}

// madeUp returns a random value of the type, and few that any decision has.
func madeUp[T any](r *rand.Rand) T {
	var v T
	makeUp(r, reflect.ValueOf(&v).Elem())
	return v
}

var madeUpTexts = []string{
	"", "scribble", "line\nline", "\xff", "Max", "Min", "Disabled", "Pods", "Percent", "Resource", "ContainerResource", "Object", "External",
	"cpu", "memory", "True", "normal", "disabled", "fromZero", "aboveMax", "belowMin", "aboveTarget", "belowTarget", "aboveMaxReplicas",
	"belowMinReplicas", "pending", "written", "notWritten", "metricUnavailable", "noPods", "noSamples", "noRequest", "noMatchingSamples",
	"zeroRequests", "noTarget", "invalidTarget", "invalidSelector", "withinTolerance", "correctedWithinTolerance", "directionWouldChange",
	"countWouldChangeDirection", "ratioTimesPods", "correctedRatioTimesPods", "ratioFromZero", "usagePerTarget", "asZero", "asTarget", "asRequest",
	"ScaleUpStabilized", "ScaleDownStabilized", "ReadyForNewScale", "TooFewReplicas", "TooManyReplicas", "ScaleUpLimit", "ScaleDownLimit",
	"DesiredWithinRange", "BackoffBoth", "BackoffUpscale", "BackoffDownscale", "In", "Exists", "DoesNotExist",
}

func makeUp(r *rand.Rand, v reflect.Value) {
	ints := []int64{0, 0, 1, 2, 3, -1, -2, 100, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64, r.Int64()}
	switch v.Interface().(type) {
	case time.Time:
		times := []time.Time{{}, noon, noon.Add(1), noon.Add(-time.Hour), time.Unix(math.MinInt64, 0), time.Unix(math.MaxInt64, 999_999_999)}
		v.Set(reflect.ValueOf(times[r.IntN(len(times))]))
		return
	case metrics.Target:
		n := ints[r.IntN(len(ints))]
		targets := []metrics.Target{{}, metrics.Utilization(int32(n)), metrics.AverageValue(metrics.Milli(n)), metrics.Value(metrics.Milli(n))}
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
		require.LessOrEqual(t, len(d.AppendVerdicts(nil, i, &settings, &obs)), len(obs.Pods))
		require.Empty(t, d.AppendVerdicts(nil, i, nil, &obs))
		require.Empty(t, d.AppendVerdicts(nil, i, &settings, nil))
	}
	for _, st := range []*calculator.State{nil, {}, {
		Conditions: madeUp[[]autoscaling.HorizontalPodAutoscalerCondition](r), LastScaleTime: madeUp[time.Time](r), DesiredReplicas: -1,
	}} {
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
