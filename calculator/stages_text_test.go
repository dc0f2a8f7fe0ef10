package calculator_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize"
)

func TestTextWithoutADecision(t *testing.T) {
	settings := calculator.DefaultSettings()
	decide := func(spec *autoscaling.HorizontalPodAutoscalerSpec, obs *calculator.Observation) string {
		var st calculator.State
		d := calculator.Decide(noon, &settings, spec, obs, &st)
		return d.String()
	}
	require.Equal(t, "At 0001-01-01T00:00:00Z, there is no decision.\n", new(calculator.Decision).String())
	require.Equal(t, "At 2026-05-04T12:00:00Z, there is no decision: the input is not valid: spec: Required value.\n",
		decide(nil, cpuAt(3, 500)))
	require.Equal(t, "At 2026-05-04T12:00:00Z, there is no decision: the input is not valid: observation.specReplicas: Invalid value: -1: must not be negative.\n",
		decide(cpuSpec(t, ""), &calculator.Observation{SpecReplicas: -1}))
	require.Equal(t, "At 2026-05-04T12:00:00Z, there is no decision: the scale could not be read: no route to host.\n",
		decide(cpuSpec(t, ""), &calculator.Observation{ScaleError: errors.New("no route\nto host")}))

	text := decide(&autoscaling.HorizontalPodAutoscalerSpec{MaxReplicas: -1}, cpuAt(3, 500))
	require.Contains(t, text, "there is no decision: the input is not valid: ")
	require.Contains(t, text, "maxReplicas: Invalid value: -1: must be greater than or equal to 1")
	require.Equal(t, 1, strings.Count(text, "\n"))
}

func TestTextOfASelectorError(t *testing.T) {
	settings := calculator.DefaultSettings()
	obs := cpuAt(3, 500)
	obs.SelectorError = &calculator.SelectorError{Reason: calculator.SelectorAmbiguous, Selector: "app=web", Others: "[other]"}
	var st calculator.State
	d := calculator.Decide(noon, &settings, cpuSpec(t, ""), obs, &st)
	require.Equal(t, `At 2026-05-04T12:00:00Z, the size stays at 3 replicas, because no size could be computed.
Size: 3 replicas, within the bounds of 1 to 20, so the metrics decide.
Selector: no metric can be computed: pods by selector app=web are controlled by more than one HPA (e.g. [other]).
Next: the decision stays the same until an input changes.
Error: failed to compute desired number of replicas based on listed metrics for Deployment/ns/web: pods by selector app=web are controlled by more than one HPA (e.g. [other]).
`, d.String())
}

// The first line tells how far a change of size has come.
func TestTextOfAnOutcome(t *testing.T) {
	settings := calculator.DefaultSettings()
	decide := func() (calculator.Decision, calculator.State) {
		var st calculator.State
		return calculator.Decide(noon, &settings, cpuSpec(t, ""), cpuAt(3, 1000), &st), st
	}
	first := func(d *calculator.Decision) string {
		line, _, _ := strings.Cut(d.String(), "\n")
		return line
	}
	d, st := decide()
	const why = "cpu resource utilization (percentage of request) above target"
	require.Equal(t, "At 2026-05-04T12:00:00Z, the size should change from 3 to 6 replicas: "+why+".", first(&d))
	st.Applied(noon, &d)
	require.Equal(t, "At 2026-05-04T12:00:00Z, the size was changed from 3 to 6 replicas: "+why+".", first(&d))
	d, st = decide()
	st.Failed(noon, &d, errors.New("conflict"))
	require.Equal(t, "At 2026-05-04T12:00:00Z, the size should have changed from 3 to 6 replicas ("+why+"), but it could not be written: conflict.", first(&d))
	require.NotContains(t, d.String(), "Error:")
}

