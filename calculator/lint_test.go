package calculator_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// linted is a case being decided.
type linted struct {
	spec     *calculator.Spec
	settings calculator.Settings
	state    calculator.State
}

// newLinted is for the case of a finding. Where it is only said what the metrics
// ask for, it is an External one that does, without tolerance.
func newLinted(spec *calculator.Spec, settings calculator.Settings, f calculator.Finding) *linted {
	l := &linted{spec: spec.Clone(), settings: settings}
	if f.Case[0].Replicas == 0 {
		l.state.Conditions = []calculator.Condition{{Type: calculator.ScaledToZero, Status: calculator.ConditionTrue}}
	}
	if f.Case[0].Metric >= 0 {
		return l
	}
	l.spec.Metrics = []calculator.MetricSpec{{Type: calculator.ExternalMetricSourceType, External: &calculator.ExternalMetricSource{
		Metric: calculator.MetricIdentifier{Name: "backlog"},
		Target: calculator.MetricTarget{Type: calculator.AverageValueMetricType, AverageValue: metrics.MilliQuantity(1000, metrics.DecimalSI)},
	}}}
	l.settings.Tolerance = 0
	l.spec.Behavior.ScaleUp.Tolerance, l.spec.Behavior.ScaleDown.Tolerance = metrics.Quantity{}, metrics.Quantity{}
	return l
}

// observe returns n ready pods of which the metric reads as the moment says, and
// all others zero. For a moment of no metric, it is the first one that asks.
func (l *linted) observe(m behavior.Moment) *calculator.Observation {
	obs := &calculator.Observation{SpecReplicas: m.Replicas, StatusReplicas: m.Replicas}
	now := noon.Add(m.At)
	for i := range m.Replicas {
		p := podgroup.Pod{
			Name:            fmt.Sprintf("web-%d", i),
			Phase:           podgroup.PhaseRunning,
			Ready:           podgroup.ReadyTrue,
			StartTime:       metrics.At(now.Add(-time.Hour)),
			ReadyTransition: metrics.At(now.Add(-time.Hour)),
		}
		for _, name := range []string{"app", "proxy"} {
			c := podgroup.Container{Name: name}
			for _, resource := range []string{podgroup.CPU, podgroup.Memory, "ephemeral-storage"} {
				c.Requests.Set(resource, 1000)
			}
			p.Containers = append(p.Containers, c)
		}
		p.Resolve()
		obs.Pods = append(obs.Pods, p)
	}
	for i := range l.spec.Metrics {
		value := metrics.Milli(0)
		switch {
		case i == m.Metric:
			value = m.Usage
		case m.Metric < 0 && i == 0:
			value = metrics.Milli(m.Asked) * 1000
		}
		obs.Readings = append(obs.Readings, l.answer(&l.spec.Metrics[i], value, m.Replicas, now))
	}
	return obs
}

func (l *linted) answer(spec *calculator.MetricSpec, value metrics.Milli, n int32, now time.Time) calculator.Reading {
	percent := metrics.Milli(1)
	switch {
	case spec.External != nil || spec.Object != nil:
		return calculator.Reading{Values: []metrics.Milli{value}}
	case spec.Resource != nil && spec.Resource.Target.AverageUtilization != nil:
		percent = 20 // of 2,000, by both containers
	case spec.ContainerResource != nil && spec.ContainerResource.Target.AverageUtilization != nil:
		percent = 10
	}
	var r calculator.Reading
	for range n {
		r.Samples = append(r.Samples, metrics.Sample{Value: value * percent, Time: metrics.At(now), Window: time.Minute, Present: true})
	}
	return r
}

// decide decides the case, and returns what it was found not to be, "" if it is
// as the finding says.
func (l *linted) decide(f calculator.Finding) string {
	for _, m := range f.Case {
		now := noon.Add(m.At)
		d := calculator.Decide(now, &l.settings, l.spec, l.observe(m), &l.state)
		switch {
		case d.Err() != nil:
			return fmt.Sprintf("%v: %v", m, d.Err())
		case d.Choice.Replicas != m.Asked:
			return fmt.Sprintf("%v\n%v", m, &d)
		case d.DesiredReplicas != m.Becomes:
			return fmt.Sprintf("%v\n%v", m, &d)
		}
		l.state.Applied(now, &d)
	}
	return ""
}

