package kube_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apitypes "k8s.io/apimachinery/pkg/types"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// TestSyncsAgainstThePlainWay: over any history, Pods converts as AppendPods
// does, and Readers that are kept read as a map does.
func TestSyncsAgainstThePlainWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world{T: t, most: rapid.SampledFrom([]int{3, 12, 60}).Draw(t, "most"), namespace: "shop"}
		var pods kube.Pods
		var readers kube.Readers
		for range rapid.IntRange(1, 12).Draw(t, "syncs") {
			for range w.draw("changes", 5) {
				w.change()
			}
			requireAs(t, &pods, w.listed)
			converted, err := pods.Convert(w.listed)
			if err != nil {
				continue
			}
			list := w.metrics()
			container := rapid.SampledFrom([]string{"", "", "app", "log"}).Draw(t, "container")
			values := customMetrics(list)
			usage := autoscaling.ResourceUtilizationMetric("cpu", 60)
			if container != "" {
				usage = autoscaling.ContainerResourceUtilizationMetric("cpu", container, 60)
			}
			spec := autoscaling.NewSpec(1, 10, usage, autoscaling.PodsAverageValueMetric("rps", metrics.MustParseQuantity("10")))
			readings, err := readers.Read(&spec, converted, []kube.Answer{
				{Resource: &resourcemetrics.PodMetricsList{Items: list}}, {Pods: &custommetrics.MetricValueList{Items: values}},
			})
			require.NoError(t, err)
			requireReading(t, plainResource(converted, list, container), readings[0])
			requireReading(t, plainPods(converted, values), readings[1])
		}
	})
}

// requireReading compares two readings. Strays have no order.
func requireReading(t require.TestingT, want, got calculator.Reading) {
	unordered := cmpopts.SortSlices(func(a, b metrics.Sample) bool { return a.Value < b.Value })
	require.Empty(t, cmp.Diff(want.Strays, got.Strays, unordered, cmpopts.EquateEmpty()))
	want.Strays, got.Strays = nil, nil
	require.Empty(t, cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateErrors()))
}

// plainResource reads a resource with a map.
func plainResource(pods []podgroup.Pod, list []resourcemetrics.PodMetrics, container string) calculator.Reading {
	byName, without := map[string]metrics.Sample{}, ""
	for _, m := range list {
		var sum metrics.Milli
		named, lacking := 0, false
		for _, c := range m.Containers {
			if container == "" || c.Name == container {
				q, ok := c.Usage[corev1.ResourceCPU]
				sum += kube.Milli(q)
				named++
				lacking = lacking || !ok
			}
		}
		switch {
		case named > 0 && !lacking:
			byName[m.Name] = metrics.NewSample(sum, m.Timestamp.Time, m.Window.Duration)
		case named == 0 && container != "" && without == "":
			without = m.Name
		}
	}
	return plainReading(pods, byName, len(list) > 0, without)
}

// plainPods reads a metric of pods with a map.
func plainPods(pods []podgroup.Pod, list []custommetrics.MetricValue) calculator.Reading {
	byName := map[string]metrics.Sample{}
	for _, v := range list {
		byName[v.DescribedObject.Name] = metrics.NewSample(kube.Milli(v.Value), v.Timestamp.Time, time.Minute)
	}
	return plainReading(pods, byName, len(list) > 0, "")
}

func plainReading(pods []podgroup.Pod, byName map[string]metrics.Sample, any bool, without string) calculator.Reading {
	if !any {
		return calculator.Reading{Err: cmpopts.AnyError}
	}
	r := calculator.Reading{WithoutContainer: without}
	for i := range pods {
		r.Samples = append(r.Samples, byName[pods[i].Name])
	}
	for i := range pods {
		delete(byName, pods[i].Name)
	}
	for _, stray := range byName {
		r.Strays = append(r.Strays, stray)
	}
	return r
}

// world is a namespace whose pods come and go.
type world struct {
	*rapid.T
	most      int // pods
	namespace string
	listed    []*corev1.Pod
	reported  []string // the names that the metrics are of, in their order
	now       int      // the number of the change, to tell objects and samples apart
}

// draw returns a number below n.
func (w *world) draw(label string, n int) int { return rapid.IntRange(0, n-1).Draw(w.T, label) }

func (w *world) change() {
	w.now++
	w.listed = slices.DeleteFunc(w.listed, func(p *corev1.Pod) bool { return p == nil || p.Name == "" || p.ResourceVersion == "bad" })
	if len(w.listed) == 0 {
		w.fill()
		return
	}
	i, j := w.draw("at", len(w.listed)), w.draw("to", len(w.listed))
	p, other := w.listed[i], w.listed[j]
	switch rapid.SampledFrom([]string{"come", "come", "go", "go", "swap", "move", "replace", "update", "update", "copy", "shuffle", "sort", "twice", "copies", "rare"}).Draw(w.T, "change") {
	case "come":
		w.listed = slices.Insert(w.listed, i, w.pod(w.name()))
	case "go":
		w.listed = slices.Delete(w.listed, i, i+1)
	case "swap":
		w.listed[i], w.listed[j] = other, p
	case "move":
		w.listed = slices.Insert(slices.Delete(w.listed, i, i+1), min(j, len(w.listed)-1), p)
	case "replace":
		w.listed[i] = w.pod(p.Name)
	case "update":
		w.listed[i] = w.updated(p)
	case "copy":
		w.listed[i] = p.DeepCopy()
	case "copies":
		for i, p := range w.listed {
			w.listed[i] = p.DeepCopy()
		}
	case "shuffle":
		w.listed = rapid.Permutation(w.listed).Draw(w.T, "order")
	case "sort":
		slices.SortFunc(w.listed, func(a, b *corev1.Pod) int { return len(a.Name) - len(b.Name) })
	case "twice":
		w.listed = append(w.listed, rapid.SampledFrom([]*corev1.Pod{p, w.updated(p), w.pod(p.Name)}).Draw(w.T, "again"))
	case "rare":
		w.upset(i)
	}
}