// A ratio has four digits, unless they would lie about the tolerance.
func TestDigitsOfARatio(t *testing.T) {
	up, down := 1.1, 0.9
	for _, c := range []struct {
		ratio float64
		text  string
	}{
		{0, "0.0000, outside"},
		{0.5, "0.5000, outside"},
		{math.Nextafter(down, 0), "0.8999999999999999, outside"},
		{down, "0.9000, within"},
		{0.89996, "0.89996, outside"},
		{0.9300, "0.9300, within"},
		{math.Nextafter(1, 0), "0.9999999999999999, within"},
		{1, "1.0000, within"},
		{1.00001, "1.00001, within"},
		{up, "1.1000, within"},
		{math.Nextafter(up, 2), "1.1000000000000003, outside"},
		{1.10004, "1.10004, outside"},
		{1.1003, "1.1003, outside"},
		{2.0 / 3, "0.6667, outside"},
		{123456.78901, "123456.7890, outside"},
		{math.Inf(1), "infinite, outside"},
		{math.NaN(), "undefined, outside"},
	} {
		d := calculator.Decision{
			Zone:      calculator.ZoneNormal,
			Tolerance: metrics.Symmetric(0.1),
			Proposals: []calculator.Proposal{{
				Metric: autoscaling.Metric{Target: metrics.AverageValue(1000)},
				Rule:   calculator.UsagePerTarget,
				Ratio:  c.ratio,
			}},
		}
		require.Contains(t, d.String(), "The ratio to the target is "+c.text)
		require.Contains(t, d.String(), "the tolerance of 0.9000 to 1.1000.")
	}
}

// Spans have no zeros at their ends, and moments no fractions that do not
// matter.
func TestTextOfTimes(t *testing.T) {
	for _, c := range []struct {
		until time.Duration
		text  string
	}{
		{15 * time.Second, "2026-05-04T12:00:15Z, in 15s,"},
		{5 * time.Minute, "2026-05-04T12:05:00Z, in 5m,"},
		{time.Hour, "2026-05-04T13:00:00Z, in 1h,"},
		{time.Hour + time.Second, "2026-05-04T13:00:01Z, in 1h0m1s,"},
		{10 * time.Minute, "2026-05-04T12:10:00Z, in 10m,"},
		{20 * time.Hour, "2026-05-05T08:00:00Z, in 20h,"},
		{time.Minute + 1, "just after 2026-05-04T12:01:00Z, in 1m,"},
		{1, "just after now,"},
		{1500*time.Millisecond + 300, "2026-05-04T12:00:01.5000003Z, in 1.5s,"},
		{700 * time.Microsecond, "2026-05-04T12:00:00.0007Z, in 700µs,"},
	} {
		d := calculator.Decision{Now: noon, Zone: calculator.ZoneDisabled, Until: noon.Add(c.until)}
		require.Contains(t, d.String(), "until "+c.text)
	}
}

