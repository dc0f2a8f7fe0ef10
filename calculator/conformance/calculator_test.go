package conformance

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	podmetrics "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// answer is what a function of ReplicaCalculator returns.
type answer struct {
	replicas    int32
	utilization int32
	usage       int64
	err         string
}

func (a answer) String() string {
	return fmt.Sprintf("%d replicas, utilization %d, usage %d, error %q", a.replicas, a.utilization, a.usage, a.err)
}

// TestReplicaCalculator compares each exported function of upstream's
// ReplicaCalculator with the library's. Readings are in the range where
// upstream's arithmetic is sound.
func TestReplicaCalculator(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { checkReplicaCalculator(t, rt, rapidDice{rt}) })
}

// FuzzReplicaCalculator is the same for a fuzzer.
func FuzzReplicaCalculator(f *testing.F) {
	f.Add([]byte("some pods and readings of theirs"))
	f.Fuzz(func(t *testing.T, b []byte) {
		dice := Bytes(b)
		checkReplicaCalculator(t, t, &dice)
	})
}

type failer interface{ Fatalf(string, ...any) }

func checkReplicaCalculator(t *testing.T, f failer, dice Dice) {
	var up, lib [7]answer
	var input string
	bubble(t, func() { up, lib, input = calculate(dice) })
	for i := range up {
		if up[i] != lib[i] {
			f.Fatalf("%s\nupstream: %v\nlibrary:  %v\n%s", functions[i], up[i], lib[i], input)
		}
	}
}

var functions = [...]string{
	"GetResourceReplicas", "GetRawResourceReplicas", "GetMetricReplicas", "GetObjectMetricReplicas",
	"GetObjectPerPodMetricReplicas", "GetExternalMetricReplicas", "GetExternalPerPodMetricReplicas",
}

func calculate(dice Dice) (up, lib [7]answer, input string) {
	w := &World{dice: dice, flags: drawFlags(dice), hpa: &autoscalingv2.HorizontalPodAutoscaler{}}
	w.hpa.Spec.MinReplicas = ptr[int32](1)
	w.shape = dice.Roll(32)
	now := time.Now()
	s := &Step{Now: now, Selector: selector, SpecReplicas: int32(dice.Roll(12)), StatusReplicas: int32(1 + dice.Roll(12))}
	w.drawPods(s)
	target := pick[int32](dice, 50, 100, 80, 1, 150)
	amount := averages[dice.Roll(len(averages))]
	milli := amount.MilliValue()
	resource := pick(dice, corev1.ResourceCPU, corev1.ResourceMemory)
	container := pick(dice, "", "app", "sidecar", "log", "none")
	tolerance := metrics.Tolerance{Down: pick(dice, 0.1, 0, 0.5, 1.0/3), Up: pick(dice, 0.1, 0, 1, 1.0/3)}
	whole := autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: &amount}
	specs := []autoscalingv2.MetricSpec{
		{Type: autoscalingv2.ContainerResourceMetricSourceType, ContainerResource: &autoscalingv2.ContainerResourceMetricSource{
			Name: resource, Container: container, Target: autoscalingv2.MetricTarget{AverageUtilization: &target}}},
		{Type: autoscalingv2.ContainerResourceMetricSourceType, ContainerResource: &autoscalingv2.ContainerResourceMetricSource{
			Name: resource, Container: container, Target: autoscalingv2.MetricTarget{AverageValue: &amount}}},
		{Type: autoscalingv2.PodsMetricSourceType, Pods: &autoscalingv2.PodsMetricSource{Target: autoscalingv2.MetricTarget{AverageValue: &amount}}},
		{Type: autoscalingv2.ObjectMetricSourceType, Object: &autoscalingv2.ObjectMetricSource{Target: whole}},
		{Type: autoscalingv2.ObjectMetricSourceType, Object: &autoscalingv2.ObjectMetricSource{Target: whole}},
		{Type: autoscalingv2.ExternalMetricSourceType, External: &autoscalingv2.ExternalMetricSource{Target: whole}},
		{Type: autoscalingv2.ExternalMetricSourceType, External: &autoscalingv2.ExternalMetricSource{Target: whole}},
	}
	s.Readings = make([]Reading, len(specs))
	for i := range specs {
		w.drawReading(s, &s.Readings[i], &specs[i])
		s.Readings[i].Err = nil
		if len(s.Readings[i].Values) == 0 && i >= 3 {
			s.Readings[i].Values = []int64{0}
		}
	}

	u := NewUpstream(w.flags)
	u.step, u.queue = s, []int{0, 1, 2, 3, 4, 5, 6}
	tol, sel := upstreamTolerances(tolerance), labels.Everything()
	object := &autoscalingv2.CrossVersionObjectReference{Kind: "Ingress", Name: "main"}
	var err error
	set := func(a *answer, err error) { a.err = errorText(err) }
	a := &up[0]
	a.replicas, a.utilization, a.usage, _, err = u.calculator.GetResourceReplicas(u.ctx, s.SpecReplicas, target, resource, tol, Namespace, sel, container)
	set(a, err)
	a = &up[1]
	a.replicas, a.usage, _, err = u.calculator.GetRawResourceReplicas(u.ctx, s.SpecReplicas, milli, resource, tol, Namespace, sel, container)
	set(a, err)
	a = &up[2]
	a.replicas, a.usage, _, err = u.calculator.GetMetricReplicas(s.SpecReplicas, milli, "queue", tol, Namespace, sel, sel)
	set(a, err)
	a = &up[3]
	a.replicas, a.usage, _, err = u.calculator.GetObjectMetricReplicas(s.SpecReplicas, milli, "queue", tol, Namespace, object, sel, sel)
	set(a, err)
	a = &up[4]
	a.replicas, a.usage, _, err = u.calculator.GetObjectPerPodMetricReplicas(s.StatusReplicas, milli, "queue", tol, Namespace, object, sel)
	set(a, err)
	a = &up[5]
	a.replicas, a.usage, _, err = u.calculator.GetExternalMetricReplicas(s.SpecReplicas, milli, "queue", tol, Namespace, &metav1.LabelSelector{}, sel)
	set(a, err)
	a = &up[6]
	a.replicas, a.usage, _, err = u.calculator.GetExternalPerPodMetricReplicas(s.StatusReplicas, milli, "queue", tol, Namespace, &metav1.LabelSelector{})
	set(a, err)

	l := NewLibrary(w.flags)
	l.observe(s)
	for i := range lib {
		r := &l.obs.Readings[i]
		pm := calculator.PodMetric{
			Resource: string(resource), Container: container, CurrentReplicas: s.SpecReplicas, Pods: l.obs.Pods,
			Samples: r.Samples, Strays: r.Strays, Tolerance: tolerance, ReadinessSettings: l.settings.ReadinessSettings,
		}
		vm := calculator.ValueMetric{Values: r.Values, CurrentReplicas: s.SpecReplicas, StatusReplicas: s.StatusReplicas, Pods: l.obs.Pods, Tolerance: tolerance}
		var p calculator.Proposal
		switch i {
		case 0:
			p, err = calculator.ProposeResourceUtilization(now, &pm, target)
		case 1:
			p, err = calculator.ProposeResourceAverageValue(now, &pm, metrics.Milli(milli))
		case 2:
			p, err = calculator.ProposePodsAverageValue(now, &pm, metrics.Milli(milli))
		case 3:
			p, err = calculator.ProposeObjectValue(&vm, metrics.Milli(milli))
		case 4:
			p, err = calculator.ProposeObjectAverageValue(&vm, metrics.Milli(milli))
		case 5:
			p, err = calculator.ProposeExternalValue(&vm, metrics.Milli(milli))
		case 6:
			p, err = calculator.ProposeExternalAverageValue(&vm, metrics.Milli(milli))
		}
		lib[i] = answer{p.Replicas, p.Utilization, int64(p.Usage), errorText(err)}
		if err != nil {
			// Upstream returns partial results, which nobody looks at.
			lib[i] = answer{err: lib[i].err}
			up[i] = answer{err: up[i].err}
		}
		if lib[i].err == zeroRequestsText {
			lib[i].err = "no metrics returned matched known pods"
		}
		if i == 3 || i == 5 {
			// In the library, only the controller's text says this.
			up[i].err = strings.TrimPrefix(up[i].err, "unable to calculate ready pods: ")
		}
	}
	return up, lib, marshal(struct {
		Step      *Step
		Flags     Flags
		Target    int32
		Milli     int64
		Resource  corev1.ResourceName
		Container string
		Tolerance metrics.Tolerance
	}{s, w.flags, target, milli, resource, container, tolerance})
}