// upset makes a change that hardly ever happens.
func (w *world) upset(i int) {
	switch w.draw("upset", 6) {
	case 0:
		w.listed = nil
	case 1:
		w.listed[i] = nil
	case 2:
		w.listed[i] = w.pod("")
	case 3:
		w.listed[i] = w.pod(rapid.SampledFrom([]string{w.listed[i].Name, w.name()}).Draw(w.T, "bad"))
		w.listed[i].ResourceVersion = "bad"
		w.listed[i].Spec.Containers[0].Resources.Requests = amounts("cpu", "-1")
	case 4:
		w.fill()
	case 5:
		w.namespace = rapid.SampledFrom([]string{"shop", "mall"}).Draw(w.T, "namespace")
		for i, p := range w.listed {
			if w.draw("stays", 9) > 0 {
				w.listed[i] = w.updated(p)
				w.listed[i].Namespace = w.namespace
			}
		}
	}
}

// fill lists other pods.
func (w *world) fill() {
	w.listed = nil
	for range w.draw("pods", w.most) {
		w.listed = append(w.listed, w.pod(w.name()))
	}
}

// name returns one of few names, so that pods take those of others.
func (w *world) name() string { return "web-" + strconv.Itoa(w.draw("name", 2*w.most)) }

func (w *world) pod(name string) *corev1.Pod {
	p := plainPod(name)
	if w.draw("full", 4) == 0 {
		p = fullPod()
		p.Name = name
	}
	p.Namespace = w.namespace
	if w.draw("uid", 9) > 0 {
		p.UID = apitypes.UID(name + strconv.Itoa(w.now))
	}
	return w.updated(p)
}

// updated returns another version of the pod, which differs in what is
// converted.
func (w *world) updated(p *corev1.Pod) *corev1.Pod {
	p = p.DeepCopy()
	p.ResourceVersion = ""
	if w.draw("version", 9) > 0 {
		p.ResourceVersion = strconv.Itoa(w.now)
	}
	w.now++
	p.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{corev1.PodRunning, corev1.PodRunning, corev1.PodPending, corev1.PodFailed, "New"}).Draw(w.T, "phase")
	p.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": *resource.NewMilliQuantity(int64(w.now), resource.DecimalSI)}
	return p
}

// metrics returns what the API reports. Its names mostly stay from sync to
// sync, whatever becomes of the pods.
func (w *world) metrics() []resourcemetrics.PodMetrics {
	switch w.draw("reported", 4) {
	case 0: // as they are
		w.reported = nil
		for _, p := range w.listed {
			w.reported = append(w.reported, p.Name)
		}
	case 1: // a few changes
		for range 1 + w.draw("renames", 3) {
			i := w.draw("at", len(w.reported)+1)
			w.reported = slices.Insert(w.reported, i, w.name())
			i = w.draw("at", len(w.reported))
			w.reported = slices.Delete(w.reported, i, i+1+w.draw("more", len(w.reported)-i))
		}
	case 2:
		w.reported = rapid.Permutation(w.reported).Draw(w.T, "order")
	}
	list := make([]resourcemetrics.PodMetrics, len(w.reported))
	for i, name := range w.reported {
		w.now++
		amount := corev1.ResourceList{"cpu": *resource.NewMilliQuantity(int64(w.now), resource.DecimalSI)}
		containers := []resourcemetrics.ContainerMetrics{{Name: "app", Usage: amount}, {Name: "log", Usage: amount}}
		switch w.draw("lacks", 20) {
		case 0:
			containers = containers[:1]
		case 1:
			containers = nil
		case 2:
			containers[1].Usage = nil
		}
		list[i] = resourcemetrics.PodMetrics{
			ObjectMeta: metav1.ObjectMeta{Name: name}, Timestamp: metav1.NewTime(noon.Add(time.Duration(w.now))), Window: metav1.Duration{Duration: time.Minute},
			Containers: containers,
		}
	}
	return list
}

// customMetrics returns a custom metric of the same pods.
func customMetrics(list []resourcemetrics.PodMetrics) []custommetrics.MetricValue {
	values := make([]custommetrics.MetricValue, len(list))
	for i := range list {
		values[i] = custommetrics.MetricValue{
			DescribedObject: corev1.ObjectReference{Name: list[i].Name}, Timestamp: list[i].Timestamp,
			Value: *resource.NewMilliQuantity(int64(i), resource.DecimalSI),
		}
	}
	return values
}