// Metrics are named in the words of the spec.
func TestTextOfEverySource(t *testing.T) {
	settings := calculator.DefaultSettings()
	spec := specOf(t, `{`+webRef+`,"maxReplicas":9,"metrics":[
		{"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":"1536Mi"}}},
		{"type":"ContainerResource","containerResource":{"name":"cpu","container":"app","target":{"type":"Utilization","averageUtilization":150}}},
		{"type":"Pods","pods":{"metric":{"name":"requests","selector":{"matchExpressions":[
			{"key":"a","operator":"In","values":["x","y"]},{"key":"b","operator":"NotIn","values":["z"]},
			{"key":"c","operator":"Exists"},{"key":"d","operator":"DoesNotExist"}]}},"target":{"type":"AverageValue","averageValue":"100"}}},
		{"type":"Object","object":{"metric":{"name":"latency"},"describedObject":{"kind":"Ingress","name":"main"},"target":{"type":"Value","value":"250m"}}},
		{"type":"External","external":{"metric":{"name":"jobs","selector":{"matchLabels":{"q":"a","p":"b"}}},"target":{"type":"Value","value":"3k"}}},
		{"type":"Object","object":{"metric":{"name":"rate"},"describedObject":{"kind":"Service","name":"web"},"target":{"type":"AverageValue","averageValue":"2"}}}]}`)
	obs := cpuAt(3, 0)
	obs.Pods[2].Containers = []podgroup.Container{{Name: "app", Requests: podgroup.Requests{CPU: podgroup.Requested(500)}}}
	obs.Readings = []calculator.Reading{
		{Samples: same(3, 1<<30*1000)},
		{Samples: same(3, 100)},
		{Samples: same(3, 99_000)},
		{Values: []metrics.Milli{300}},
		{Values: []metrics.Milli{1_000_000, 2_100_000}},
		{Values: []metrics.Milli{5000}},
	}
	var st calculator.State
	d := calculator.Decide(noon, &settings, spec, obs, &st)
	text := d.String()
	for _, line := range []string{
		"Metric 1 of 6, Resource memory, target averageValue 1536Mi: 3 pods, all ready.",
		"  Usage: 3Gi over 3 ready pods: 1Gi on average. The ratio to the target is 0.6667, outside the tolerance of 0.9000 to 1.1000.",
		"Metric 2 of 6, ContainerResource cpu of container app, target averageUtilization 150%: it failed: failed to get cpu utilization: container app not found in Pod web-0. There are 3 pods, all ready.",
		"Metric 3 of 6, Pods requests {a in (x,y),b notin (z),c,!d}, target averageValue 100: 3 pods, all ready.",
		"Metric 4 of 6, Object latency of Ingress main, target value 250m: the value is 300m. The ratio to the target is 1.2000, outside the tolerance of 0.9000 to 1.1000.",
		"  Proposal: 4 replicas, 1.2000 times 3 running and ready pods, rounded up.",
		"Metric 5 of 6, External jobs {p=b,q=a}, target value 3k: the value is 3100. The ratio to the target is 1.0333, within the tolerance of 0.9000 to 1.1000.",
		"Metric 6 of 6, Object rate of Service web, target averageValue 2: the value is 5, which is 1667m per pod (status.replicas is 3). The ratio to the target is 0.8333, outside the tolerance of 0.9000 to 1.1000.",
		"  Proposal: 3 replicas, 5 divided by 2, rounded up.",
		"Choice: 4 replicas, by metric 4, the largest proposal. Metric 1 asks for 2, metric 2 failed, metric 3 asks for 3, metric 5 asks for 3, metric 6 asks for 3. A metric that failed keeps the size from falling, not from rising.",
	} {
		require.Contains(t, text, line+"\n")
	}
}

func TestTextOfACooldown(t *testing.T) {
	for backoff, line := range map[behavior.Backoff]string{
		behavior.BackoffUpscale:   "Cooldown: 3 replicas. The last change of size forbids scaling up only.",
		behavior.BackoffDownscale: "Cooldown: 3 replicas. The last change of size forbids scaling down only.",
		behavior.BackoffBoth:      "Cooldown: 3 replicas, unchanged.",
	} {
		d := calculator.Decision{
			Zone:      calculator.ZoneNormal,
			Proposals: make([]calculator.Proposal, 1),
			Cooldown:  behavior.CooldownResult{Desired: 3, Replicas: 3, Backoff: backoff},
		}
		require.Contains(t, d.String(), line+"\n")
	}
}

func TestTextOfAColdStart(t *testing.T) {
	settings := calculator.DefaultSettings()
	settings.ColdStart = calculator.HoldScaleDown
	spec := cpuSpec(t, `,"behavior":{"scaleDown":{"stabilizationWindowSeconds":0,"policies":[{"type":"Percent","value":100,"periodSeconds":600}]}}`)
	var st calculator.State
	calculator.Decide(noon, &settings, spec, cpuAt(6, 500), &st)
	d := calculator.Decide(noon.Add(time.Minute), &settings, spec, cpuAt(6, 100), &st)
	require.Contains(t, d.String(), "Stabilization: 6 replicas instead of 2, because the history began only 1m ago, at 2026-05-04T12:00:00Z."+
		" It counts as complete from 2026-05-04T12:10:00Z, in 9m.\n")
}

