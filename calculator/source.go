package calculator

import (
	"strings"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// source is what distinguishes one source of metrics from the others, except
// how it proposes. To add a source, add a row to sources, its calculation to
// sync.proposeFor, and a row and a field to source.go of package autoscaling.
type source struct {
	kind autoscaling.MetricSourceType
	// reason is the reason of the condition and the event of a failure.
	reason string

	// appendName appends what texts call the metric, as in "New size: 3;
	// reason: cpu resource utilization (percentage of request) above target".
	// Each sync has such a text, so it is a function, which is faster than a
	// wording.
	appendName func(dst []byte, m *autoscaling.Metric) []byte
	// failed precedes the text of each failure, unavailable also that of an
	// error of the metrics API.
	failed, unavailable wording
	// returned precedes these in the error of a sync, followed by calculated
	// where upstream's ReplicaCalculator failed.
	returned, calculated wording

	// noTarget is the text of the failure of a metric whose spec sets no
	// target.
	noTarget string
	// targetRequired reports that such a spec is an error, untargeted that the
	// source has no target.
	targetRequired, untargeted bool
	// targetFirst reports that the controller reads the target before the
	// selector, and the selector within ReplicaCalculator.
	targetFirst bool
	// ofObject reports that the metric describes one object, and has one value.
	ofObject bool
	// disabledBy is the quirk of releases that do not have the source.
	disabledBy release.Quirk

	// show puts the metric into a status.
	show func(*autoscaling.MetricStatus, reported)
}

// reported is a metric as a status reports it.
type reported struct {
	*autoscaling.Metric
	id      autoscaling.MetricIdentifier
	current autoscaling.MetricValueStatus
}

// wording is a text about a metric: particular if its target has that type, and
// usual if not. It is empty or has parts in braces, which append replaces.
type wording struct {
	target            metrics.TargetType
	particular, usual string
}

func (w *wording) append(dst []byte, m *autoscaling.Metric, namespace string) []byte {
	text := w.usual
	if w.target != metrics.NoTarget && w.target == m.Target.Type() {
		text = w.particular
	}
	for {
		before, rest, found := strings.Cut(text, "{")
		dst = append(dst, before...)
		if !found {
			return dst
		}
		part, after, _ := strings.Cut(rest, "}")
		text = after
		switch part {
		case "name":
			dst = append(dst, m.Name...)
		case "container":
			dst = append(dst, m.Container...)
		case "kind":
			dst = append(dst, m.DescribedObject.Kind...)
		case "object":
			dst = append(dst, m.DescribedObject.Name...)
		case "namespace":
			dst = append(dst, namespace...)
		case "selector":
			dst, _ = m.Selector.AppendText(dst)
		}
	}
}

const (
	noResourceTarget = "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set"
	noResource       = "unable to get metrics for resource {name}: "
)

// sources are the sources of metrics. The last row stands for unknown ones.
var sources = [...]source{
	{
		kind:        autoscaling.ResourceMetricSourceType,
		reason:      "FailedGetResourceMetric",
		appendName:  appendResource,
		failed:      wording{metrics.UtilizationTarget, "failed to get {name} utilization: ", "failed to get {name} usage: "},
		unavailable: wording{usual: noResource},
		returned:    wording{usual: "failed to get {name} resource metric value: "},
		noTarget:    noResourceTarget,
		show: func(s *autoscaling.MetricStatus, r reported) {
			s.Resource = &autoscaling.ResourceMetricStatus{Name: r.Name, Current: r.current}
		},
	},
	{
		kind:        autoscaling.ContainerResourceMetricSourceType,
		reason:      "FailedGetContainerResourceMetric",
		appendName:  appendContainerResource,
		failed:      wording{metrics.UtilizationTarget, "failed to get {name} utilization: ", "failed to get {name} usage: "},
		unavailable: wording{usual: noResource},
		returned:    wording{usual: "failed to get {container} container metric value: "},
		noTarget:    noResourceTarget,
		disabledBy:  release.NoContainerMetrics,
		show: func(s *autoscaling.MetricStatus, r reported) {
			s.ContainerResource = &autoscaling.ContainerResourceMetricStatus{Name: r.Name, Current: r.current, Container: r.Container}
		},
	},
	{
		kind:           autoscaling.PodsMetricSourceType,
		reason:         "FailedGetPodsMetric",
		appendName:     appendPods,
		unavailable:    wording{usual: "unable to get metric {name}: "},
		returned:       wording{usual: "failed to get pods metric value: "},
		targetRequired: true,
		show: func(s *autoscaling.MetricStatus, r reported) {
			s.Pods = &autoscaling.PodsMetricStatus{Metric: r.id, Current: r.current}
		},
	},
	{
		kind:        autoscaling.ObjectMetricSourceType,
		reason:      "FailedGetObjectMetric",
		appendName:  appendObject,
		unavailable: wording{usual: "unable to get metric {name} on {kind} {namespace}/{object}: "},
		returned:    wording{usual: "failed to get object metric value: "},
		calculated:  wording{metrics.AverageValueTarget, "failed to get {name} object metric: ", ""},
		noTarget:    "invalid object metric source: neither a value target nor an average value target was set",
		ofObject:    true,
		show: func(s *autoscaling.MetricStatus, r reported) {
			s.Object = &autoscaling.ObjectMetricStatus{Metric: r.id, Current: r.current, DescribedObject: r.DescribedObject}
		},
	},
	{
		kind:        autoscaling.ExternalMetricSourceType,
		reason:      "FailedGetExternalMetric",
		appendName:  appendExternal,
		unavailable: wording{usual: "unable to get external metric {namespace}/{name}/{selector}: "},
		returned:    wording{usual: "failed to get {name} external metric value: "},
		calculated:  wording{metrics.AverageValueTarget, "failed to get {name} external metric: ", "failed to get external metric {name}: "},
		noTarget:    "invalid external metric source: neither a value target nor an average value target was set",
		targetFirst: true,
		show: func(s *autoscaling.MetricStatus, r reported) {
			s.External = &autoscaling.ExternalMetricStatus{Metric: r.id, Current: r.current}
		},
	},
	{
		kind:       autoscaling.ProposalMetricSourceType,
		reason:     "FailedGetProposal",
		appendName: appendProposal,
		failed:     wording{usual: "unable to get proposal {name}: "},
		returned:   wording{usual: "failed to get {name} proposal: "},
		untargeted: true,
		show: func(s *autoscaling.MetricStatus, r reported) {
			s.Proposal = &autoscaling.ProposalMetricStatus{Name: r.Name, Current: autoscaling.MetricValueStatus{Value: r.current.AverageValue}}
		},
	},
	{
		reason:     "InvalidMetricSourceType",
		appendName: appendExternal,
		show:       func(*autoscaling.MetricStatus, reported) {},
	},
}

// sourceOf returns the index of the row of a source.
func sourceOf(kind autoscaling.MetricSourceType) int {
	for i := range sources {
		if sources[i].kind == kind {
			return i
		}
	}
	return len(sources) - 1
}

// appendMetric appends what Kubernetes calls the metric.
func appendMetric(dst []byte, m *autoscaling.Metric) []byte {
	return sources[sourceOf(m.Source)].appendName(dst, m)
}

func appendResource(dst []byte, m *autoscaling.Metric) []byte {
	dst = append(append(dst, m.Name...), " resource"...)
	if m.Target.Type() == metrics.UtilizationTarget {
		dst = append(dst, " utilization (percentage of request)"...)
	}
	return dst
}

func appendContainerResource(dst []byte, m *autoscaling.Metric) []byte {
	if m.Target.Type() == metrics.UtilizationTarget {
		return appendAll(dst, m.Name, " container resource utilization (percentage of request)")
	}
	return appendAll(dst, m.Name, " resource")
}

func appendPods(dst []byte, m *autoscaling.Metric) []byte {
	return append(append(dst, "pods metric "...), m.Name...)
}

func appendObject(dst []byte, m *autoscaling.Metric) []byte {
	if m.Target.Type() == metrics.ValueTarget {
		return appendAll(dst, m.DescribedObject.Kind, " metric ", m.Name)
	}
	return appendExternal(dst, m)
}

func appendExternal(dst []byte, m *autoscaling.Metric) []byte {
	dst = append(append(append(dst, "external metric "...), m.Name...), '(')
	dst, _ = m.Selector.AppendText(dst)
	return append(dst, ')')
}

func appendProposal(dst []byte, m *autoscaling.Metric) []byte {
	return appendAll(dst, "proposal ", m.Name)
}
