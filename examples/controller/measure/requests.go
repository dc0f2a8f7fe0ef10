package main

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"
)

// requests are counts of requests to the API server, by verb and resource, such
// as "GET deployments/scale", and the bytes of the answers to GET and LIST, which
// are all that the API server counts.
type requests struct {
	count map[string]float64
	bytes float64
}

// parseRequests reads them from the API server's /metrics.
func parseRequests(text []byte) requests {
	r := requests{count: map[string]float64{}}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		if !strings.HasPrefix(line, "apiserver_re") {
			continue
		}
		name, labels, value := parseSeries(line)
		key, counts := requestKey(labels)
		switch {
		case !counts:
		case name == "apiserver_request_total":
			r.count[key] += value
		case name == "apiserver_response_sizes_sum":
			r.bytes += value
		}
	}
	return r
}

// requestKey names a request of a controller about autoscalers. The aggregated
// metrics API is counted where it answers.
func requestKey(labels map[string]string) (key string, counts bool) {
	resource, subresource, verb := labels["resource"], labels["subresource"], labels["verb"]
	switch resource {
	case "horizontalpodautoscalers", "autoscalers", "pods", "events":
	default:
		if subresource != "scale" {
			return "", false
		}
	}
	if labels["group"] == "metrics.k8s.io" || verb == "WATCH" {
		return "", false
	}
	if subresource != "" {
		resource += "/" + subresource
	}
	return verb + " " + resource, true
}

// parseSeries returns the parts of a line such as `name{label="x"} 1`. The
// labels of interest have no quotes in their values.
func parseSeries(line string) (name string, labels map[string]string, value float64) {
	name, rest, _ := strings.Cut(line, "{")
	inside, number, _ := strings.Cut(rest, "} ")
	labels = map[string]string{}
	for _, pair := range strings.Split(inside, `",`) {
		label, text, _ := strings.Cut(pair, `="`)
		labels[label] = strings.TrimSuffix(text, `"`)
	}
	value, _ = strconv.ParseFloat(number, 64) // 0 if it is none
	return name, labels, value
}
