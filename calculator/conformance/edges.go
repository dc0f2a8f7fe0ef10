package conformance

import (
	"fmt"
	"math"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Edge counts the usage ratios at one edge of the tolerance.
type Edge struct {
	// Exact counts the ratios that are 1 minus or plus the tolerance in
	// floating point, and ExactDistance those whose distance from 1 is the
	// tolerance.
	Exact, ExactDistance int64
	// Apart counts those on which the two formulas disagree.
	Apart int64
}

// Edges has both decide on ratios at the edges of random tolerances and beside
// them, until there were n. It returns the counts at the lower and the upper
// edge, and an error at the first size that differs.
func Edges(t *testing.T, seed uint64, n int) (lower, upper Edge, err error) {
	bubble(t, func() {
		d := Random(seed, 0)
		for range n {
			tolerance := pick(d, 0.1, 0.05, 0.2, 0.01, 0.25, 0.5, 1.0/3, 0.3, 0.15, float64(1+d.Roll(999))/1000)
			target := int64(1+d.Roll(1000)) * pick[int64](d, 1, 10, 1000, 7)
			edge, of := &lower, 1-tolerance
			if one(d, 2) {
				edge, of = &upper, 1+tolerance
			}
			usage := int64(math.Round(float64(target)*of)) + int64(between(d, -1, 1))
			edge.see(float64(usage)/float64(target), tolerance, of)
			if err = decideAt(tolerance, target, usage); err != nil {
				return
			}
		}
	})
	return
}

// see counts a ratio near the edge.
func (e *Edge) see(ratio, tolerance, edge float64) {
	distance := math.Abs(1.0 - ratio)
	if ratio == edge {
		e.Exact++
	}
	if distance == tolerance {
		e.ExactDistance++
	}
	if (1.0-tolerance <= ratio && ratio <= 1.0+tolerance) != (distance <= tolerance) {
		e.Apart++
	}
}

// decideAt compares the sizes for 7 pods with an Object metric, in milli-units.
func decideAt(tolerance float64, target, usage int64) error {
	const size = 7
	time.Sleep(15 * time.Second)
	flags := Flags{Tolerance: tolerance, Gates: gates}
	one := int32(1)
	spec := autoscalingv2.HorizontalPodAutoscalerSpec{
		ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"},
		MinReplicas:    &one,
		MaxReplicas:    100,
		Metrics: []autoscalingv2.MetricSpec{{Type: autoscalingv2.ObjectMetricSourceType, Object: &autoscalingv2.ObjectMetricSource{
			DescribedObject: autoscalingv2.CrossVersionObjectReference{Kind: "Service", Name: "main"},
			Metric:          autoscalingv2.MetricIdentifier{Name: "queue"},
			Target:          autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: resource.NewMilliQuantity(target, resource.DecimalSI)},
		}}},
	}
	hpa := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: Name, Namespace: Namespace}, Spec: spec}
	lib := NewLibrary(flags)
	if err := lib.SetSpec(&spec, 0, tolerances{}); err != nil {
		return err
	}
	s := &Step{Now: time.Now(), SpecReplicas: size, StatusReplicas: size, Selector: selector, Readings: []Reading{{Time: time.Now(), Values: []int64{usage}}}}
	for i := range size {
		s.Pods = append(s.Pods, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: podNames[i], Namespace: Namespace},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}}})
	}
	a := NewUpstream(flags).Sync(hpa, s)
	if d := lib.Sync(s); d.DesiredReplicas != a.Size {
		return fmt.Errorf("%dm of %dm with a tolerance of %v: upstream %d, library %d", usage, target, tolerance, a.Size, d.DesiredReplicas)
	}
	return nil
}
