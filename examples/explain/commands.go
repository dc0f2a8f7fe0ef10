package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// commands returns the commands that get what the autoscaler's metrics need,
// one a line. Each writes a file, for -dir. Those of metrics are named so that
// they are read in the order of the metrics.
func (in *input) commands() ([]byte, error) {
	ns := in.cluster.Namespace
	if ns == "" {
		return nil, errors.New("the autoscaler names no namespace; -namespace gives it")
	}
	var out []byte
	add := func(file, format string, args ...any) {
		out = fmt.Appendf(out, format+" > %s\n", append(args, file)...)
	}
	spec := &in.cluster.Autoscaler.Spec
	selector := ""
	if s := in.cluster.Scale; s != nil {
		selector = s.Selector
	}
	if err := cmp.Or(
		argument("metadata.namespace", ns),
		argument("spec.scaleTargetRef.kind", command(&spec.ScaleTargetRef)),
		argument("spec.scaleTargetRef.name", spec.ScaleTargetRef.Name),
		argument("status.selector", strings.TrimLeft(selector, "-")), // follows -l
	); err != nil {
		return nil, err
	}
	scale := fmt.Sprintf("kubectl get %s %s -n %s --subresource=scale -o ", word(command(&spec.ScaleTargetRef)), word(spec.ScaleTargetRef.Name), word(ns))
	add("scale.json", "%sjson", scale)
	plain, escaped := `"$(`+scale+`jsonpath='{.status.selector}')"`, `$(`+scale+`go-template='{{urlquery .status.selector}}')`
	if in.cluster.Scale != nil {
		plain, escaped = word(selector), escape(selector)
	}
	if slices.ContainsFunc(spec.Metrics, readsPods) {
		add("pods.json", "kubectl get pods -n %s -l %s -o json", word(ns), plain)
	}
	asked := map[string]bool{}
	for i := range spec.Metrics {
		file := fmt.Sprintf("metric-%0*d.json", len(fmt.Sprint(len(spec.Metrics))), i+1)
		path := question(&spec.Metrics[i], ns, escaped)
		if strings.HasPrefix(path, resourceMetrics) {
			file = "podmetrics.json"
		}
		if path != "" && !asked[path] {
			asked[path] = true
			add(file, `kubectl get --raw "%s"`, path)
		}
	}
	add("version.json", "kubectl get --raw /version")
	return out, nil
}

// The metrics APIs, in the versions that are read.
const (
	resourceMetrics = "/apis/metrics.k8s.io/v1beta1"
	customMetrics   = "/apis/custom.metrics.k8s.io/v1beta2"
	externalMetrics = "/apis/external.metrics.k8s.io/v1beta1"
)

// question returns the path of the request for a metric, "" if its type is
// unknown. It is that of kube-controller-manager's. The pods are those of the
// selector, which is escaped.
func question(m *autoscaling.MetricSpec, ns, pods string) string {
	r := m.Resolve()
	ns, name, selector := "/namespaces/"+escape(ns), "/"+escape(r.Name), escape(r.Selector.Short())
	switch r.Source {
	case autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType:
		return resourceMetrics + ns + "/pods?labelSelector=" + pods
	case autoscaling.PodsMetricSourceType:
		return customMetrics + ns + "/pods/*" + name + "?labelSelector=" + pods + option("&metricLabelSelector=", selector)
	case autoscaling.ObjectMetricSourceType:
		o := &r.DescribedObject
		if resource := plural(o); resource != "namespaces" {
			ns += "/" + escape(resource) + "/" + escape(o.Name)
		} else {
			ns += "/metrics" // its own, whatever name the spec says
		}
		return customMetrics + ns + name + option("?metricLabelSelector=", selector)
	case autoscaling.ExternalMetricSourceType:
		return externalMetrics + ns + name + option("?labelSelector=", selector)
	}
	return ""
}

// option returns nothing if the value is empty.
func option(name, value string) string {
	if value == "" {
		return ""
	}
	return name + value
}

// command returns what kubectl calls objects of the kind: "deployment.apps".
func command(ref *autoscaling.CrossVersionObjectReference) string {
	return strings.ToLower(ref.Kind) + group(ref)
}

// plural returns what the API calls them: "ingresses.networking.k8s.io". Only
// the API knows; this is the English plural, as most kinds have it.
func plural(ref *autoscaling.CrossVersionObjectReference) string {
	kind := strings.ToLower(ref.Kind)
	ends := func(with ...string) bool {
		return slices.ContainsFunc(with, func(s string) bool { return strings.HasSuffix(kind, s) })
	}
	switch {
	case ends("endpoints"):
	case ends("s", "x", "ch", "sh"):
		kind += "es"
	case ends("y") && !ends("ay", "ey", "oy", "uy"):
		kind = strings.TrimSuffix(kind, "y") + "ies"
	default:
		kind += "s"
	}
	return kind + group(ref)
}

// group returns the API group of the kind with a dot before it, "" for the core
// one.
func group(ref *autoscaling.CrossVersionObjectReference) string {
	group, _, found := strings.Cut(ref.APIVersion, "/")
	if !found {
		return ""
	}
	return "." + group
}

// escape escapes a part of a URL, so that it is a part of a word in double
// quotes, too.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// word quotes a word for the shell if it needs it. The shell reads what it
// returns as exactly s, and a terminal shows nothing but what it is.
func word(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,"
	switch {
	case s != "" && strings.Trim(s, plain) == "":
		return s
	case s == cli.OneLine(s):
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	quoted := []byte("$'")
	for _, c := range []byte(s) {
		if strings.IndexByte(plain, c) >= 0 {
			quoted = append(quoted, c)
		} else {
			quoted = fmt.Appendf(quoted, `\%03o`, c)
		}
	}
	return string(append(quoted, '\''))
}

// argument returns an error for a word that kubectl would take for a flag, or
// that no command can be given. No object has such a name.
func argument(path, s string) error {
	if strings.HasPrefix(s, "-") || strings.Contains(s, "\x00") {
		return fmt.Errorf("%s: %.80q is no name that kubectl can be given", path, s)
	}
	return nil
}
