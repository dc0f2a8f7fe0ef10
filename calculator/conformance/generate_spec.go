package conformance

import (
	"math"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Mood is what kind of history it is.
type Mood int

const (
	// Plain histories stay where Kubernetes' arithmetic is sound.
	Plain Mood = iota
	// Huge ones have amounts and sizes near the ends of int64 and int32.
	Huge
	// Negative ones have readings below zero.
	Negative
	// Broken ones have an invalid spec.
	Broken
)

func drawFlags(d Dice) Flags {
	return Flags{
		Gates:     gates,
		Tolerance: pick(d, 0.1, 0, 0.05, 0.2, 0.01, 1.0/3, 1),
		DownscaleStabilization: pick(d, 5*time.Minute, 0, time.Minute, 15*time.Second, 30*time.Second,
			90*time.Second+500*time.Millisecond, time.Hour),
		CPUInitializationPeriod: pick(d, 5*time.Minute, 0, 30*time.Second, 2*time.Minute),
		InitialReadinessDelay:   pick(d, 30*time.Second, 0, 10*time.Second, time.Minute),
	}
}

// quantities parses the texts.
func quantities(texts ...string) []resource.Quantity {
	var list []resource.Quantity
	for _, t := range texts {
		list = append(list, resource.MustParse(t))
	}
	return list
}

var (
	averages  = quantities("1", "250m", "100m", "5", "1m", "2", "30", "10", "0.1", "1k", "1.5", "64Mi", "128M", "100Mi", "0.0001", "1Ki", "333m", "7", "1e3", "12345678n")
	wholes    = quantities("10", "1", "100", "5", "30", "500m", "1k", "2", "7", "1m", "1.5k", "20", "1Mi", "99", "333m", "250")
	giants    = quantities("1m", "1", "100Ei", "9E", "8Ei", "9223372036854775807", "9223372036854775m", "1n", "1P", "50m")
	fractions = quantities("0.1", "0", "0.05", "50m", "0.2", "1", "0.333", "1e-3", "10", "0.01", "100m", "0.123456789")
	requested = quantities("100m", "1", "500m", "250m", "3", "10m", "1m", "333m", "2", "1500m")
	bytesOf   = quantities("128Mi", "64Mi", "500M", "1Gi", "100", "1Ki", "1G", "333k", "123456789", "2Gi")
	zero      = resource.MustParse("0")
	// vast are targets of which a few are as large as int64 gets.
	vast = quantities("500T", "1P", "2P", "4P")
)

var selectorsOfMetrics = []*metav1.LabelSelector{
	{MatchLabels: map[string]string{"queue": "orders"}},
	{},
	{MatchLabels: map[string]string{"b": "2", "a": "1", "c": ""}},
	{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: "a", Operator: "In", Values: []string{"x", "y"}}, {Key: "b", Operator: "Exists"},
		{Key: "c", Operator: "NotIn", Values: []string{""}}, {Key: "d", Operator: "DoesNotExist"},
	}},
	{MatchLabels: map[string]string{"a b": "1"}},
	{MatchLabels: map[string]string{"a": "not ok, and longer than the 63 bytes that the value of a label may have"}},
	{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "In"}}},
	{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Gt", Values: []string{"1"}}}},
	{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "-", Operator: "Exists", Values: []string{"é"}}}},
}

// tolerances are those of a spec's scaling rules; nil where they have none.
type tolerances struct{ up, down *resource.Quantity }

// drawSpec draws a spec as a user would write it, and the tolerances of its
// rules.
func (w *World) drawSpec() (*autoscalingv2.HorizontalPodAutoscalerSpec, tolerances) {
	d := w.dice
	var t tolerances
	s := &autoscalingv2.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"},
		MaxReplicas:    int32(between(d, 1, 20)),
	}
	if one(d, 20) {
		s.ScaleTargetRef = autoscalingv2.CrossVersionObjectReference{Kind: "ReplicationController", Name: "rc", APIVersion: "v1"}
	}
	if w.mood == Huge && one(d, 2) {
		s.MaxReplicas = pick[int32](d, math.MaxInt32, 1<<30, 1<<30+1, 1<<31-2, 1e6)
	}
	n := 1
	if one(d, 2) {
		n = between(d, 1, 3)
	}
	for range n {
		s.Metrics = append(s.Metrics, w.drawMetric())
	}
	if one(d, 50) {
		s.Metrics = nil
	}
	switch {
	case readsElsewhere(s.Metrics) && one(d, 2):
		s.MinReplicas = ptr[int32](0)
	case !one(d, 4):
		s.MinReplicas = ptr(int32(between(d, 1, min(int(s.MaxReplicas), 8))))
	}
	if one(d, 2) {
		s.Behavior, t = w.drawBehavior()
	}
	return s, t
}

