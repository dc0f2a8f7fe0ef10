package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
	"github.com/purehpa/hpa/examples/internal/describe"
)

// TestDescribe compares package describe, given what kubectl prints as JSON,
// with `kubectl describe`: of autoscalers that the controller has not seen, and
// of the same ones after syncs.
func TestDescribe(t *testing.T) {
	const ns = "describe"
	testbed.Namespace(t, ns)
	create(t, ns, clustertest.Scaling("web"))
	create(t, ns, allTypes("api"))
	create(t, ns, clustertest.Limited("slow", 1800))
	names := []string{"web", "api", "slow"}
	for _, name := range names {
		require.Contains(t, describedAlike(t, ns, name), "<unknown>")
	}

	testbed.World.Set(clustertest.Load{CPU: 500, QPS: 100_000, Queue: 5_000}, ns)
	testbed.AwaitMetricsAPIs(t)
	settle(t, ns)
	turn(t, ns, names...)
	settle(t, ns)
	turn(t, ns, names...)
	for _, name := range names {
		awaitDescribed(t, ns, name, "SuccessfulRescale")
		text := describedAlike(t, ns, name)
		require.Contains(t, text, "New size: ")
		require.Contains(t, text, "ScalingLimited")
	}
	require.Contains(t, describedAlike(t, ns, "api"), "FailedGetObjectMetric")

	testbed.World.Set(clustertest.Load{Fails: "custom.metrics.k8s.io"}, ns)
	turn(t, ns, "slow")
	turn(t, ns, "slow")
	awaitDescribed(t, ns, "slow", " (x2 over ")
	describedAlike(t, ns, "slow")

	testbed.World.Set(clustertest.Load{}, ns)
	settle(t, ns)
	turn(t, ns, "web")
	require.Contains(t, describedAlike(t, ns, "web"), "the HPA controller scaled the workload to zero")
}

// awaitDescribed waits for a text of an event. The controller writes events in
// the background.
func awaitDescribed(t *testing.T, namespace, name, want string) {
	t.Helper()
	testbed.Await(t, func() error {
		if text := kubectl(t, testbed.Admin, "describe", "hpa", name, "-n", namespace); !strings.Contains(text, want) {
			return errors.New(text)
		}
		return nil
	})
}

// allTypes is a spec with a metric of each type. The Object metric fails.
func allTypes(name string) autoscalingv2.HorizontalPodAutoscalerSpec {
	s := clustertest.Limited(name, 1)
	average := func(q string) autoscalingv2.MetricTarget {
		amount := resource.MustParse(q)
		return autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: &amount}
	}
	value := resource.MustParse("1.5k")
	front := autoscalingv2.CrossVersionObjectReference{APIVersion: "v1", Kind: "Service", Name: "front"}
	half := int32(50)
	s.Metrics = append(s.Metrics,
		autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
			Name: "cpu", Target: average("0.05"),
		}},
		autoscalingv2.MetricSpec{Type: autoscalingv2.ContainerResourceMetricSourceType, ContainerResource: &autoscalingv2.ContainerResourceMetricSource{
			Name: "cpu", Container: "app", Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &half},
		}},
		autoscalingv2.MetricSpec{Type: autoscalingv2.ObjectMetricSourceType, Object: &autoscalingv2.ObjectMetricSource{
			DescribedObject: front, Metric: autoscalingv2.MetricIdentifier{Name: "hits"}, Target: average("64Mi"),
		}},
		autoscalingv2.MetricSpec{Type: autoscalingv2.ExternalMetricSourceType, External: &autoscalingv2.ExternalMetricSource{
			Metric: autoscalingv2.MetricIdentifier{Name: "queue"}, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: &value},
		}},
	)
	return s
}

// describedAlike compares the texts of an autoscaler with and without events,
// and returns kubectl's own.
func describedAlike(t *testing.T, namespace, name string) string {
	t.Helper()
	get := func(args ...string) string { return kubectl(t, testbed.Admin, append(args, "-n", namespace)...) }
	read := func() (object, events string) {
		return get("get", "hpa", name, "-o", "json"),
			get("get", "events", "-o", "json", "--field-selector=involvedObject.kind=HorizontalPodAutoscaler,involvedObject.name="+name)
	}
	object, list := read()
	for {
		plain, start := get("describe", "hpa", name, "--show-events=false"), time.Now()
		full, end := get("describe", "hpa", name), time.Now()
		if o, l := read(); o != object || l != list { // an event came late
			object, list = o, l
			continue
		}
		a, err := kubejson.DecodeAutoscaler([]byte(object))
		require.NoError(t, err)
		a.CreationTime = a.CreationTime.Local()
		require.Equal(t, plain, describe.Autoscaler(&a))

		// kubectl looked at the clock in one of these seconds.
		var texts []string
		for now := start.Truncate(time.Second); !now.After(end); now = now.Add(time.Second) {
			texts = append(texts, describe.WithEvents(&a, now, eventsOf(t, list)))
		}
		require.Contains(t, texts, full)
		return full
	}
}

// eventsOf returns the events of a list.
func eventsOf(t *testing.T, list string) (events []describe.Event) {
	t.Helper()
	var l corev1.EventList
	require.NoError(t, json.Unmarshal([]byte(list), &l))
	for _, e := range l.Items {
		events = append(events, describe.Event{
			Event: calculator.Event{Type: e.Type, Reason: e.Reason, Message: e.Message},
			First: e.FirstTimestamp.Time, Last: e.LastTimestamp.Time, Count: int(e.Count),
		})
	}
	return events
}