const (
	lintCPU    = `{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":%d}}}`
	lintMemory = `{"type":"Resource","resource":{"name":"memory","target":{"type":"Utilization","averageUtilization":%d}}}`
)

func lintSpec(t testing.TB, low, high int, metrics, more string) *calculator.Spec {
	t.Helper()
	return specOf(t, fmt.Sprintf(`{`+webRef+`,"minReplicas":%d,"maxReplicas":%d,"metrics":[%s]%s}`, low, high, metrics, more))
}

func TestLintFindsWhatItNames(t *testing.T) {
	facts := func(change func(*calculator.LintFacts)) calculator.LintFacts {
		f := calculator.DefaultLintFacts()
		change(&f)
		return f
	}
	usual := calculator.DefaultLintFacts()
	cpu := func(percent int) string { return fmt.Sprintf(lintCPU, percent) }
	memory := func(percent int) string { return fmt.Sprintf(lintMemory, percent) }
	behaves := func(text string) string { return `,"behavior":{` + text + `}` }
	external := `{"type":"External","external":{"metric":{"name":"backlog"},"target":{"type":"AverageValue","averageValue":"1"}}}`
	container := `{"type":"ContainerResource","containerResource":{"name":"%s","container":"app","target":{"type":"%s",%s}}}`
	many := `{"type":"External","external":{"metric":{"name":"backlog"},"target":{"type":"AverageValue","averageValue":"123456789012m"}}}`
	object := `{"type":"Object","object":{"describedObject":{"kind":"Service","name":"web"},"metric":{"name":"hits"},"target":{"type":"Value","value":"1Pi"}}}`
	for _, c := range []struct {
		name      string
		low, high int
		metrics   string
		more      string
		facts     calculator.LintFacts
		want      []string // none for rules just short of it
	}{
		{"nothing", 2, 20, cpu(60), "", usual, nil},

		{"one size between the bounds", 20, 22, cpu(60), "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 21: at any size between 20 and 22, it is tolerated, or asks for more or for less"}},
		{"bounds that are narrower", 20, 21, cpu(60), "", usual, nil},
		{"the smallest that is passed over", 18, 20, external, "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 19: at any size between 18 and 20, it is tolerated, or asks for more or for less"}},
		{"a size that is reached from above", 17, 19, external, "", usual, nil},
		{"a size that is reached only in finer steps than percent", 17, 19, cpu(60), "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 18: at any size between 17 and 19, it is tolerated, or asks for more or for less"}},
		{"a tolerance of its own", 18, 20, external, behaves(`"scaleUp":{"tolerance":"50m"}`), usual, nil},
		{"a large tolerance", 4, 8, external, behaves(`"scaleUp":{"tolerance":"0.7"},"scaleDown":{"tolerance":"0.6"}`), usual, []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 5 or 6: at any size between 4 and 8, it is tolerated, or asks for more or for less"}},
		{"three in a row, of an amount", 10, 14, external, behaves(`"scaleUp":{"tolerance":"0.6"},"scaleDown":{"tolerance":"0.9"}`), usual, []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 11 to 13: at any size between 10 and 14, it is tolerated, or asks for more or for less"}},
		{"an amount of many digits", 20, 22, object, "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 21: at any size between 20 and 22, it is tolerated, or asks for more or for less"}},
		{"an amount of many digits, and none is tolerated", 1500, 1700, many, behaves(`"scaleUp":{"tolerance":"0"},"scaleDown":{"tolerance":"0"}`), usual, nil},
		{"whole percent of a low target", 30, 42, cpu(5), "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 35 or 37: at any size between 30 and 42, it is tolerated, or asks for more or for less"}},
		{"policies that cut the way short", 20, 22, cpu(60), behaves(`"scaleUp":{"policies":[{"type":"Pods","value":1,"periodSeconds":15}]}`), usual, nil},
		{"policies that do not", 20, 22, cpu(60), behaves(`"scaleUp":{"policies":[{"type":"Pods","value":2,"periodSeconds":15}]}`), usual, []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 21: at any size between 20 and 22, it is tolerated, or asks for more or for less"}},
		{"a second metric that counts on its own", 20, 22, cpu(60) + "," + memory(60), "", facts(func(f *calculator.LintFacts) { f.MemoryKept = 0 }), []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 21: at any size between 20 and 22, it is tolerated, or asks for more or for less"}},
		{"more sizes than are looked at", 20, 4020, cpu(1), "", usual, nil},

		{"disabled", 2, 20, external, behaves(`"scaleUp":{"selectPolicy":"Disabled"}`), facts(func(f *calculator.LintFacts) { f.UsualReplicas = 3 }), []string{
			"spec.behavior.scaleUp.selectPolicy: ScaleUpDisabled: scaling up is disabled, so that a size which has once fallen to minReplicas, 2, stays there, though 3 is usual"}},
		{"disabled, and that is the usual size", 2, 20, external, behaves(`"scaleUp":{"selectPolicy":"Disabled"}`), facts(func(f *calculator.LintFacts) { f.UsualReplicas = 2 }), nil},

		{"window", 2, 20, external, behaves(`"scaleUp":{"stabilizationWindowSeconds":301}`), usual, []string{
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: a peak of 5m is over before the window of 5m1s is: the recommendation from before the peak holds the size throughout"}},
		{"window as long as peaks", 2, 20, external, behaves(`"scaleUp":{"stabilizationWindowSeconds":300}`), usual, nil},

		{"memory", 2, 20, memory(60), "", usual, []string{
			"spec.metrics[0].resource.target: MemoryNeverFalls: pods that keep 100% of their memory when the load is gone keep the size from falling below 20, though minReplicas is 2"}},
		{"memory that is given back in part", 2, 20, memory(60), "", facts(func(f *calculator.LintFacts) { f.MemoryKept = 0.7 }), []string{
			"spec.metrics[0].resource.target: MemoryNeverFalls: pods that keep 70% of their memory when the load is gone keep the size from falling below 3, though minReplicas is 2"}},
		{"memory that is given back enough", 2, 20, memory(60), "", facts(func(f *calculator.LintFacts) { f.MemoryKept = 0.65 }), nil},
		{"memory, and nowhere to fall", 20, 20, memory(60), "", usual, nil},
		{"memory, and never down", 2, 20, memory(60), behaves(`"scaleDown":{"selectPolicy":"Disabled"}`), usual, nil},
		{"memory of a container, in bytes, beside cpu", 1, 9, cpu(60) + "," + fmt.Sprintf(container, "memory", "AverageValue", `"averageValue":"1Gi"`), "", usual, []string{
			"spec.metrics[1].containerResource.target: MemoryNeverFalls: pods that keep 100% of their memory when the load is gone keep the size from falling below 9, though minReplicas is 1"}},

		{"no headroom", 2, 20, cpu(91), "", usual, []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: pods that use all that they request are still within tolerance, so that the size stays"}},
		{"little headroom", 2, 20, cpu(90), "", usual, []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: 99% is still tolerated, and if the load then grows by 10%, pods need all that they request before the next sync"}},
		{"a percent too little headroom", 2, 20, cpu(83), "", usual, []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: 91% is still tolerated, and if the load then grows by 10%, pods need all that they request before the next sync"}},
		{"headroom", 2, 20, cpu(82), "", usual, nil},
		{"headroom for load that does not grow", 2, 20, cpu(90), "", facts(func(f *calculator.LintFacts) { f.Growth = 0 }), nil},
		{"headroom that is just used up", 2, 20, cpu(73), "", facts(func(f *calculator.LintFacts) { f.Growth = 0.25 }), []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: 80% is still tolerated, and if the load then grows by 25%, pods need all that they request before the next sync"}},
		{"headroom that is not", 2, 20, cpu(73), "", facts(func(f *calculator.LintFacts) { f.Growth = 0.24 }), nil},
		{"all that they request", 2, 20, cpu(100), "", usual, []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: pods that use all that they request are still within tolerance, so that the size stays"}},
		{"headroom of a container", 2, 20, fmt.Sprintf(container, "cpu", "Utilization", `"averageUtilization":95`), "", usual, []string{
			"spec.metrics[0].containerResource.target.averageUtilization: NoHeadroom: pods that use all that they request are still within tolerance, so that the size stays"}},
		{"meant to use more than they request", 2, 20, cpu(101), "", usual, nil},
		{"an average has no percentage", 2, 20, fmt.Sprintf(container, "cpu", "AverageValue", `"averageValue":"1"`), "", usual, nil},
		{"no headroom, and nowhere to rise", 20, 20, cpu(95), "", usual, nil},
		{"no headroom, and never up", 20, 20, cpu(95), behaves(`"scaleUp":{"selectPolicy":"Disabled"}`), usual, nil},

		{"policies", 2, 20, external, behaves(`"scaleDown":{"policies":[{"type":"Percent","value":100,"periodSeconds":15},{"type":"Pods","value":2,"periodSeconds":60}]}`), usual, []string{
			"spec.behavior.scaleDown.policies[1]: PolicyNeverBinds: it never counts: with selectPolicy Max, Pods 2 in 60s allows no more than Percent 100 in 15s from any size between 2 and 20"}},
		{"policies that both count", 2, 20, external, behaves(`"scaleDown":{"policies":[{"type":"Percent","value":50,"periodSeconds":15},{"type":"Pods","value":2,"periodSeconds":60}]}`), usual, nil},

		{"several, in the order of the fields", 20, 22, cpu(95) + "," + memory(60), behaves(`"scaleUp":{"stabilizationWindowSeconds":900}`), usual, []string{
			"spec.maxReplicas: UnreachableSize: no load leads to 21: at any size between 20 and 22, it is tolerated, or asks for more or for less",
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: pods that use all that they request are still within tolerance, so that the size stays",
			"spec.metrics[1].resource.target: MemoryNeverFalls: pods that keep 100% of their memory when the load is gone keep the size from falling below 22, though minReplicas is 20",
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: a peak of 5m is over before the window of 15m is: the recommendation from before the peak holds the size throughout"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec, settings := lintSpec(t, c.low, c.high, c.metrics, c.more), calculator.DefaultSettings()
			var got []string
			for _, f := range spec.Lint(&settings, c.facts) {
				got = append(got, f.String())
				require.NotEmpty(t, f.Case)
				require.Empty(t, newLinted(spec, settings, f).decide(f))
			}
			require.Equal(t, c.want, got)
		})
	}
}

// The sizes that no load leads to are none that any reading leads to, from any
// size and, without one, of the limits.
func TestLintedSizesAreNotReached(t *testing.T) {
	for _, c := range []struct {
		low, high, percent int
		more               string
		unreachable        []int32
	}{
		{20, 22, 60, "", []int32{21}},
		{20, 24, 60, "", nil},
		{30, 42, 5, "", []int32{35, 37}},
		{4, 8, 60, `,"behavior":{"scaleUp":{"tolerance":"0.7"},"scaleDown":{"tolerance":"0.6"}}`, []int32{5, 6}},
		{2, 8, 60, `,"behavior":{"scaleUp":{"tolerance":"2.9","policies":[{"type":"Pods","value":6,"periodSeconds":15}]},"scaleDown":{"tolerance":"0.9"}}`, []int32{3, 4, 5, 6, 7}},
		// Without a behavior, a size can stop at the double of another one.
		{2, 8, 60, "", nil},
	} {
		spec, settings := lintSpec(t, c.low, c.high, fmt.Sprintf(lintCPU, c.percent), c.more), calculator.DefaultSettings()
		reached := map[int32]bool{}
		for size := int32(c.low); size <= int32(c.high); size++ {
			for usage := range metrics.Milli(10 * c.percent) {
				l := linted{spec: spec, settings: settings}
				l.settings.DownscaleStabilization = -1 // the history of one sync
				d := calculator.Decide(noon, &l.settings, spec, l.observe(behavior.Moment{Replicas: size, Usage: usage}), &l.state)
				require.NoError(t, d.Err())
				if d.DesiredReplicas != size {
					reached[d.DesiredReplicas] = true
				}
			}
		}
		var not []int32
		for n := int32(c.low) + 1; n < int32(c.high); n++ {
			if !reached[n] {
				not = append(not, n)
			}
		}
		require.Equal(t, c.unreachable, not, "%+v", c)
		found := spec.Lint(&settings, calculator.LintFacts{})
		require.Equal(t, len(not) > 0, len(found) > 0, "%+v: %v", c, found)
	}
}

// Without a behavior, a size can at most double in a sync, and stop there: from 5
// replicas a load of 12 leads to 10.
func TestLintedSizesBesideTheLimit(t *testing.T) {
	spec, settings := lintSpec(t, 5, 12, fmt.Sprintf(lintCPU, 30), ""), calculator.DefaultSettings()
	settings.Tolerance = 1.2
	found := spec.Lint(&settings, calculator.LintFacts{})
	require.Len(t, found, 1)
	require.Equal(t, "no load leads to 6 to 9 or 11: at any size between 5 and 12, it is tolerated, or asks for more or for less", found[0].Reason)
	require.Empty(t, newLinted(spec, settings, found[0]).decide(found[0]))
	require.EqualValues(t, 12, found[0].Case[1].Asked)
	require.EqualValues(t, 10, found[0].Case[1].Becomes)
}

// Whatever the rules are, each case is decided as it says.
func TestLintedCasesAreSo(t *testing.T) {
	seen := map[behavior.LintKind]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := calctest.AnyRules(calctest.ReplicasUpTo(40)).Draw(t, "rules")
		f := calculator.LintFacts{
			UsualReplicas: rapid.Int32Range(0, 40).Draw(t, "usual"),
			Peak:          time.Duration(rapid.IntRange(0, 600).Draw(t, "peak")) * time.Second,
			SyncPeriod:    15 * time.Second,
			Growth:        rapid.Float64Range(0, 0.5).Draw(t, "growth"),
			MemoryKept:    rapid.Float64Range(0, 1).Draw(t, "kept"),
		}
		for _, m := range r.Spec.Metrics {
			if id := identifier(&m); id != nil && id.Selector.Problem() != nil {
				t.Skip("a metric that fails")
			}
		}
		for _, x := range r.Spec.Lint(&r.Settings, f) {
			seen[x.Kind]++
			if what := newLinted(r.Spec, r.Settings, x).decide(x); what != "" {
				t.Fatalf("%v\n%s", x, what)
			}
		}
	})
	t.Log(seen)
}

func identifier(m *calculator.MetricSpec) *calculator.MetricIdentifier {
	switch {
	case m.Object != nil:
		return &m.Object.Metric
	case m.Pods != nil:
		return &m.Pods.Metric
	case m.External != nil:
		return &m.External.Metric
	}
	return nil
}

// About what cannot be decided on, there is nothing to say; and no number is
// too much.
func TestLintOfAnything(t *testing.T) {
	settings := calculator.DefaultSettings()
	var none *calculator.Spec
	require.Empty(t, none.Lint(&settings, calculator.DefaultLintFacts()))
	require.Empty(t, (&calculator.Spec{}).Lint(&settings, calculator.DefaultLintFacts()))
	spec := lintSpec(t, 20, 22, fmt.Sprintf(lintMemory, 95), "")
	require.Empty(t, spec.Lint(nil, calculator.DefaultLintFacts()))
	require.NotEmpty(t, spec.Lint(&settings, calculator.DefaultLintFacts()))
	require.NotPanics(t, func() {
		for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1e300} {
			settings.Tolerance = f
			spec.Lint(&settings, calculator.LintFacts{Growth: f, MemoryKept: f})
			spec.MaxReplicas = math.MaxInt32
			spec.Lint(&settings, calculator.LintFacts{Growth: f, MemoryKept: f, Peak: math.MaxInt64, SyncPeriod: 1})
			spec.MaxReplicas = 22
		}
	})
	// A metric without a target fails each sync.
	spec.Metrics = append(spec.Metrics, calculator.MetricSpec{Type: calculator.ObjectMetricSourceType, Object: &calculator.ObjectMetricSource{}})
	settings = calculator.DefaultSettings()
	require.Empty(t, spec.Lint(&settings, calculator.DefaultLintFacts()))
}

func ExampleSpec_Lint() {
	var spec calculator.Spec
	spec.SetDefaults() // 80% of cpu
	spec.MaxReplicas = 10
	*spec.Metrics[0].Resource.Target.AverageUtilization = 95
	settings := calculator.DefaultSettings()
	for _, f := range spec.Lint(&settings, calculator.DefaultLintFacts()) {
		fmt.Println(f)
		for _, m := range f.Case {
			fmt.Println(" ", m)
		}
	}
	// Output:
	// spec.metrics[0].resource.target.averageUtilization: NoHeadroom: pods that use all that they request are still within tolerance, so that the size stays
	//   after 0s, at 1 replica, metric 1 reads 100% and asks for 1: the size stays
}
