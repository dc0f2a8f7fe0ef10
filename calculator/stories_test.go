package calculator_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var update = flag.Bool("update", false, "rewrite the texts of the stories")

// TestStories replays testdata/stories and compares the text of each decision.
//
// A story is a list of syncs of one autoscaler. Each has its input, a line
// "----", the text of the decision, and an empty line. The input says what is
// new since the sync before; a decision to rescale is carried out. A line with
// # in front is a comment. The lines of the input:
//
//	min 2                                  of the spec
//	max 20
//	metric cpu 60%                         a Resource, with a utilization
//	metric memory average 512Mi            or an average
//	metric pods/queue average 30           a Pods metric
//	metric external/jobs value 100         an External metric
//	metric object/Ingress/main/rps value 1k
//	metric proposal/forecast               proposed by the caller
//	fallback 5 currentReplicasIfHigher     of the last metric
//	scaleUp window=0 select=Max Pods=4/60 Percent=100/60
//	scaleDown select=Disabled
//	tolerance 0.05                         of the settings
//	cooldown up=3m down=5m
//	choose Min
//	corrections statusSize,strays
//	at 12:00:00                            the clock; the sync is made then
//	size 10                                spec and status of the scale
//	size 10 of which 12                    the status differs
//	pods 8                                 as many pods, ready since an hour
//	pods 2 pending                         more of them; the first line of a sync
//	                                       begins a new list
//	calibration 0.5                        the share that they are
//	read cpu 300m                          what each pod uses, or the value
//	read cpu error no answer
//	read proposal/forecast 7 rush hour     the size proposed, and a text
//	read proposal/forecast 1.2 of 10       a ratio and the pods that it is of
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/stories/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			got := tell(t, string(want))
			if *update {
				require.NoError(t, os.WriteFile(file, got, 0o644))
				return
			}
			require.Equal(t, string(want), string(got))
		})
	}
}

// tell returns the story with the texts that the decisions give now.
func tell(t *testing.T, story string) []byte {
	t.Helper()
	var out bytes.Buffer
	s := newStory()
	inText := false
	for i, line := range strings.Split(strings.TrimSuffix(story, "\n"), "\n") {
		switch {
		case inText && line != "":
			continue
		case inText:
			inText = false
		case line == "----":
			fmt.Fprintln(&out, line)
			s.decide(t, &out)
			inText = true
			continue
		case line != "" && line[0] != '#':
			require.NoError(t, s.read(line), "line %d: %s", i+1, line)
		}
		fmt.Fprintln(&out, line)
	}
	return out.Bytes()
}

// story is an autoscaler and what it sees.
type story struct {
	settings calculator.Settings
	spec     autoscaling.HorizontalPodAutoscalerSpec
	obs      calculator.Observation
	states   []string // of the pods
	readings map[string]string
	names    []string // of the metrics
	now      time.Time
	newPods  bool
	state    calculator.State
}

func newStory() *story {
	return &story{
		settings: calculator.DefaultSettings(),
		spec: autoscaling.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"},
		},
		obs:      calculator.Observation{Namespace: "shop"},
		readings: map[string]string{},
		newPods:  true,
	}
}