func (w *World) drawMetric() autoscalingv2.MetricSpec {
	d := w.dice
	m := autoscalingv2.MetricSpec{}
	switch d.Roll(8) {
	case 0, 1, 2:
		m.Type = autoscalingv2.ResourceMetricSourceType
		m.Resource = &autoscalingv2.ResourceMetricSource{Name: w.drawResource()}
		m.Resource.Target = w.drawPodTarget(m.Resource.Name)
	case 3:
		m.Type = autoscalingv2.ContainerResourceMetricSourceType
		m.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{
			Name:      w.drawResource(),
			Container: pick(d, "app", "app", "sidecar", "log", "init", "none"),
		}
		m.ContainerResource.Target = w.drawPodTarget(m.ContainerResource.Name)
	case 4:
		m.Type = autoscalingv2.PodsMetricSourceType
		m.Pods = &autoscalingv2.PodsMetricSource{
			Metric: w.drawIdentifier(),
			Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: w.drawAmount(averages)},
		}
		if one(d, 20) {
			m.Pods.Target.Type = pick(d, autoscalingv2.ValueMetricType, autoscalingv2.UtilizationMetricType)
		}
	case 5, 6:
		m.Type = autoscalingv2.ExternalMetricSourceType
		m.External = &autoscalingv2.ExternalMetricSource{Metric: w.drawIdentifier(), Target: w.drawWholeTarget()}
		if one(d, 20) {
			m.External.Target.Type = pick(d, autoscalingv2.ValueMetricType, autoscalingv2.UtilizationMetricType, autoscalingv2.AverageValueMetricType)
		}
		if w.wide && w.mood == Plain && one(d, 12) {
			m.External.Target = autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: ptr(vast[d.Roll(len(vast))])}
		}
	case 7:
		m.Type = autoscalingv2.ObjectMetricSourceType
		m.Object = &autoscalingv2.ObjectMetricSource{
			DescribedObject: autoscalingv2.CrossVersionObjectReference{Kind: pick(d, "Ingress", "Service"), Name: "main", APIVersion: pick(d, "networking.k8s.io/v1", "", "v1")},
			Metric:          w.drawIdentifier(),
			Target:          w.drawWholeTarget(),
		}
		if t := &m.Object.Target; one(d, 20) {
			if t.Value == nil && one(d, 2) {
				t.Value = w.drawAmount(wholes)
			} else {
				t.Type = pick(d, autoscalingv2.ValueMetricType, autoscalingv2.UtilizationMetricType, autoscalingv2.AverageValueMetricType)
			}
		}
	}
	if w.wide && w.mood != Broken && one(d, 60) {
		w.spoil(&m)
	}
	return m
}

// spoil makes a metric one that fails before it is asked for.
func (w *World) spoil(m *autoscalingv2.MetricSpec) {
	none := autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType}
	switch {
	case one(w.dice, 3):
		m.Type = pick[autoscalingv2.MetricSourceType](w.dice, "Weather", "", "\"")
	case m.Resource != nil:
		m.Resource.Target = none
	case m.ContainerResource != nil:
		m.ContainerResource.Target = none
	case m.External != nil:
		m.External.Target = none
	case m.Object != nil:
		m.Object.Target = none
	}
}

func (w *World) drawResource() corev1.ResourceName {
	if one(w.dice, 12) {
		return pick[corev1.ResourceName](w.dice, "ephemeral-storage", "hugepages-2Mi", "example.com/gpu")
	}
	return pick(w.dice, corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceCPU)
}

func (w *World) drawPodTarget(name corev1.ResourceName) autoscalingv2.MetricTarget {
	d := w.dice
	t := autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType}
	if one(d, 3) {
		of := averages
		if name == corev1.ResourceMemory {
			of = bytesOf
		}
		t.Type, t.AverageValue = autoscalingv2.AverageValueMetricType, w.drawAmount(of)
	} else {
		t.AverageUtilization = ptr(pick[int32](d, 50, 80, 100, 70, 1, 5, 60, 150, 33, 120, 200, 1000))
		if w.mood == Huge && one(d, 5) {
			t.AverageUtilization = ptr(pick[int32](d, math.MaxInt32, 1<<30))
		}
	}
	if one(d, 20) {
		t.Type = pick(d, autoscalingv2.ValueMetricType, autoscalingv2.UtilizationMetricType, autoscalingv2.AverageValueMetricType)
	}
	return t
}

func (w *World) drawWholeTarget() autoscalingv2.MetricTarget {
	if one(w.dice, 2) {
		return autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: w.drawAmount(averages)}
	}
	return autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: w.drawAmount(wholes)}
}

func (w *World) drawAmount(of []resource.Quantity) *resource.Quantity {
	if w.mood == Huge && one(w.dice, 3) {
		of = giants
	}
	return ptr(of[w.dice.Roll(len(of))])
}

func (w *World) drawIdentifier() autoscalingv2.MetricIdentifier {
	id := autoscalingv2.MetricIdentifier{Name: pick(w.dice, "queue", "http-requests", "a:b_c%", "x y")}
	if one(w.dice, 4) {
		n := 4
		if one(w.dice, 8) {
			n = len(selectorsOfMetrics)
		}
		id.Selector = selectorsOfMetrics[w.dice.Roll(n)].DeepCopy()
		if w.wide && n > 4 && one(w.dice, 4) {
			id.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{
				pick(w.dice, "a", strings.Repeat("a", 64), "a/b/c"): pick(w.dice, strings.Repeat("b", 64), "b"),
			}}
		}
	}
	if id.Name == "a:b_c%" { // the name is invalid with %
		id.Name = "a:b_c"
	}
	return id
}

