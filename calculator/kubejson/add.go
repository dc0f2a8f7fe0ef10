package kubejson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/purehpa/hpa/podgroup"
)

// Add decodes a stream of JSON documents and adds each to c by its kind: any
// number of HorizontalPodAutoscalers, pods, pod metrics, custom metrics and
// external metrics, one Scale, and the version of the API server, as `kubectl
// version -o json` or `kubectl get --raw /version` prints it. The items of a
// List may be of several kinds; an empty one counts as pods. The input may be
// what several commands print:
//
//	(kubectl get hpa,pods -l app=web -o json; kubectl get --raw …) | …
//
// It is an error if documents do not belong together: if their namespaces
// differ, if the scale is not that of the autoscaler's target, or if the
// scale's selector does not select a pod. Documents without labels, such as
// metrics, are not checked against the selector.
//
// On an error, which is an *Error, c is unchanged.
func (c *Cluster) Add(data []byte) error {
	// Copies of c may share what is appended to.
	after, pods := *c, newPodList(slices.Clone(c.Pods), c.labels)
	after.Namespace = cmp.Or(c.Namespace, c.Autoscaler.Namespace)
	after.Autoscalers = slices.Clip(c.Autoscalers)
	after.Custom, after.External = slices.Clip(c.Custom), slices.Clip(c.External)
	if c.PodMetrics != nil {
		after.PodMetrics = &PodMetrics{slices.Clip(c.PodMetrics.pods)}
	}
	in := newStream(inUTF8(data))
	var h header
	for n := 1; ; n++ {
		h = header{}
		text, err := in.next(&h)
		switch {
		case err == nil && text != nil:
			err, _ = after.add(&h, text, &pods).(*Error)
		case err == nil && n == 1:
			return errorAt("", "empty").in("input")
		case err == nil:
			after.Pods, after.labels = pods.pods, pods.labels
			if len(after.Autoscalers) > len(c.Autoscalers) {
				after.Autoscaler = HorizontalPodAutoscaler{}
				if len(after.Autoscalers) == 1 {
					after.Autoscaler = after.Autoscalers[0]
				}
			}
			if err := after.check(); err != nil {
				return err
			}
			*c = after
			return nil
		}
		if err != nil {
			return err.in(strings.TrimSuffix(fmt.Sprintf("document %d, %s", n, err.Document), ", "))
		}
	}
}

// add adds a document of which h is the beginning.
func (c *Cluster) add(h *header, data []byte, pods *podList) error {
	if h.Kind == "List" {
		if err := h.check([]string{"v1"}, "List"); err != nil {
			return err.in("list")
		}
		for kind, run := range listItems(data).runs() {
			if err := c.addItems(kind, run, pods); err != nil {
				return err
			}
		}
		return nil
	}
	if server := serverVersion(data); h.Kind == "" && server != "" {
		if c.Version != "" && c.Version != server {
			return errorAt("", "%s; there is already %s", quote(server), quote(c.Version)).in("version")
		}
		c.Version = server
		return nil
	}
	kind := strings.TrimSuffix(h.Kind, "List")
	for _, d := range documents {
		if d.kind == kind {
			if c.Strict && kind == manifestDocument.kind {
				d = manifestDocument
			}
			if err := d.fits(h); err != nil {
				return err.in(d.name)
			}
			return c.addItems(kind, d.itemsOf(h, data), pods)
		}
	}
	return c.addItems(h.Kind, items{first: -1}, pods)
}

// serverVersion returns the API server's version from a document, or "".
func serverVersion(data []byte) string {
	type info struct {
		GitVersion string `json:"gitVersion"`
	}
	var v struct {
		info
		ServerVersion info `json:"serverVersion"`
	}
	if json.Unmarshal(data, &v) != nil {
		return ""
	}
	return cmp.Or(v.ServerVersion.GitVersion, v.GitVersion)
}

// addItems adds objects of a kind.
func (c *Cluster) addItems(kind string, in items, pods *podList) (err error) {
	switch kind {
	case autoscalerDocument.kind:
		if c.Strict {
			c.Autoscalers, err = decodeItems(manifestDocument, in, c.Autoscalers, newManifest(), &c.Namespace, addManifest)
			break
		}
		c.Autoscalers, err = decodeItems(autoscalerDocument, in, c.Autoscalers, new(autoscaler), &c.Namespace, addAutoscaler)
	case scaleDocument.kind:
		var scales []Scale
		if c.Scale != nil {
			scales = append(scales, *c.Scale)
		}
		scales, err = decodeItems(scaleDocument, in, scales, new(scale), &c.Namespace, addScale)
		switch {
		case len(scales) > 1:
			return errorAt("", "there is one already").in(scaleDocument.name)
		case len(scales) == 1:
			c.Scale = &scales[0]
		}
	case podDocument.kind:
		pods.grow(in)
		*pods, err = decodeItems(podDocument, in, *pods, pods.next, &c.Namespace, (*podList).add)
		if pods.pods == nil {
			pods.pods = []podgroup.Pod{}
		}
	case podMetricsDocument.kind:
		c.PodMetrics = cmp.Or(c.PodMetrics, new(PodMetrics))
		*c.PodMetrics, err = decodeItems(podMetricsDocument, in, *c.PodMetrics, new(podMetrics), &c.Namespace, (*PodMetrics).add)
	case customDocument.kind:
		var m CustomMetrics
		m, err = decodeItems(customDocument, in, m, new(metricValue), &c.Namespace, (*CustomMetrics).add)
		c.Custom = append(c.Custom, m)
	case externalDocument.kind:
		var m ExternalMetrics
		m, err = decodeItems(externalDocument, in, m, new(metricValue), &c.Namespace, (*ExternalMetrics).add)
		c.External = append(c.External, m)
	case "":
		return errorAt(in.path()+".kind", "missing; %s was expected", kinds).in("object")
	default:
		return errorAt(in.path()+".kind", "wrong kind %s; %s was expected", quote(kind), kinds).in("object")
	}
	return err
}

// kinds are the kinds that Add reads.
const kinds = "HorizontalPodAutoscaler, Scale, Pod, PodMetrics, MetricValue, ExternalMetricValue or a list of these"