func (s *story) read(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "min":
		n, err := strconv.ParseInt(rest, 10, 32)
		s.spec.MinReplicas = new(int32)
		*s.spec.MinReplicas = int32(n)
		return err
	case "max":
		n, err := strconv.ParseInt(rest, 10, 32)
		s.spec.MaxReplicas = int32(n)
		return err
	case "metric":
		return s.metric(rest)
	case "scaleUp", "scaleDown":
		if s.spec.Behavior == nil {
			s.spec.Behavior = new(behavior.Behavior)
		}
		r, err := rules(rest)
		if word == "scaleUp" {
			s.spec.Behavior.ScaleUp = &r
		} else {
			s.spec.Behavior.ScaleDown = &r
		}
		return err
	case "tolerance":
		f, err := strconv.ParseFloat(rest, 64)
		s.settings.Tolerance = f
		return err
	case "cooldown":
		for _, f := range strings.Fields(rest) {
			key, value, _ := strings.Cut(f, "=")
			d, err := time.ParseDuration(value)
			if err != nil {
				return err
			}
			if key == "up" {
				s.settings.Cooldown.Up = d
			} else {
				s.settings.Cooldown.Down = d
			}
		}
		return nil
	case "choose":
		s.settings.ChooseBy = calculator.ChooseBy(rest)
		return nil
	case "corrections":
		set, err := correction.Parse(rest)
		s.settings.Corrections = set
		return err
	case "calibration":
		f, err := strconv.ParseFloat(rest, 64)
		s.obs.Calibration = f
		return err
	case "fallback":
		return s.fallback(rest)
	case "at":
		clock, err := time.Parse(time.TimeOnly, rest)
		s.now = time.Date(2026, 5, 4, clock.Hour(), clock.Minute(), clock.Second(), clock.Nanosecond(), time.UTC)
		return err
	case "size":
		spec, status, differs := strings.Cut(rest, " of which ")
		n, err := strconv.ParseInt(spec, 10, 32)
		if err != nil {
			return err
		}
		s.obs.SpecReplicas, s.obs.StatusReplicas = int32(n), int32(n)
		if differs {
			n, err = strconv.ParseInt(status, 10, 32)
			s.obs.StatusReplicas = int32(n)
		}
		return err
	case "pods":
		number, state, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(number)
		if s.newPods {
			s.states, s.newPods = nil, false
		}
		for range n {
			s.states = append(s.states, state)
		}
		return err
	case "read":
		name, value, _ := strings.Cut(rest, " ")
		s.readings[name] = value
		return nil
	}
	return errors.New("no such word")
}

func (s *story) fallback(line string) error {
	replicas, how, _ := strings.Cut(line, " ")
	n, err := strconv.ParseInt(replicas, 10, 32)
	f := &autoscaling.ExternalMetricFallback{Replicas: int32(n), Behavior: autoscaling.FallbackBehavior(how)}
	if m := &s.spec.Metrics[len(s.spec.Metrics)-1]; m.Proposal != nil {
		m.Proposal.Fallback = f
	} else {
		m.External.Fallback = f
	}
	return err
}

func (s *story) metric(line string) error {
	f := strings.Fields(line)
	var target autoscaling.MetricTarget
	switch {
	case len(f) == 1:
		s.names = append(s.names, f[0])
		s.spec.Metrics = append(s.spec.Metrics, autoscaling.ProposalMetric(strings.TrimPrefix(f[0], "proposal/")))
		return nil
	case len(f) == 2:
		n, err := strconv.ParseInt(strings.TrimSuffix(f[1], "%"), 10, 32)
		if err != nil {
			return err
		}
		percent := int32(n)
		target = autoscaling.MetricTarget{Type: autoscaling.UtilizationMetricType, AverageUtilization: &percent}
	default:
		q, err := metrics.ParseQuantity(f[2])
		if err != nil {
			return err
		}
		target = autoscaling.MetricTarget{Type: autoscaling.AverageValueMetricType, AverageValue: q}
		if f[1] == "value" {
			target = autoscaling.MetricTarget{Type: autoscaling.ValueMetricType, Value: q}
		}
	}
	s.names = append(s.names, f[0])
	path := strings.Split(f[0], "/")
	id := autoscaling.MetricIdentifier{Name: path[len(path)-1]}
	m := autoscaling.MetricSpec{}
	switch path[0] {
	case "pods":
		m.Type, m.Pods = autoscaling.PodsMetricSourceType, &autoscaling.PodsMetricSource{Metric: id, Target: target}
	case "external":
		m.Type, m.External = autoscaling.ExternalMetricSourceType, &autoscaling.ExternalMetricSource{Metric: id, Target: target}
	case "object":
		m.Type, m.Object = autoscaling.ObjectMetricSourceType, &autoscaling.ObjectMetricSource{
			DescribedObject: autoscaling.CrossVersionObjectReference{Kind: path[1], Name: path[2]},
			Metric:          id,
			Target:          target,
		}
	default:
		m.Type, m.Resource = autoscaling.ResourceMetricSourceType, &autoscaling.ResourceMetricSource{Name: f[0], Target: target}
	}
	s.spec.Metrics = append(s.spec.Metrics, m)
	return nil
}

