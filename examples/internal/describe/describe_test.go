package describe

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
)

// TestKubectl compares with what kubectl 1.37.1 prints of the same objects. An
// input in testdata is a JSON object: the autoscaler, and, for a text with
// events, these and the time of the text.
//
// The texts were made by a program that requires k8s.io/kubectl v0.37.1, with
// TZ=UTC. It decodes the input into an autoscalingv2.HorizontalPodAutoscaler
// and a corev1.EventList, which is nil for a text without events. It gives each
// event the source component horizontal-pod-autoscaler, adds the time that has
// passed since the time of the text to those of the events, and writes what
// this returns:
//
//	describe.DefaultObjectDescriber.DescribeObject(autoscaler, events, new(describe.HorizontalPodAutoscalerDescriber))
func TestKubectl(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.Len(t, files, 24)
	for _, file := range files {
		name := strings.TrimSuffix(file, ".json")
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := os.ReadFile(name + ".txt")
			require.NoError(t, err)
			require.Equal(t, string(want), describeFile(t, file))
		})
	}
}

// describeFile returns the text of an input in testdata.
func describeFile(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var in struct {
		Autoscaler json.RawMessage
		Now        time.Time
		Events     []struct {
			Type, Reason, Message         string
			FirstTimestamp, LastTimestamp time.Time
			Count                         int
		}
	}
	require.NoError(t, json.Unmarshal(data, &in))
	a, err := kubejson.DecodeAutoscaler(in.Autoscaler)
	require.NoError(t, err)
	if in.Events == nil {
		return Autoscaler(&a)
	}
	var events []Event
	for _, e := range in.Events {
		events = append(events, Event{calculator.Event{Type: e.Type, Reason: e.Reason, Message: e.Message}, e.FirstTimestamp, e.LastTimestamp, e.Count})
	}
	return WithEvents(&a, in.Now, events)
}

// The time of creation is in the zone that it has.
func TestTimeZone(t *testing.T) {
	zone := time.FixedZone("", 5*60*60+30*60)
	a := kubejson.HorizontalPodAutoscaler{CreationTime: time.Date(2026, 11, 20, 22, 30, 0, 0, time.UTC).In(zone)}
	require.Contains(t, Autoscaler(&a), "CreationTimestamp:  Sat, 21 Nov 2026 04:00:00 +0530\n")
}

// A metric without the field that its type names, of which kubectl crashes, has
// an empty one.
func TestMetricWithoutSource(t *testing.T) {
	for source, want := range map[autoscaling.MetricSourceType]string{
		autoscaling.ExternalMetricSourceType:          `"" (target value): <unknown> / <nil>`,
		autoscaling.PodsMetricSourceType:              `"" on pods: <unknown> / <nil>`,
		autoscaling.ObjectMetricSourceType:            `"" on / (target value): <unknown> / <nil>`,
		autoscaling.ResourceMetricSourceType:          `resource on pods (as a percentage of request): <unknown> / <auto>`,
		autoscaling.ContainerResourceMetricSourceType: `resource of container "" on pods (as a percentage of request): <unknown> / <auto>`,
	} {
		a := kubejson.HorizontalPodAutoscaler{Spec: autoscaling.HorizontalPodAutoscalerSpec{Metrics: []autoscaling.MetricSpec{{Type: source}}}}
		require.Contains(t, strings.Join(strings.Fields(Autoscaler(&a)), " "), " "+want+" Min replicas:", source)
	}
}