// TestUtilizationHelpers compares GetResourceUtilizationRatio and
// GetMetricUsageRatio with the sums and ratios of package metrics.
func TestUtilizationHelpers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		// A hundred times the sum of 20 fits int64.
		value := rapid.Int64Range(-math.MaxInt64/2000, math.MaxInt64/2000)
		small := rapid.Int64Range(-2000, 2000)
		values := rapid.SliceOfN(rapid.OneOf(small, value), 1, 20).Draw(rt, "values")
		requests := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 2000), rapid.Int64Range(0, math.MaxInt64/2000)), len(values), len(values)).Draw(rt, "requests")
		target := rapid.Int32Range(1, 1000).Draw(rt, "target")
		info, byPod := podmetrics.PodMetricsInfo{}, map[string]int64{}
		var usage, all, whole metrics.Sum
		n := 0
		for i, v := range values {
			info[podNames[i]] = podmetrics.PodMetric{Value: v}
			all.Add(metrics.Milli(v))
			if i%5 == 4 {
				continue // a sample of a pod that is not listed
			}
			byPod[podNames[i]] = requests[i]
			usage.Add(metrics.Milli(v))
			whole.Add(metrics.Milli(requests[i]))
			n++
		}
		ratio, utilization, raw, err := podmetrics.GetResourceUtilizationRatio(info, byPod, target)
		if (err != nil) != (whole.Sign() == 0) {
			rt.Fatalf("error %v, requests %v", err, whole)
		}
		exact := usage.Percent(whole)
		if err == nil && exact != math.MaxInt32 && exact != math.MinInt32 {
			if utilization != exact || raw != int64(usage.Average(n)) || ratio != metrics.UtilizationRatio(exact, target) {
				rt.Fatalf("upstream %v, %d%%, %d; library %v, %d%%, %d", ratio, utilization, raw, metrics.UtilizationRatio(exact, target), exact, usage.Average(n))
			}
		}
		aim := rapid.Int64Range(1, math.MaxInt64).Draw(rt, "aim")
		ratio, average := podmetrics.GetMetricUsageRatio(info, aim)
		if mine := all.Average(len(values)); average != int64(mine) || ratio != metrics.UsageRatio(mine, metrics.Milli(aim)) {
			rt.Fatalf("upstream %v, %d; library %v, %d", ratio, average, metrics.UsageRatio(mine, metrics.Milli(aim)), mine)
		}
	})
}
