package stage_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// rows returns all rows of the specification.
func rows() []row {
	return slices.Concat(results, sizes, metricRows, choices, stabilizations, limits, ends)
}

func TestText(t *testing.T) {
	for _, r := range rows() {
		require.Equal(t, r.text, r.stage.Text())
		text, err := r.stage.AppendText([]byte("before\n"))
		require.NoError(t, err)
		require.Equal(t, "before\n"+r.text, string(text))
	}
}

func TestTextOfAProposal(t *testing.T) {
	for _, c := range proposals {
		s := of("Metric 1", 8, stage.Stage{Metric: cpu(stage.Metric{Usage: new(stage.Usage), Proposal: &c.proposal})})
		require.True(t, strings.HasSuffix(s.Text(), "\n  Proposal: 8 replicas, "+c.text+"\n"), s.Text())
	}
}

func TestTextOfAnAssumption(t *testing.T) {
	for _, c := range assumptions {
		m := cpu(stage.Metric{Usage: new(stage.Usage), Corrected: &c.corrected})
		m.Target.AverageUtilization = &c.target
		require.Contains(t, of("Metric 1", 8, stage.Stage{Metric: m}).Text(), "\n  Correction: "+c.text+" The corrected ratio to the target is 0.0000, ")
	}
}

func TestTextOfARatio(t *testing.T) {
	for _, c := range ratios {
		m := cpu(stage.Metric{Usage: &stage.Usage{Ratio: stage.Float(c.ratio)}})
		m.Tolerance = c.tolerance
		require.Contains(t, of("Metric 1", 8, stage.Stage{Metric: m}).Text(), " The ratio to the target is "+c.text+"\n")
	}
}

// Spans have no zeros at their ends, and moments no fractions that do not
// matter.
func TestTextOfTimes(t *testing.T) {
	for until, text := range map[time.Duration]string{
		15 * time.Second:  "2026-05-04T12:00:15Z, in 15s,",
		time.Minute + 1:   "just after 2026-05-04T12:01:00Z, in 1m,",
		1:                 "just after now,",
		-time.Second:      "now,",
		90 * time.Minute:  "2026-05-04T13:30:00Z, in 1h30m,",
		700 * 1000:        "2026-05-04T12:00:00.0007Z, in 700µs,",
		1500*1000000 + 30: "2026-05-04T12:00:01.50000003Z, in 1.5s,",
	} {
		s := of("Next", 8, stage.Stage{Next: new(stage.Next), Until: noon.Add(until)})
		require.Contains(t, s.Text(), " until "+text)
	}
}

// For a table that has the name beside the text, the lines stand alone.
func TestSentences(t *testing.T) {
	require.Equal(t, "the size stays at 8 replicas, because no size could be computed.", results[3].stage.Sentences())
	require.Equal(t, "8 replicas, above the maximum of 6. It goes straight there: no metric, window or policy counts.", sizes[4].stage.Sentences())
	require.Equal(t, "External queue {q=a}, target averageValue 10: it failed: gone.\n"+
		"Proposal: 12 replicas, the fallback, because the metric has failed since 2026-05-04T11:00:00Z.", metricRows[4].stage.Sentences())
	for _, r := range rows() {
		require.NotContains(t, r.stage.Sentences(), "\n ")
		require.False(t, strings.HasSuffix(r.stage.Sentences(), "\n"))
		require.Contains(t, strings.ReplaceAll(r.text, "\n  ", "\n"), r.stage.Sentences()+"\n")
	}
}

var key = regexp.MustCompile(`^[a-z][A-Za-z]*$`)

// Whatever the sentences say is in the JSON: a stage that is decoded from it
// says the same, without the texts.
func TestJSON(t *testing.T) {
	for _, r := range rows() {
		data, err := json.Marshal(r.stage)
		require.NoError(t, err)
		var fields map[string]any
		require.NoError(t, json.Unmarshal(data, &fields))
		require.Equal(t, r.text, fields["text"])
		require.Equal(t, r.stage.Sentences(), fields["sentences"])
		holdKeys(t, fields)

		delete(fields, "text")
		delete(fields, "sentences")
		data, err = json.Marshal(fields)
		require.NoError(t, err)
		var decoded stage.Stage
		require.NoError(t, json.Unmarshal(data, &decoded))
		require.Equal(t, r.text, decoded.Text())
	}
}

// holdKeys checks that keys are in lowerCamel, those of labels and reasons
// excepted.
func holdKeys(t *testing.T, v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, v := range v {
			require.Regexp(t, key, k)
			if k != "matchLabels" && k != "reasons" {
				holdKeys(t, v)
			}
		}
	case []any:
		for _, v := range v {
			holdKeys(t, v)
		}
	}
}

func TestJSONOfNumbers(t *testing.T) {
	for text, v := range map[string]float64{
		"0": 0, "1.5": 1.5, `"NaN"`: math.NaN(), `"Infinity"`: math.Inf(1), `"-Infinity"`: math.Inf(-1),
	} {
		data, err := json.Marshal(stage.Float(v))
		require.NoError(t, err)
		require.Equal(t, text, string(data))
		var f stage.Float
		require.NoError(t, json.Unmarshal(data, &f))
		require.Equal(t, fmt.Sprint(v), fmt.Sprint(float64(f)))
	}
	require.Error(t, json.Unmarshal([]byte(`"much"`), new(stage.Float)))

	for text, v := range map[string]time.Duration{"0": 0, "300": 5 * time.Minute, "0.25": 250 * time.Millisecond, "9223372036.854776": math.MaxInt64, "-9223372036.854776": math.MinInt64} {
		data, err := json.Marshal(stage.Seconds(v))
		require.NoError(t, err)
		require.Equal(t, text, string(data))
		var s stage.Seconds
		require.NoError(t, json.Unmarshal(data, &s))
		require.Equal(t, v, time.Duration(s))
	}
	require.Error(t, json.Unmarshal([]byte(`"5m"`), new(stage.Seconds)))
}