func (w *World) drawBehavior() (*autoscalingv2.HorizontalPodAutoscalerBehavior, tolerances) {
	b := &autoscalingv2.HorizontalPodAutoscalerBehavior{}
	var t tolerances
	if !one(w.dice, 4) {
		b.ScaleUp, t.up = w.drawRules()
	}
	if !one(w.dice, 4) {
		b.ScaleDown, t.down = w.drawRules()
	}
	t.attach(b)
	return b, t
}

func (w *World) drawRules() (*autoscalingv2.HPAScalingRules, *resource.Quantity) {
	d := w.dice
	var tolerance *resource.Quantity
	r := &autoscalingv2.HPAScalingRules{}
	if one(d, 2) {
		r.StabilizationWindowSeconds = ptr(pick[int32](d, 0, 30, 60, 15, 45, 300, 1, 120, 3600))
	}
	if one(d, 2) {
		r.SelectPolicy = ptr(pick(d, autoscalingv2.MaxChangePolicySelect, autoscalingv2.MinChangePolicySelect, autoscalingv2.MinChangePolicySelect, autoscalingv2.DisabledPolicySelect))
	}
	if one(d, 4) {
		tolerance = ptr(fractions[d.Roll(len(fractions))])
	}
	if !one(d, 3) {
		for range between(d, 1, 3) {
			p := autoscalingv2.HPAScalingPolicy{PeriodSeconds: pick[int32](d, 15, 30, 60, 1, 45, 90, 300, 1800)}
			if one(d, 2) {
				p.Type, p.Value = autoscalingv2.PercentScalingPolicy, pick[int32](d, 10, 100, 50, 12, 33, 80, 1, 5, 200, 7, 99)
			} else {
				p.Type, p.Value = autoscalingv2.PodsScalingPolicy, pick[int32](d, 1, 2, 3, 4, 10, 5)
			}
			if w.mood == Huge && one(d, 2) {
				p.Value = pick[int32](d, math.MaxInt32, 1<<30, 1<<31-2)
			}
			r.Policies = append(r.Policies, p)
		}
	}
	return r, tolerance
}

// breakSpec makes a defaulted spec invalid, so that Kubernetes has no sound
// answer.
func (w *World) breakSpec(s *autoscalingv2.HorizontalPodAutoscalerSpec) {
	d := w.dice
	if s.Behavior != nil && one(d, 2) {
		r, tolerance := s.Behavior.ScaleUp, &w.tolerances.up
		if one(d, 2) {
			r, tolerance = s.Behavior.ScaleDown, &w.tolerances.down
		}
		switch d.Roll(8) {
		case 0:
			r.Policies = []autoscalingv2.HPAScalingPolicy{}
		case 1:
			r.SelectPolicy = ptr[autoscalingv2.ScalingPolicySelect]("Bogus")
		case 2:
			r.Policies[0].Type = "Bogus"
		case 3:
			r.Policies[0].Value = int32(-d.Roll(3))
		case 4:
			r.Policies[0].PeriodSeconds = int32(-d.Roll(3))
		case 5:
			r.StabilizationWindowSeconds = ptr[int32](-1)
		case 6:
			*tolerance = resource.NewMilliQuantity(-1, resource.DecimalSI)
			w.tolerances.attach(s.Behavior)
		case 7:
			s.Behavior.ScaleUp = nil
		}
		return
	}
	bad := resource.NewMilliQuantity(int64(-d.Roll(3)), resource.DecimalSI)
	m := &s.Metrics[0]
	target := func(t *autoscalingv2.MetricTarget) {
		switch {
		case one(d, 4) && m.Pods != nil:
			*t = autoscalingv2.MetricTarget{Type: t.Type}
		case t.AverageUtilization != nil:
			t.AverageUtilization = ptr(int32(-d.Roll(3)))
		case t.AverageValue != nil:
			t.AverageValue = bad
		default:
			t.Value = bad
		}
	}
	switch d.Roll(7) {
	case 0, 1, 2:
		switch {
		case m.Resource != nil:
			target(&m.Resource.Target)
		case m.ContainerResource != nil:
			target(&m.ContainerResource.Target)
		case m.Pods != nil:
			target(&m.Pods.Target)
		case m.External != nil:
			target(&m.External.Target)
		case m.Object != nil:
			m.Object.Target = autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: bad}
		}
	case 3:
		*m = autoscalingv2.MetricSpec{Type: m.Type}
	case 4:
		s.Metrics = nil
	case 5:
		s.MaxReplicas = int32(-d.Roll(3))
	case 6:
		s.MinReplicas = ptr(pick(d, s.MaxReplicas+1, -1, math.MinInt32))
	}
}
