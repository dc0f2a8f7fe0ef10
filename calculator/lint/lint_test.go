package lint_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/calctest"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

const (
	lintCPU    = `{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":%d}}}`
	lintMemory = `{"type":"Resource","resource":{"name":"memory","target":{"type":"Utilization","averageUtilization":%d}}}`
)

func lintSpec(t testing.TB, low, high int, metrics, more string) *autoscaling.HorizontalPodAutoscalerSpec {
	t.Helper()
	var s autoscaling.HorizontalPodAutoscalerSpec
	require.NoError(t, json.Unmarshal(fmt.Appendf(nil, `{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},
		"minReplicas":%d,"maxReplicas":%d,"metrics":[%s]%s}`, low, high, metrics, more), &s))
	s.SetDefaults()
	require.NoError(t, s.Validate().Err())
	return &s
}

func TestLintFindsWhatItNames(t *testing.T) {
	facts := func(change func(*lint.Facts)) lint.Facts {
		f := lint.DefaultFacts()
		change(&f)
		return f
	}
	usual := lint.DefaultFacts()
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
		facts     lint.Facts
		want      []string // none for rules just short of it
	}{
		{"nothing", 2, 20, cpu(60), "", usual, nil},

		{"one size between the bounds", 20, 22, cpu(60), "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 21: from any other size between 20 and 22, the metrics propose more, less, or no change"}},
		{"bounds that are narrower", 20, 21, cpu(60), "", usual, nil},
		{"the smallest that is passed over", 18, 20, external, "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 19: from any other size between 18 and 20, the metrics propose more, less, or no change"}},
		{"a size that is reached from above", 17, 19, external, "", usual, nil},
		{"a size that is reached only in finer steps than percent", 17, 19, cpu(60), "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 18: from any other size between 17 and 19, the metrics propose more, less, or no change"}},
		{"a tolerance of its own", 18, 20, external, behaves(`"scaleUp":{"tolerance":"50m"}`), usual, nil},
		{"a large tolerance", 4, 8, external, behaves(`"scaleUp":{"tolerance":"0.7"},"scaleDown":{"tolerance":"0.6"}`), usual, []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 5 or 6: from any other size between 4 and 8, the metrics propose more, less, or no change",
			"spec.behavior.scaleDown.tolerance: WideTolerance: a tolerance of 600m is 60%: the size does not fall until usage is below 40% of the target, so 8 replicas stay where 4 would do"}},
		{"three in a row, of an amount", 10, 14, external, behaves(`"scaleUp":{"tolerance":"0.6"},"scaleDown":{"tolerance":"0.9"}`), usual, []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 11 to 13: from any other size between 10 and 14, the metrics propose more, less, or no change",
			"spec.behavior.scaleDown.tolerance: WideTolerance: a tolerance of 900m is 90%: the size does not fall until usage is below 10% of the target, so 14 replicas stay where 10 would do"}},
		{"an amount of many digits", 20, 22, object, "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 21: from any other size between 20 and 22, the metrics propose more, less, or no change"}},
		{"an amount of many digits, and none is tolerated", 1500, 1700, many, behaves(`"scaleUp":{"tolerance":"0"},"scaleDown":{"tolerance":"0"}`), usual, nil},
		{"whole percent of a low target", 30, 42, cpu(5), "", usual, []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 35 or 37: from any other size between 30 and 42, the metrics propose more, less, or no change"}},
		{"policies that cut the way short", 20, 22, cpu(60), behaves(`"scaleUp":{"policies":[{"type":"Pods","value":1,"periodSeconds":15}]}`), usual, nil},
		{"policies that do not", 20, 22, cpu(60), behaves(`"scaleUp":{"policies":[{"type":"Pods","value":2,"periodSeconds":15}]}`), usual, []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 21: from any other size between 20 and 22, the metrics propose more, less, or no change"}},
		{"a second metric that counts on its own", 20, 22, cpu(60) + "," + memory(60), "", facts(func(f *lint.Facts) { f.MemoryKept = 0 }), []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 21: from any other size between 20 and 22, the metrics propose more, less, or no change"}},
		{"more sizes than are looked at", 20, 4020, cpu(3), "", usual, nil},

		{"disabled", 2, 20, external, behaves(`"scaleUp":{"selectPolicy":"Disabled"}`), facts(func(f *lint.Facts) { f.UsualReplicas = 3 }), []string{
			"spec.behavior.scaleUp.selectPolicy: ScaleUpDisabled: scale up is disabled: a size that has fallen to minReplicas, 2, stays there, though 3 is usual"}},
		{"disabled, and that is the usual size", 2, 20, external, behaves(`"scaleUp":{"selectPolicy":"Disabled"}`), facts(func(f *lint.Facts) { f.UsualReplicas = 2 }), nil},

		{"window", 2, 20, external, behaves(`"scaleUp":{"stabilizationWindowSeconds":301},"scaleDown":{"stabilizationWindowSeconds":301}`), usual, []string{
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: the window of 5m1s outlasts a peak of 5m: a recommendation from before the peak holds the size throughout"}},
		{"window as long as peaks", 2, 20, external, behaves(`"scaleUp":{"stabilizationWindowSeconds":300}`), usual, nil},

		{"memory", 2, 20, memory(60), "", usual, []string{
			"spec.metrics[0].resource.target.averageUtilization: MemoryNeverFalls: pods keep 100% of their memory when the load is gone: the size does not fall below 20, though minReplicas is 2"}},
		{"memory that is given back in part", 2, 20, memory(60), "", facts(func(f *lint.Facts) { f.MemoryKept = 0.7 }), []string{
			"spec.metrics[0].resource.target.averageUtilization: MemoryNeverFalls: pods keep 70% of their memory when the load is gone: the size does not fall below 3, though minReplicas is 2"}},
		{"memory that is given back enough", 2, 20, memory(60), "", facts(func(f *lint.Facts) { f.MemoryKept = 0.65 }), nil},
		{"memory, and nowhere to fall", 20, 20, memory(60), "", usual, []string{
			"spec.maxReplicas: NeverScales: no load changes the size: minReplicas and maxReplicas are 20"}},
		{"memory, and never down", 2, 20, memory(60), behaves(`"scaleDown":{"selectPolicy":"Disabled"}`), usual, []string{
			"spec.behavior.scaleDown.selectPolicy: ScaleDownDisabled: scale down is disabled: a size that has risen to maxReplicas, 20, stays there, though minReplicas is 2"}},
		{"memory of a container, in bytes, beside cpu", 1, 9, cpu(60) + "," + fmt.Sprintf(container, "memory", "AverageValue", `"averageValue":"1Gi"`), "", usual, []string{
			"spec.metrics[1].containerResource.target.averageValue: MemoryNeverFalls: pods keep 100% of their memory when the load is gone: the size does not fall below 9, though minReplicas is 1"}},

		{"no headroom", 2, 20, cpu(91), "", usual, []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: utilization of 100% is within tolerance: the size is unchanged while pods use all that they request"}},
		{"little headroom", 2, 20, cpu(90), "", usual, []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: utilization of 99% is within tolerance: if the load then grows by 10%, pods need all that they request before the next sync"}},
		{"a percent too little headroom", 2, 20, cpu(83), "", usual, []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: utilization of 91% is within tolerance: if the load then grows by 10%, pods need all that they request before the next sync"}},
		{"headroom", 2, 20, cpu(82), "", usual, nil},
		{"headroom for load that does not grow", 2, 20, cpu(90), "", facts(func(f *lint.Facts) { f.Growth = 0 }), nil},
		{"headroom that is just used up", 2, 20, cpu(73), "", facts(func(f *lint.Facts) { f.Growth = 0.25 }), []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: utilization of 80% is within tolerance: if the load then grows by 25%, pods need all that they request before the next sync"}},
		{"headroom that is not", 2, 20, cpu(73), "", facts(func(f *lint.Facts) { f.Growth = 0.24 }), nil},
		{"all that they request", 2, 20, cpu(100), "", usual, []string{
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: utilization of 100% is within tolerance: the size is unchanged while pods use all that they request"}},
		{"headroom of a container", 2, 20, fmt.Sprintf(container, "cpu", "Utilization", `"averageUtilization":95`), "", usual, []string{
			"spec.metrics[0].containerResource.target.averageUtilization: NoHeadroom: utilization of 100% is within tolerance: the size is unchanged while pods use all that they request"}},
		{"meant to use more than they request", 2, 20, cpu(101), "", usual, nil},
		{"an average has no percentage", 2, 20, fmt.Sprintf(container, "cpu", "AverageValue", `"averageValue":"1"`), "", usual, nil},
		{"no headroom, and nowhere to rise", 20, 20, cpu(95), "", usual, []string{
			"spec.maxReplicas: NeverScales: no load changes the size: minReplicas and maxReplicas are 20"}},
		{"no headroom, and never up", 2, 20, cpu(95), behaves(`"scaleUp":{"selectPolicy":"Disabled"}`), facts(func(f *lint.Facts) { f.UsualReplicas = 2 }), nil},

		{"policies", 2, 20, external, behaves(`"scaleDown":{"policies":[{"type":"Percent","value":100,"periodSeconds":15},{"type":"Pods","value":2,"periodSeconds":60}]}`), usual, []string{
			"spec.behavior.scaleDown.policies[1]: PolicyNeverBinds: selectPolicy Max never selects it: from any size between 2 and 20, 2 pods in 1m is no more than 100% in 15s"}},
		{"policies that both count", 2, 20, external, behaves(`"scaleDown":{"policies":[{"type":"Percent","value":50,"periodSeconds":15},{"type":"Pods","value":2,"periodSeconds":60}]}`), usual, nil},

		{"several, in the order of the fields", 20, 22, cpu(95) + "," + memory(60), behaves(`"scaleUp":{"stabilizationWindowSeconds":900},"scaleDown":{"stabilizationWindowSeconds":900}`), usual, []string{
			"spec.maxReplicas: UnreachableSize: no load scales to 21: from any other size between 20 and 22, the metrics propose more, less, or no change",
			"spec.metrics[0].resource.target.averageUtilization: NoHeadroom: utilization of 100% is within tolerance: the size is unchanged while pods use all that they request",
			"spec.metrics[1].resource.target.averageUtilization: MemoryNeverFalls: pods keep 100% of their memory when the load is gone: the size does not fall below 22, though minReplicas is 20",
			"spec.behavior.scaleUp.stabilizationWindowSeconds: WindowOutlastsPeaks: the window of 15m outlasts a peak of 5m: a recommendation from before the peak holds the size throughout"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec, settings := lintSpec(t, c.low, c.high, c.metrics, c.more), calculator.DefaultSettings()
			require.Equal(t, c.want, texts(lintAll(t, spec, settings, c.facts)))
		})
	}
}

// No reading leads to the sizes that no load leads to, from any
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
				d := calculator.Decide(noon, &l.settings, spec, l.observe(lint.Moment{Current: size, Usage: usage}), &l.state)
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
		found := lintAll(t, spec, settings, lint.Facts{})
		require.Equal(t, len(not) > 0, len(found) > 0, "%+v: %v", c, found)
	}
}

// Without a behavior, a size can at most double in a sync, and stop there: from
// 5 replicas a load of 12 leads to 10.
func TestLintedSizesBesideTheLimit(t *testing.T) {
	spec, settings := lintSpec(t, 5, 12, fmt.Sprintf(lintCPU, 30), ""), calculator.DefaultSettings()
	settings.Tolerance = 1.2
	found := lintAll(t, spec, settings, lint.Facts{})
	require.Len(t, found, 1)
	require.Equal(t, "no load scales to 6 to 9 or 11: from any other size between 5 and 12, the metrics propose more, less, or no change", found[0].Message)
	require.EqualValues(t, 12, found[0].Case[1].Proposed)
	require.EqualValues(t, 10, found[0].Case[1].Desired)
}

// Whatever the spec is, each case is decided as it says.
func TestCasesAreDecidedSo(t *testing.T) {
	seen := map[lint.Kind]int{}
	rapid.Check(t, func(t *rapid.T) {
		spec, settings := calctest.Specs(calctest.ReplicasUpTo(40)).Draw(t, "spec"), calculator.DefaultSettings()
		settings.Tolerance = rapid.SampledFrom([]float64{0.1, 0, 0.05, 0.5}).Draw(t, "tolerance")
		settings.DownscaleStabilization = time.Duration(rapid.SampledFrom([]int{300, 0, 15, 90, 20000}).Draw(t, "downscale stabilization")) * time.Second
		settings.Cooldown = rapid.SampledFrom([]behavior.Cooldown{{}, behavior.DefaultCooldown()}).Draw(t, "cooldown")
		settings.ColdStart = rapid.SampledFrom([]calculator.ColdStart{calculator.RecommendCurrent, calculator.HoldScaleDown}).Draw(t, "cold start")
		settings.ChooseBy = rapid.SampledFrom([]calculator.ChooseBy{calculator.ChooseMax, calculator.ChooseMin, calculator.ChooseFirst}).Draw(t, "choosing")
		settings.Corrections = rapid.SampledFrom([]correction.Set{0, 0, correction.All(), correction.Set(0).With(correction.Truncation), correction.Set(0).With(correction.Bounds)}).Draw(t, "corrections")
		upTo := func(most int, label string) time.Duration {
			return time.Duration(rapid.IntRange(0, most).Draw(t, label)) * time.Second
		}
		f := lint.Facts{
			UsualReplicas:   rapid.Int32Range(0, 40).Draw(t, "usual"),
			Peak:            upTo(600, "peak"),
			Pause:           upTo(600, "pause"),
			Rise:            upTo(600, "rise"),
			Fall:            upTo(600, "fall"),
			SyncPeriod:      upTo(60, "sync period"),
			Growth:          rapid.Float64Range(0, 0.5).Draw(t, "growth"),
			MemoryKept:      rapid.Float64Range(0, 1).Draw(t, "kept"),
			IdleCPU:         metrics.Milli(rapid.IntRange(0, 2000).Draw(t, "idle cpu")),
			IdleUtilization: rapid.Int32Range(0, 100).Draw(t, "idle utilization"),
		}
		for _, x := range mustLint(t, spec, settings, f) {
			seen[x.Kind]++
			if what := newLinted(spec, settings, x).decide(x); what != "" {
				t.Fatalf("%v\n%s", x, what)
			}
		}
	})
	t.Log(seen)
}

// Where not the largest proposal decides, one metric of several says nothing
// about the size: at the target of memory, an empty queue takes it to
// minReplicas.
func TestLintOfOtherChoosings(t *testing.T) {
	queue := `{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"AverageValue","averageValue":"10"}}}`
	for _, c := range []struct {
		metrics, more string
		choosing      calculator.ChooseBy
		want          []lint.Kind
	}{
		{fmt.Sprintf(lintMemory, 95) + "," + queue, "", calculator.ChooseMax, []lint.Kind{lint.MemoryNeverFalls, lint.NoHeadroom}},
		{fmt.Sprintf(lintMemory, 95) + "," + queue, "", calculator.ChooseMin, nil},
		{queue + "," + fmt.Sprintf(lintMemory, 95), "", calculator.ChooseFirst, nil},
		{fmt.Sprintf(lintMemory, 95) + "," + queue, `"scaleUp":{"tolerance":"1"},"scaleDown":{"selectPolicy":"Disabled"}`, calculator.ChooseMin,
			[]lint.Kind{lint.ScaleDownDisabled}},
		{fmt.Sprintf(lintMemory, 95), "", calculator.ChooseMin, []lint.Kind{lint.MemoryNeverFalls, lint.NoHeadroom}},
		{fmt.Sprintf(lintMemory, 95), "", calculator.ChooseFirst, []lint.Kind{lint.MemoryNeverFalls, lint.NoHeadroom}},
	} {
		spec, settings := lintSpec(t, 1, 10, c.metrics, `,"behavior":{`+c.more+`}`), calculator.DefaultSettings()
		settings.ChooseBy = c.choosing
		var kinds []lint.Kind
		for _, f := range lintAll(t, spec, settings, lint.DefaultFacts()) {
			kinds = append(kinds, f.Kind)
		}
		require.Equal(t, c.want, kinds, "%+v", c)
	}
}

// Whole percents do not reach each size. Corrected, they do.
func TestLintOfTruncation(t *testing.T) {
	spec, settings := lintSpec(t, 30, 42, fmt.Sprintf(lintCPU, 5), ""), calculator.DefaultSettings()
	require.Len(t, lintAll(t, spec, settings, lint.DefaultFacts()), 1)
	settings.Corrections = correction.Set(0).With(correction.Truncation)
	require.Empty(t, lintAll(t, spec, settings, lint.DefaultFacts()))
}

// A spec is looked at as the API server of the release admits it.
func TestLintAdmits(t *testing.T) {
	settings, facts := calculator.DefaultSettings(), lint.DefaultFacts()
	bare := &autoscaling.HorizontalPodAutoscalerSpec{MaxReplicas: 3, Behavior: &behavior.Behavior{}}
	defaulted := bare.Clone()
	defaulted.SetDefaults()
	require.Equal(t, mustLint(t, defaulted, settings, facts), mustLint(t, bare, settings, facts))
	require.Nil(t, bare.MinReplicas, "the spec was changed")

	wide := lintSpec(t, 1, 10, fmt.Sprintf(lintCPU, 60), `,"behavior":{"scaleUp":{"tolerance":"1"}}`)
	tolerant := func(x lint.Finding) bool { return x.Kind == lint.WideTolerance }
	require.True(t, slices.ContainsFunc(mustLint(t, wide, settings, facts), tolerant))
	settings.Release = release.MustParse("1.34")
	require.False(t, slices.ContainsFunc(mustLint(t, wide, settings, facts), tolerant), "1.34 drops tolerances")

	zero := lintSpec(t, 0, 10, `{"type":"External","external":{"metric":{"name":"jobs"},"target":{"type":"Value","value":"5"}}}`, "")
	_, err := lint.Lint(&settings, zero, facts)
	require.EqualError(t, err, "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1")
}

// What is not valid is an error that names the field.
func TestLintOfInvalidSpecs(t *testing.T) {
	settings, facts := calculator.DefaultSettings(), lint.DefaultFacts()
	valid := func() *autoscaling.HorizontalPodAutoscalerSpec {
		return lintSpec(t, 20, 22, fmt.Sprintf(lintMemory, 95), `,"behavior":{}`)
	}
	found := mustLint(t, valid(), settings, facts)
	require.NotEmpty(t, found)
	byDefault, err := lint.Lint(nil, valid(), facts)
	require.NoError(t, err)
	require.Equal(t, found, byDefault)
	_, err = lint.Lint(&calculator.Settings{}, valid(), facts)
	require.ErrorContains(t, err, "settings: Required value: all flags are zero")
	_, err = lint.Lint(&settings, nil, facts)
	require.EqualError(t, err, "spec: Required value")
	for path, change := range map[string]func(*autoscaling.HorizontalPodAutoscalerSpec){
		"spec.maxReplicas": func(s *autoscaling.HorizontalPodAutoscalerSpec) { *s = autoscaling.HorizontalPodAutoscalerSpec{} },
		"spec.minReplicas": func(s *autoscaling.HorizontalPodAutoscalerSpec) { *s.MinReplicas = -1 },
		"spec.metrics[1].object.target.type": func(s *autoscaling.HorizontalPodAutoscalerSpec) {
			s.Metrics = append(s.Metrics, autoscaling.MetricSpec{Type: autoscaling.ObjectMetricSourceType, Object: &autoscaling.ObjectMetricSource{}})
		},
	} {
		spec := valid()
		change(spec)
		found, err := lint.Lint(&settings, spec, facts)
		require.Empty(t, found, path)
		var list field.ErrorList
		require.ErrorAs(t, err, &list, path)
		require.True(t, slices.ContainsFunc(list, func(e *field.Error) bool { return e.Field == path }), "%s: %v", path, err)
	}
	// A target is nothing that decides.
	spec := valid()
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{}
	require.Equal(t, found, mustLint(t, spec, settings, facts))
}

// No number is too much.
func TestLintOfAnyNumbers(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1e300} {
		for _, high := range []int{22, math.MaxInt32} {
			spec := lintSpec(t, 20, high, fmt.Sprintf(lintMemory, 95), `,"behavior":{"scaleUp":{"stabilizationWindowSeconds":1}}`)
			settings := calculator.DefaultSettings()
			settings.Tolerance, settings.DownscaleStabilization = f, math.MaxInt64
			for _, facts := range []lint.Facts{
				{Growth: f, MemoryKept: f},
				{Growth: f, MemoryKept: f, Peak: math.MaxInt64, SyncPeriod: 1, UsualReplicas: math.MinInt32},
				{Growth: f, MemoryKept: f, Peak: math.MinInt64, SyncPeriod: math.MinInt64},
				{IdleCPU: math.MinInt64, IdleUtilization: math.MaxInt32, Peak: math.MaxInt64, Pause: math.MaxInt64, Rise: 1, Fall: 1, SyncPeriod: 1},
				{Pause: math.MaxInt64, SyncPeriod: math.MaxInt64},
			} {
				for _, x := range mustLint(t, spec, settings, facts) {
					require.NotEmpty(t, x.Case)
					require.NotContains(t, x.Message, "NaN")
					_, err := json.Marshal(x)
					require.NoError(t, err)
				}
			}
		}
	}
}

// The largest sizes are no different.
func TestLintOfTheLargestSizes(t *testing.T) {
	spec, settings := autoscaling.NewSpec(math.MaxInt32-2, math.MaxInt32, autoscaling.ResourceUtilizationMetric("cpu", 60)), calculator.DefaultSettings()
	require.Equal(t, []string{
		"spec.maxReplicas: UnreachableSize: no load scales to 2147483646: from any other size between 2147483645 and 2147483647, the metrics propose more, less, or no change",
	}, texts(mustLint(t, &spec, settings, lint.DefaultFacts())))
}

// What takes too long is not looked at: pairs of sizes, with each metric.
func TestLintIsBounded(t *testing.T) {
	settings := calculator.DefaultSettings()
	settings.Tolerance = 1e9 // no size leads to another
	finds := func(sizes int32, n int) bool {
		spec := autoscaling.NewSpec(1, 1+sizes, slices.Repeat([]autoscaling.MetricSpec{autoscaling.ResourceUtilizationMetric("cpu", 60)}, n)...)
		spec.SetDefaults()
		spec.Behavior = &behavior.Behavior{
			ScaleUp: &behavior.ScalingRules{Policies: []behavior.Policy{podsIn(math.MaxInt32, 15)}},
		}
		spec.Behavior.SetDefaults()
		return slices.ContainsFunc(mustLint(t, &spec, settings, lint.Facts{}), func(f lint.Finding) bool { return f.Kind == lint.UnreachableSize })
	}
	for metrics, sizes := range map[int]int32{1: 707, 2: 500, 4: 353, 4000: 11} {
		require.True(t, finds(sizes, metrics), metrics)
		require.False(t, finds(sizes+1, metrics), metrics)
	}
	require.False(t, finds(math.MaxInt32-1, 4000))
}

// A fall to the size that memory holds is not taken step by step.
func TestMemoryFallsAtOnce(t *testing.T) {
	spec, settings := lintSpec(t, 1, math.MaxInt32, fmt.Sprintf(lintMemory, math.MaxInt32), `,"behavior":{"scaleDown":{"tolerance":"0"}}`), calculator.DefaultSettings()
	facts := lint.DefaultFacts()
	facts.MemoryKept = 1 - 1e-6
	found := mustLint(t, spec, settings, facts)
	require.Len(t, found, 1)
	size := found[0].Case[0].Current
	require.InDelta(t, 1_000_000, size, 1000) // 1 / (1 - kept)
}
