package kubejson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/purehpa/hpa/podgroup"
)

// Add decodes JSON documents that stand one after another, and puts each where
// it belongs by its kind: a HorizontalPodAutoscaler, a Scale, pods, pod metrics,
// and any number of custom and external metrics. Lists of pods and of pod
// metrics add up; of the others, c holds one. An empty List, which does not say
// of what, is one of pods. So c can be read from what several commands print:
//
//	(kubectl get hpa web -o json; kubectl get pods -l app=web -o json) | …
//
// The error is an *Error, and c is as it was then.
func (c *Cluster) Add(data []byte) error {
	after := *c
	if c.PodMetrics != nil { // what is appended to it must not show in c
		after.PodMetrics = &PodMetrics{pods: append([]podMetrics(nil), c.PodMetrics.pods...)}
	}
	d := &document{name: "input"}
	if len(bytes.TrimSpace(data)) == 0 {
		return d.errorf("", "empty")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	for n := 1; ; n++ {
		start := dec.InputOffset()
		var raw json.RawMessage
		switch err := dec.Decode(&raw); {
		case errors.Is(err, io.EOF):
			*c = after
			return nil
		case err != nil:
			d.name = fmt.Sprintf("document %d", n)
			if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
				return d.syntaxAt(data, start, syntax)
			}
			return d.errorf("", "cut short: the JSON value does not end")
		}
		if err := after.add(raw); err != nil {
			if e := (*Error)(nil); errors.As(err, &e) {
				e.Document = fmt.Sprintf("document %d, %s", n, e.Document)
			}
			return err
		}
	}
}

// kinds are what Add tells apart.
const kinds = "HorizontalPodAutoscaler, Scale, Pod, PodMetrics, MetricValue, ExternalMetricValue or a list of one of these"

func (c *Cluster) add(data []byte) error {
	d := &document{name: "object"}
	var h header
	if err := d.unmarshal(data, &h); err != nil {
		return err
	}
	kind, path := h.Kind, "kind"
	if kind == "List" {
		kind = podDocument().kind
		if len(h.Items) > 0 {
			kind, path = h.Items[0].Kind, "items[0].kind"
		}
	}
	var err error
	switch kind {
	case "HorizontalPodAutoscaler", "HorizontalPodAutoscalerList":
		d = autoscalerDocument()
		if c.Autoscaler.Name != "" {
			return d.errorf("", "there is one already")
		}
		c.Autoscaler, err = DecodeAutoscaler(data)
	case "Scale", "ScaleList":
		d = scaleDocument()
		if c.Scale != nil {
			return d.errorf("", "there is one already")
		}
		var s Scale
		s, err = DecodeScale(data)
		c.Scale = &s
	case "Pod", "PodList":
		if c.Pods == nil {
			c.Pods = []podgroup.Pod{}
		}
		c.Pods, err = DecodePods(c.Pods, data)
	case "PodMetrics", "PodMetricsList":
		var m PodMetrics
		m, err = DecodePodMetrics(data)
		if c.PodMetrics == nil {
			c.PodMetrics = new(PodMetrics)
		}
		c.PodMetrics.pods = append(c.PodMetrics.pods, m.pods...)
	case "MetricValue", "MetricValueList":
		var m CustomMetrics
		m, err = DecodeCustomMetrics(data)
		c.Custom = append(c.Custom, m)
	case "ExternalMetricValue", "ExternalMetricValueList":
		var m ExternalMetrics
		m, err = DecodeExternalMetrics(data)
		c.External = append(c.External, m)
	case "":
		return d.errorf(path, "missing; %s was expected", kinds)
	default:
		return d.errorf(path, "wrong kind %s; %s was expected", quote(kind), kinds)
	}
	return err
}
