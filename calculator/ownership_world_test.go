package calculator_test

import (
	"reflect"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// world is all arguments of a sync except the state.
type world struct {
	spec     *autoscaling.HorizontalPodAutoscalerSpec
	settings *calculator.Settings
	obs      *calculator.Observation
	writeErr error
}

// fickleError is an error whose text changes with what it points to.
type fickleError struct{ Text string }

func (e *fickleError) Error() string { return e.Text }

// option is a value that a test may draw. Each call of build returns one in
// memory of its own.
type option[T any] struct {
	name  string
	build func() T
}

// drawOption draws one of the valid options, or seldom one of all.
func drawOption[T any](t *rapid.T, label string, valid, invalid []option[T]) func() T {
	options := valid
	if rapid.IntRange(0, 9).Draw(t, label+" may be invalid") == 9 {
		options = slices.Concat(valid, invalid)
	}
	var names []string
	for _, o := range options {
		names = append(names, o.name)
	}
	name := rapid.SampledFrom(names).Draw(t, label)
	return options[slices.Index(names, name)].build
}

type selectorOption = option[*autoscaling.LabelSelector]

var validSelectors = []selectorOption{
	{"no selector", func() *autoscaling.LabelSelector { return nil }},
	{"labels", func() *autoscaling.LabelSelector {
		return &autoscaling.LabelSelector{MatchLabels: map[string]string{"queue": "mail", "tier": "front"}}
	}},
	{"labels and a requirement", func() *autoscaling.LabelSelector {
		s := requirement("In", "a", "b")
		s.MatchLabels = map[string]string{"queue": "mail"}
		return s
	}},
}

var invalidSelectors = []selectorOption{
	{"a label with a space", func() *autoscaling.LabelSelector {
		return &autoscaling.LabelSelector{MatchLabels: map[string]string{"queue": "no label"}}
	}},
	{"In without values", func() *autoscaling.LabelSelector { return requirement("In") }},
	{"Exists with values", func() *autoscaling.LabelSelector { return requirement("Exists", "a", "b") }},
	{"an unknown operator", func() *autoscaling.LabelSelector { return requirement("Near", "a") }},
}

func requirement(operator autoscaling.LabelSelectorOperator, values ...string) *autoscaling.LabelSelector {
	return &autoscaling.LabelSelector{MatchExpressions: []autoscaling.LabelSelectorRequirement{
		{Key: "tier", Operator: operator, Values: values},
	}}
}

type metricOption = option[autoscaling.MetricSpec]

var validMetrics = []metricOption{
	{"cpu utilization", func() autoscaling.MetricSpec { return autoscaling.ResourceUtilizationMetric("cpu", 50) }},
	{"average memory", func() autoscaling.MetricSpec {
		return autoscaling.ResourceAverageValueMetric("memory", metrics.MustParseQuantity("1Gi"))
	}},
	{"cpu utilization of a container", func() autoscaling.MetricSpec {
		return autoscaling.ContainerResourceUtilizationMetric("cpu", "app", 50)
	}},
	{"average of pods", func() autoscaling.MetricSpec {
		return autoscaling.PodsAverageValueMetric("queue", metrics.MustParseQuantity("500m"))
	}},
	{"value of an object", func() autoscaling.MetricSpec {
		return autoscaling.ObjectValueMetric(ingress(), "hits", metrics.MustParseQuantity("2k"))
	}},
	{"average of an object", func() autoscaling.MetricSpec {
		return autoscaling.ObjectAverageValueMetric(ingress(), "hits", metrics.MustParseQuantity("1"))
	}},
	{"external value", func() autoscaling.MetricSpec {
		return autoscaling.ExternalValueMetric("backlog", metrics.MustParseQuantity("1"))
	}},
	{"external average", func() autoscaling.MetricSpec {
		return autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("1"))
	}},
}

var invalidMetrics = []metricOption{
	{"a negative target", func() autoscaling.MetricSpec {
		return autoscaling.ExternalAverageValueMetric("backlog", metrics.MustParseQuantity("-1500m"))
	}},
	{"an unknown type", func() autoscaling.MetricSpec { return autoscaling.MetricSpec{Type: "Other"} }},
}