// scripted is a decision with something to say at every stage: a correction, a
// failure, a choice, a window, policies and a bound.
func scripted(t *testing.T) *calculator.Decision {
	t.Helper()
	settings := calculator.DefaultSettings()
	spec := specOf(t, `{`+webRef+`,"minReplicas":2,"maxReplicas":30,"metrics":[
		{"type":"Resource","resource":{"name":"memory","target":{"type":"Utilization","averageUtilization":50}}},
		{"type":"External","external":{"metric":{"name":"jobs","selector":{"matchLabels":{"q":"a"}}},"target":{"type":"AverageValue","averageValue":"10"}}},
		{"type":"Pods","pods":{"metric":{"name":"requests"},"target":{"type":"AverageValue","averageValue":"100"}}}],
		"behavior":{
			"scaleUp":{"stabilizationWindowSeconds":60,"policies":[{"type":"Pods","value":2,"periodSeconds":60},{"type":"Percent","value":50,"periodSeconds":30}]},
			"scaleDown":{"stabilizationWindowSeconds":120}}}`)
	var st calculator.State
	var d calculator.Decision
	sync := func(after time.Duration, size int32, memory metrics.Milli) {
		obs := cpuAt(size, 0)
		obs.Pods[0].Phase = podgroup.PhasePending
		samples := same(int(size), memory)
		samples[1] = metrics.Sample{}
		obs.Readings = []calculator.Reading{
			{Samples: samples},
			{Err: errors.New("no such metric")},
			{Samples: same(int(size), 100_000), Strays: same(1, 99_000)},
		}
		now := noon.Add(after)
		calculator.DecideInto(&d, now, &settings, spec, obs, &st)
		st.Applied(now, &d)
	}
	sync(0, 4, 1<<30*1000)
	sync(30*time.Second, 5, 2<<30*1000)
	st.Events.Record(noon.Add(35*time.Second), 5, 7, spec.Behavior)
	sync(70*time.Second, 7, 2<<30*1000)
	return &d
}

