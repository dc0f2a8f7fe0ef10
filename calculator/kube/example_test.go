package kube_test

import (
	"fmt"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kube"
)

// One sync with the objects that a controller has.
func Example() {
	hpa := autoscaler() // from an informer
	scale := &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 1},
		Status:     autoscalingv1.ScaleStatus{Replicas: 1, Selector: "app=web"},
	}
	listed := []*corev1.Pod{plainPod("web-a")} // from a lister
	answer := resourcemetrics.PodMetricsList{Items: []resourcemetrics.PodMetrics{{
		ObjectMeta: metav1.ObjectMeta{Name: "web-a"},
		Timestamp:  metav1.NewTime(noon),
		Window:     metav1.Duration{Duration: 15 * time.Second},
		Containers: []resourcemetrics.ContainerMetrics{
			{Name: "app", Usage: amounts("cpu", "600m")},
			{Name: "log", Usage: amounts("cpu", "9m")},
		},
	}}}

	var pods kube.Pods // kept from sync to sync, as are the readers
	var readers kube.Readers
	settings, state := calculator.DefaultSettings(), kube.State(&hpa.Status)

	spec, err := kube.Spec(hpa, &hpa.Spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	var obs calculator.Observation
	kube.ObserveScale(&obs, scale) // the selector to list pods and ask for metrics with
	if obs.Pods, err = pods.Convert(listed); err != nil {
		fmt.Println(err)
		return
	}
	obs.Group = pods.Group()
	if obs.Readings, err = readers.Read(&spec, obs.Pods, []kube.Answer{{Resource: &answer}}); err != nil {
		fmt.Println(err)
		return
	}

	d := calculator.Decide(noon, &settings, &spec, &obs, &state)
	if d.Rescale { // and the scale was written
		state.Applied(noon, &d)
	}
	if err := kube.UpdateStatus(&hpa.Status, hpa.Generation, &d, &state); err != nil {
		fmt.Println(err)
	}
	var recorded events // in a controller, a record.EventRecorder
	kube.RecordEvents(&recorded, hpa, &d)

	fmt.Println(hpa.Status.CurrentReplicas, "to", hpa.Status.DesiredReplicas)
	fmt.Println(*hpa.Status.CurrentMetrics[0].Resource.Current.AverageUtilization, "percent")
	for _, c := range hpa.Status.Conditions {
		fmt.Println(c.Type, c.Status, c.Reason)
	}
	fmt.Println(recorded[0])
	// Output:
	// 1 to 3
	// 119 percent
	// AbleToScale True SucceededRescale
	// ScalingActive True ValidMetricFound
	// ScalingLimited False DesiredWithinRange
	// ScaledToZero False NotScaledToZero
	// Normal SuccessfulRescale New size: 3; reason: cpu resource utilization (percentage of request) above target
}

// A pod that changed is another object. Only that one is converted again.
func ExamplePods() {
	var pods kube.Pods
	a, b := plainPod("web-a"), plainPod("web-b")
	for _, p := range []*corev1.Pod{a, b} {
		p.UID, p.ResourceVersion = "uid of "+apitypes.UID(p.Name), "1"
	}
	show := func(listed ...*corev1.Pod) {
		converted, err := pods.Convert(listed)
		if err != nil {
			fmt.Println(err)
			return
		}
		for i := range converted {
			fmt.Print(converted[i].Name, " ", converted[i].Phase, ", ")
		}
		fmt.Println("in a group of", len(pods.Group().Pods()))
	}
	show(a, b)
	changed := a.DeepCopy()
	changed.ResourceVersion, changed.Status.Phase = "2", corev1.PodFailed
	show(b, changed)
	show(b)
	// Output:
	// web-a Running, web-b Running, in a group of 2
	// web-b Running, web-a Failed, in a group of 2
	// web-b Running, in a group of 1
}