func ingress() autoscaling.CrossVersionObjectReference {
	return autoscaling.CrossVersionObjectReference{Kind: "Ingress", Name: "main"}
}

// selectBy sets the selector of a metric that may have one.
func selectBy(m *autoscaling.MetricSpec, s *autoscaling.LabelSelector) {
	switch {
	case m.Pods != nil:
		m.Pods.Metric.Selector = s
	case m.Object != nil:
		m.Object.Metric.Selector = s
	case m.External != nil:
		m.External.Metric.Selector = s
	}
}

type behaviorOption = option[*behavior.Behavior]

var validBehaviors = []behaviorOption{
	{"no behavior", func() *behavior.Behavior { return nil }},
	{"default rules", func() *behavior.Behavior { return &behavior.Behavior{} }},
	{"slow policies", func() *behavior.Behavior {
		return &behavior.Behavior{
			ScaleUp: &behavior.ScalingRules{
				Tolerance: metrics.MustParseQuantity("0.05"),
				Policies:  []behavior.Policy{{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60}},
			},
			ScaleDown: &behavior.ScalingRules{
				StabilizationWindowSeconds: new(int32),
				SelectPolicy:               behavior.SelectMin,
				Policies: []behavior.Policy{
					{Type: behavior.PodsPolicy, Value: 1, PeriodSeconds: 60},
					{Type: behavior.PercentPolicy, Value: 10, PeriodSeconds: 600},
				},
			},
		}
	}},
	{"a window for scaling up, no scaling down", func() *behavior.Behavior {
		return &behavior.Behavior{
			ScaleUp:   &behavior.ScalingRules{StabilizationWindowSeconds: pointer(600)},
			ScaleDown: &behavior.ScalingRules{SelectPolicy: behavior.SelectDisabled},
		}
	}},
}

var invalidBehaviors = []behaviorOption{
	{"an unknown selectPolicy, a negative window", func() *behavior.Behavior {
		return &behavior.Behavior{
			ScaleUp: &behavior.ScalingRules{SelectPolicy: "Median", StabilizationWindowSeconds: pointer(-1)},
		}
	}},
	{"a negative tolerance, an unknown policy", func() *behavior.Behavior {
		return &behavior.Behavior{
			ScaleUp:   &behavior.ScalingRules{Tolerance: metrics.MustParseQuantity("-1")},
			ScaleDown: &behavior.ScalingRules{Policies: []behavior.Policy{{Type: "Half", PeriodSeconds: 9999}}},
		}
	}},
}

func pointer(n int32) *int32 { return &n }

// drawOwnedSpec returns what builds a spec, seldom an invalid one. No two specs
// share memory.
func drawOwnedSpec(t *rapid.T) func() *autoscaling.HorizontalPodAutoscalerSpec {
	number := func(label string, valid, invalid []int32) int32 {
		var options [2][]option[int32]
		for i, numbers := range [][]int32{valid, invalid} {
			for _, n := range numbers {
				options[i] = append(options[i], option[int32]{strconv.Itoa(int(n)), func() int32 { return n }})
			}
		}
		return drawOption(t, label, options[0], options[1])()
	}
	var builds []func() autoscaling.MetricSpec
	for range rapid.IntRange(1, 3).Draw(t, "metrics") {
		metric := drawOption(t, "metric", validMetrics, invalidMetrics)
		selector := drawOption(t, "selector", validSelectors, invalidSelectors)
		builds = append(builds, func() autoscaling.MetricSpec {
			m := metric()
			selectBy(&m, selector())
			return m
		})
	}
	least := number("minReplicas", []int32{1, 3, 0}, []int32{-1, 11})
	most := number("maxReplicas", []int32{10, 20}, []int32{0})
	rules := drawOption(t, "behavior", validBehaviors, invalidBehaviors)

	return func() *autoscaling.HorizontalPodAutoscalerSpec {
		s := &autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
			MinReplicas:    pointer(least),
			MaxReplicas:    most,
			Behavior:       rules(),
		}
		for _, build := range builds {
			s.Metrics = append(s.Metrics, build())
		}
		return s
	}
}