func rules(line string) (behavior.ScalingRules, error) {
	var r behavior.ScalingRules
	for _, f := range strings.Fields(line) {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "window":
			n, err := strconv.ParseInt(value, 10, 32)
			if err != nil {
				return r, err
			}
			r.StabilizationWindowSeconds = new(int32)
			*r.StabilizationWindowSeconds = int32(n)
		case "select":
			r.SelectPolicy = behavior.SelectPolicy(value)
		default:
			p := behavior.Policy{Type: behavior.PolicyType(key)}
			if _, err := fmt.Sscanf(value, "%d/%d", &p.Value, &p.PeriodSeconds); err != nil {
				return r, err
			}
			r.Policies = append(r.Policies, p)
		}
	}
	return r, nil
}

// decide makes the sync, and carries out what it decides.
func (s *story) decide(t *testing.T, out *bytes.Buffer) {
	t.Helper()
	s.spec.SetDefaults()
	if !strings.Contains(strings.Join(s.names, ","), "proposal/") {
		require.NoError(t, s.spec.Validate().Err())
	}
	s.obs.Pods = s.pods(t)
	s.obs.Readings = s.obs.Readings[:0]
	for _, name := range s.names {
		s.obs.Readings = append(s.obs.Readings, s.reading(t, name))
	}
	d := calculator.Decide(s.now, &s.settings, &s.spec, &s.obs, &s.state)
	if d.Rescale {
		s.state.Applied(s.now, &d)
		s.obs.SpecReplicas, s.obs.StatusReplicas = d.DesiredReplicas, d.DesiredReplicas
	}
	s.newPods = true
	out.WriteString(d.String())
}

// pods returns the pods in their states, each with a request of 1 cpu and 1Gi.
func (s *story) pods(t *testing.T) []podgroup.Pod {
	t.Helper()
	pods := readyPods(len(s.states))
	for i, state := range s.states {
		p := &pods[i]
		hour := metrics.At(s.now.Add(-time.Hour))
		p.StartTime, p.ReadyTransition = hour, hour
		word, more, _ := strings.Cut(state, " ")
		switch word {
		case "", "missing":
		case "pending":
			p.Phase = podgroup.PhasePending
		case "deleted":
			p.Deleted = true
		case "succeeded":
			p.Phase = podgroup.PhaseSucceeded
		case "foreign":
			p.Foreign = true
		case "started": // some time ago, and not ready since
			age, err := time.ParseDuration(more)
			require.NoError(t, err)
			p.StartTime = metrics.At(s.now.Add(-age))
			p.ReadyTransition, p.Ready = p.StartTime.Add(time.Minute), podgroup.ReadyFalse
		default:
			t.Fatalf("no state %q", state)
		}
	}
	return pods
}

// reading returns what the metrics API says of the metric.
func (s *story) reading(t *testing.T, name string) calculator.Reading {
	t.Helper()
	value := s.readings[name]
	if text, ok := strings.CutPrefix(value, "error "); ok {
		return calculator.Reading{Err: errors.New(text)}
	}
	if strings.HasPrefix(name, "proposal/") {
		return calculator.Reading{Proposed: toldProposal(t, value)}
	}
	m, err := metrics.ParseMilli(value)
	require.NoError(t, err, "reading of %s", name)
	if strings.HasPrefix(name, "external/") || strings.HasPrefix(name, "object/") {
		return calculator.Reading{Values: []metrics.Milli{m}}
	}
	var r calculator.Reading
	for _, state := range s.states {
		sample := metrics.Sample{Value: m, Time: metrics.At(s.now.Add(-15 * time.Second)), Window: 30 * time.Second, Present: true}
		if state == "missing" || state == "pending" || state == "succeeded" {
			sample = metrics.Sample{}
		}
		r.Samples = append(r.Samples, sample)
	}
	return r
}

// toldProposal is a size and a text, or a ratio and the pods that it is of.
func toldProposal(t *testing.T, value string) *calculator.Proposed {
	t.Helper()
	var p calculator.Proposed
	if n, err := fmt.Sscanf(value, "%g of %d", &p.Ratio, &p.Counted); n == 2 {
		require.NoError(t, err)
		return &p
	}
	size, text, _ := strings.Cut(value, " ")
	n, err := strconv.ParseInt(size, 10, 32)
	require.NoError(t, err)
	return &calculator.Proposed{Replicas: int32(n), Text: text}
}