// TestTraceJSON holds the names and the shape.
func TestTraceJSON(t *testing.T) {
	const file = "testdata/decision.json"
	got, err := json.MarshalIndent(scripted(t), "", "  ")
	require.NoError(t, err)
	got = append(got, '\n')
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestTraceJSONWithoutADecision(t *testing.T) {
	got, err := json.Marshal(calculator.Decision{})
	require.NoError(t, err)
	require.JSONEq(t, `{"now":"0001-01-01T00:00:00Z","currentReplicas":0,"desiredReplicas":0,"rescale":false,
		"minReplicas":0,"maxReplicas":0,"started":false,
		"coldStart":false,"raisedToMin":false}`, string(got))

	settings := calculator.DefaultSettings()
	var st calculator.State
	got, err = json.Marshal(calculator.Decide(noon, &settings, nil, nil, &st))
	require.NoError(t, err)
	require.Contains(t, string(got), `"error":"spec: Required value"`)
}

// What JSON has no number for is null, and a year too large for it is the last.
func TestTraceJSONOfTheUnspeakable(t *testing.T) {
	spec := externalSpec(t, `,"minReplicas":0`)
	settings := calculator.DefaultSettings()
	for _, c := range []struct {
		value metrics.Milli
		ratio float64
	}{{0, math.NaN()}, {5000, math.Inf(1)}, {-5000, math.Inf(-1)}} {
		var st calculator.State
		obs := backlogOf(3, c.value)
		obs.StatusReplicas = 0
		d := calculator.Decide(time.Unix(1<<40, 0), &settings, spec, obs, &st)
		require.NoError(t, d.Err())
		got, err := json.Marshal(d)
		require.NoError(t, err)
		require.Contains(t, string(got), `"ratio":null`)
		require.Contains(t, string(got), `"correctedRatio":null`)
		require.Contains(t, string(got), `"now":"9999-12-31T23:59:59Z"`)
	}
}

var lineOfText = regexp.MustCompile(`^(At|Size:|Selector:|Metric|Choice:|Stabilization:|Policies:|Limits:|Minimum:|Cooldown:|Next:|Error:|  (Usage|Correction|Proposal|Policy \d+):) .*\.\n$`)

// holdText checks what is true of the text and the JSON of every decision.
func holdText(t require.TestingT, d *calculator.Decision) {
	text := d.String()
	require.Equal(t, text, d.String())
	more, err := d.AppendText([]byte("before\n"))
	require.NoError(t, err)
	require.Equal(t, "before\n"+text, string(more))
	require.True(t, strings.HasSuffix(text, "\n"), text)
	for line := range strings.Lines(text) {
		require.Regexp(t, lineOfText, line)
		// A recorded error has a verb that went wrong in another program.
		require.NotContains(t, strings.ReplaceAll(line, "%!d(string=x)", ""), "%!")
	}
	require.Equal(t, text, joined(d.Stages()))
	first, err := json.Marshal(d)
	require.NoError(t, err)
	second, err := json.Marshal(*d)
	require.NoError(t, err)
	require.Equal(t, string(first), string(second))
}

// Decisions that nobody decided, in parts or whole, have a text, too.
func TestTextOfMadeUpDecisions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var d calculator.Decision
		if rapid.Bool().Draw(rt, "decided") {
			d = *scripted(t)
		}
		integer := rapid.OneOf(rapid.Int32Range(-2, 3), rapid.Int32())
		size := func(name string) int32 { return integer.Draw(rt, name) }
		at := func(name string) time.Time {
			return rapid.SampledFrom([]time.Time{{}, noon, noon.Add(1), noon.Add(-time.Hour), time.Unix(math.MaxInt64, 0), time.Unix(-1<<50, 0)}).Draw(rt, name)
		}
		float := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1, math.NaN(), math.Inf(1), math.Inf(-1)}))
		milli := rapid.OneOf(rapid.Int64Range(-2000, 2000), rapid.Int64())
		d.Now, d.CurrentReplicas, d.DesiredReplicas = at("now"), size("current"), size("desired")
		d.Rescale = rapid.Bool().Draw(rt, "rescale")
		d.Reason = calculator.RescaleReason(rapid.SampledFrom([]string{"", "AboveTarget", "BelowTarget", "AboveMaxReplicas", "BelowMinReplicas", "other\n"}).Draw(rt, "reason"))
		d.Outcome = calculator.Outcome(rapid.SampledFrom([]string{"", "Pending", "Written", "NotWritten", "other\n"}).Draw(rt, "outcome"))
		d.Zone = calculator.Zone(rapid.SampledFrom([]string{"", "Normal", "Disabled", "FromZero", "AboveMax", "BelowMin", "other"}).Draw(rt, "zone"))
		d.MinReplicas, d.MaxReplicas = size("min"), size("max")
		d.Tolerance = metrics.Tolerance{Down: float.Draw(rt, "tolerance down"), Up: float.Draw(rt, "tolerance up")}
		d.Choice = calculator.ChooseResult{
			Replicas:    size("chosen"),
			Metric:      int(size("metric")),
			Invalid:     int(size("invalid")),
			FirstFailed: int(size("first")),
			Blocked:     rapid.Bool().Draw(rt, "blocked"),
		}
		d.Proposals = rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) calculator.Proposal {
			return calculator.Proposal{
				Replicas: integer.Draw(rt, "replicas"),
				Rule:     calculator.Rule(rapid.SampledFrom([]string{"", "WithinTolerance", "CorrectedWithinTolerance", "DirectionWouldChange", "CountWouldChangeDirection", "RatioTimesPods", "CorrectedRatioTimesPods", "RatioFromZero", "UsagePerTarget", "other"}).Draw(rt, "rule")),
				Failure:  calculator.Failure{Kind: rapid.SampledFrom([]calculator.FailureKind{"", "", calculator.MetricUnavailable, calculator.NoRequest, calculator.NoTarget, "other"}).Draw(rt, "failure")},
				Metric: autoscaling.Metric{
					Source: rapid.SampledFrom([]autoscaling.MetricSourceType{
						"", autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType,
						autoscaling.PodsMetricSourceType, autoscaling.ObjectMetricSourceType, autoscaling.ExternalMetricSourceType, "Other\n",
					}).Draw(rt, "source"),
					Name: "na\nme",
					Target: rapid.SampledFrom([]metrics.Target{
						{}, metrics.Utilization(60), metrics.Utilization(150), metrics.AverageValue(10), metrics.Value(-1),
					}).Draw(rt, "target"),
				},
				Current:        integer.Draw(rt, "current"),
				Sum:            metrics.Milli(milli.Draw(rt, "sum")),
				Requests:       metrics.Milli(milli.Draw(rt, "requests")),
				Ratio:          float.Draw(rt, "ratio"),
				CorrectedRatio: float.Draw(rt, "corrected"),
				Pods: calculator.PodCounts{
					Ready:   rapid.IntRange(-1, 2).Draw(rt, "ready"),
					Unready: rapid.IntRange(-1, 2).Draw(rt, "unready"),
					Missing: rapid.IntRange(-1, 2).Draw(rt, "missing"),
					Ignored: rapid.IntRange(-1, 2).Draw(rt, "ignored"),
					Strays:  rapid.IntRange(-1, 2).Draw(rt, "strays"),
				},
				MissingAs: calculator.Assumption(rapid.SampledFrom([]string{"", "AsZero", "AsTarget", "AsRequest", "other"}).Draw(rt, "missing as")),
				UnreadyAs: calculator.Assumption(rapid.SampledFrom([]string{"", "AsZero", "AsTarget", "AsRequest", "other"}).Draw(rt, "unready as")),
				Counted:   int(integer.Draw(rt, "counted")),
				Until:     at("until"),
			}
		}), 0, 4).Draw(rt, "metrics")
		d.Stabilization = stabilize.Result{
			Desired:  size("stabilization desired"),
			Replicas: size("stabilized"),
			Reason:   stabilize.Reason(rapid.SampledFrom([]string{"", "ReadyForNewScale", "ScaleUpStabilized", "ScaleDownStabilized", "Other"}).Draw(rt, "stabilization reason")),
			Bound:    stabilize.Entry{Time: at("bound"), Value: size("bound value")},
			Until:    at("stabilization until"),
		}
		d.Started, d.ColdStart = rapid.Bool().Draw(rt, "started"), rapid.Bool().Draw(rt, "cold start")
		d.Windows.Up = time.Duration(rapid.Int64().Draw(rt, "up"))
		d.Windows.Down = time.Duration(rapid.Int64().Draw(rt, "down"))
		d.Limits = behavior.LimitResult{
			Desired:  size("limits desired"),
			Replicas: size("limited"),
			Reason:   behavior.LimitReason(rapid.SampledFrom([]string{"", "DesiredWithinRange", "TooFewReplicas", "TooManyReplicas", "ScaleUpLimit", "ScaleDownLimit", "Other"}).Draw(rt, "limit reason")),
			Rate: behavior.RateLimit{
				Replicas: size("rate"),
				Select:   behavior.SelectPolicy(rapid.SampledFrom([]string{"", "Max", "Min", "Disabled", "Other\n"}).Draw(rt, "select")),
				Disabled: rapid.Bool().Draw(rt, "disabled"),
				Selected: int(size("selected")),
			},
			Until: at("limits until"),
		}
		d.Policies = rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) behavior.PolicyLimit {
			return behavior.PolicyLimit{
				Policy: behavior.Policy{
					Type:          behavior.PolicyType(rapid.SampledFrom([]string{"", "Pods", "Percent", "Other"}).Draw(rt, "type")),
					Value:         integer.Draw(rt, "value"),
					PeriodSeconds: integer.Draw(rt, "period"),
				},
				Added:   rapid.Int64Range(-1, 1).Draw(rt, "added"),
				Removed: rapid.Int64Range(-1, 1).Draw(rt, "removed"),
				Until:   at("policy until"),
			}
		}), 0, 3).Draw(rt, "policies")
		d.RaisedToMin = rapid.Bool().Draw(rt, "raised")
		d.Cooldown = behavior.CooldownResult{
			Desired:  size("cooldown desired"),
			Replicas: size("cooled"),
			Backoff:  behavior.Backoff(rapid.SampledFrom([]string{"", "BackoffUpscale", "BackoffDownscale", "BackoffBoth", "Other"}).Draw(rt, "backoff")),
			Until:    at("cooldown until"),
		}
		d.Until = at("until")
		holdText(rt, &d)
	})
}