// The faults of a world, beside those of its spec.
const (
	noFault           = "nothing is wrong"
	noDefaults        = "the spec lacks its defaults"
	noRequests        = "the pods request no cpu"
	noScale           = "the scale cannot be read"
	invalidSelector   = "the selector of the scale is invalid"
	ambiguousSelector = "another autoscaler selects the same pods"
	missingSelector   = "the scale has no selector"
	missingReading    = "a reading is missing"
	negativeReplicas  = "the size is negative"
)

// drawOwnedWorld returns what builds a world with the spec. No two worlds share
// memory.
func drawOwnedWorld(t *rapid.T, spec func() *autoscaling.HorizontalPodAutoscalerSpec) func() world {
	size := rapid.Int32Range(0, 22).Draw(t, "size")
	pods := rapid.IntRange(0, 12).Draw(t, "pods")
	value := rapid.Int64Range(0, 20_000).Draw(t, "value")
	settings := machineSettings().Draw(t, "settings")
	fault := noFault
	if rapid.Bool().Draw(t, "something is wrong") {
		fault = rapid.SampledFrom([]string{
			noDefaults, noRequests, noScale, invalidSelector, ambiguousSelector, missingSelector, missingReading, negativeReplicas,
		}).Draw(t, "fault")
	}
	failed := make([]bool, 3) // a spec has no more metrics
	for i := range failed {
		failed[i] = rapid.IntRange(0, 5).Draw(t, "failed") == 5
	}

	return func() world {
		own := settings
		w := world{
			spec:     spec(),
			settings: &own,
			obs:      &calculator.Observation{Namespace: "ns", SpecReplicas: size, StatusReplicas: size, Pods: ownedPods(pods)},
			writeErr: &fickleError{Text: "the write failed"},
		}
		if fault != noDefaults {
			w.spec.SetDefaults()
		}
		for i := range w.spec.Metrics {
			r := ownedReading(w.spec.Metrics[i].Resolve(), pods, metrics.Milli(value))
			if failed[i] {
				r = calculator.Reading{Err: &fickleError{Text: "the metric is not to be had"}}
			}
			w.obs.Readings = append(w.obs.Readings, r)
		}
		spoil(w.obs, fault)
		return w
	}
}

// ownedPods returns pods with a container. Every fifth is not ready.
func ownedPods(n int) []podgroup.Pod {
	pods := readyPods(n)
	for i := range pods {
		requests := podgroup.Requests{CPU: podgroup.Requested(1000), Memory: podgroup.Requested(1 << 40)}
		pods[i].Containers = []podgroup.Container{{Name: "app", Requests: requests}}
		if i%5 == 4 {
			pods[i].Ready = podgroup.ReadyFalse
		}
	}
	return pods
}

// ownedReading returns the reading of a metric. The first of several pods has
// no sample.
func ownedReading(m autoscaling.Metric, pods int, value metrics.Milli) calculator.Reading {
	if !m.OfPods() {
		return calculator.Reading{Values: []metrics.Milli{value}}
	}
	r := calculator.Reading{Samples: same(pods, value), Strays: same(int(value)%2, 500)}
	if pods > 1 {
		r.Samples[0].Present = false
	}
	return r
}

// spoil gives the observation the fault.
func spoil(obs *calculator.Observation, fault string) {
	switch fault {
	case noRequests:
		for i := range obs.Pods {
			p := &obs.Pods[i]
			p.CPU, p.Containers[0].Requests.CPU = podgroup.Request{}, podgroup.Request{}
		}
	case noScale:
		obs.ScaleError = &fickleError{Text: "the scale is not to be had"}
	case invalidSelector:
		obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorInvalid, Problem: "half a selector"}
	case ambiguousSelector:
		obs.SelectorError = &calculator.SelectorError{
			Reason: calculator.SelectorAmbiguous, Selector: "app=web", Others: "[ns/other]",
		}
	case missingSelector:
		obs.SelectorError = &calculator.SelectorError{}
	case missingReading:
		obs.Readings = obs.Readings[1:]
	case negativeReplicas:
		obs.SpecReplicas = -1
	}
}

func (w *world) scribble() {
	scribble(reflect.ValueOf(w.spec))
	scribble(reflect.ValueOf(w.settings))
	scribble(reflect.ValueOf(w.obs))
	scribble(reflect.ValueOf(w.writeErr))
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
