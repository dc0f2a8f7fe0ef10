package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseRequests(t *testing.T) {
	got := parseRequests([]byte(`# TYPE apiserver_request_total counter
apiserver_request_total{code="200",group="apps",resource="deployments",subresource="scale",verb="GET",version="v1"} 1.5e+03
apiserver_request_total{code="404",group="apps",resource="deployments",subresource="scale",verb="GET",version="v1"} 2
apiserver_request_total{code="200",group="apps",resource="deployments",subresource="",verb="GET",version="v1"} 99
apiserver_request_total{code="200",group="autoscaling",resource="horizontalpodautoscalers",subresource="status",verb="PUT",version="v2"} 3
apiserver_request_total{code="200",group="",resource="pods",subresource="",verb="WATCH",version="v1"} 99
apiserver_request_total{code="200",group="metrics.k8s.io",resource="pods",subresource="",verb="LIST",version="v1beta1"} 99
apiserver_response_sizes_sum{group="apps",resource="deployments",subresource="scale",verb="GET"} 6000
apiserver_response_sizes_count{group="apps",resource="deployments",subresource="scale",verb="GET"} 1502
`))
	require.Equal(t, requests{count: map[string]float64{getScale: 1502, "PUT horizontalpodautoscalers/status": 3}, bytes: 6000}, got)
}