// A year that RFC 3339 does not have is the nearest that it has.
func TestJSONOfTimes(t *testing.T) {
	for at, text := range map[time.Time]string{
		time.Unix(1<<40, 0):                   `"9999-12-31T23:59:59Z"`,
		time.Unix(-1<<50, 0):                  `"0000-01-01T00:00:00Z"`,
		noon:                                  `"2026-05-04T12:00:00Z"`,
		noon.In(time.FixedZone("east", 3600)): `"2026-05-04T12:00:00Z"`,
	} {
		for key, s := range map[string]stage.Stage{
			"now":           {Now: at},
			"until":         {Until: at},
			"since":         {Metric: &stage.Metric{Failure: &stage.Failure{Since: at}}},
			"made":          {Stabilization: &stage.Stabilization{Made: at}},
			"knownSince":    {Stabilization: &stage.Stabilization{KnownSince: at}},
			"eventsUnknown": {Policies: &stage.Policies{EventsUnknown: at}},
		} {
			data, err := json.Marshal(s)
			require.NoError(t, err)
			require.Contains(t, string(data), `"`+key+`":`+text)
		}
		data, err := json.Marshal(stage.Policies{List: []stage.Policy{pods(1, behavior.PolicyLimit{Until: at})}})
		require.NoError(t, err)
		require.Contains(t, string(data), `"until":`+text)
	}
}

func TestJSONOfReasons(t *testing.T) {
	pods := stage.Pods{Ready: 1, Unready: 2, Reasons: stage.Reasons{podgroup.PhaseIsPending: 2}}
	data, err := json.Marshal(pods)
	require.NoError(t, err)
	require.Equal(t, `{"ready":1,"unready":2,"missing":0,"ignored":0,"strays":0,"reasons":{"PhasePending":2}}`, string(data))
	var decoded stage.Pods
	require.NoError(t, json.Unmarshal(data, &decoded))
	require.Equal(t, pods, decoded)
	data, err = json.Marshal(stage.Pods{Ready: 1})
	require.NoError(t, err)
	require.NotContains(t, string(data), "reasons")

	require.EqualError(t, json.Unmarshal([]byte(`{"Tired":1}`), new(stage.Reasons)), `podgroup.Reason: unknown word "Tired"`)
	require.EqualError(t, json.Unmarshal([]byte(`{"Reason(77)":1}`), new(stage.Reasons)), `podgroup.Reason: unknown word "Reason(77)"`)
}

// The metric of a spec has its target as the spec has it.
func TestNewMetric(t *testing.T) {
	tolerance := metrics.Tolerance{Down: 0.1, Up: 0.2, Rounded: true}
	for _, c := range []struct {
		spec autoscaling.MetricSpec
		want autoscaling.MetricTarget
	}{
		{autoscaling.ResourceUtilizationMetric("cpu", 60), autoscaling.MetricTarget{Type: "Utilization", AverageUtilization: num(60)}},
		{autoscaling.ResourceAverageValueMetric("memory", q("1Gi")), autoscaling.MetricTarget{Type: "AverageValue", AverageValue: metrics.MilliQuantity(1<<30*1000, metrics.BinarySI)}},
		{autoscaling.ExternalValueMetric("jobs", q("3k")), autoscaling.MetricTarget{Type: "Value", Value: metrics.MilliQuantity(3_000_000, metrics.DecimalSI)}},
		{autoscaling.ProposalMetric("plan"), autoscaling.MetricTarget{}},
	} {
		m := c.spec.Resolve()
		got := stage.NewMetric(&m, tolerance)
		require.Equal(t, c.want, got.Target)
		require.Equal(t, m.Source, got.Type)
		require.Equal(t, m.Name, got.Name)
		require.Equal(t, stage.Tolerance{Down: 0.1, Up: 0.2, Rounded: true}, got.Tolerance)
	}
	m := autoscaling.Metric{Selector: &autoscaling.LabelSelector{MatchLabels: map[string]string{"a": "b"}}}
	got := stage.NewMetric(&m, tolerance)
	m.Selector.MatchLabels["a"] = "c"
	require.Equal(t, "a=b", got.Selector.Short(), "its own")
}

func TestNames(t *testing.T) {
	require.Equal(t, "Metric 3", stage.MetricName(3))
	for _, r := range rows() {
		if name, _, _ := strings.Cut(r.stage.Name, " "); name != "Another" {
			require.Contains(t, []string{
				stage.NameResult, stage.NameSize, stage.NameSelector, stage.NameMetric, stage.NameChoice, stage.NameStabilization, stage.NamePolicies,
				stage.NameLimits, stage.NameMinimum, stage.NameCooldown, stage.NameFallback, stage.NameNext, stage.NameError,
			}, name)
		}
	}
}
