package podgroup_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/podgroup"
)

// A request of 0 is one, and an absent one has no field.
func TestRequestsInJSON(t *testing.T) {
	requests := podgroup.Requests{
		CPU:    podgroup.Requested(0),
		Memory: podgroup.Request{Milli: 5}, // not set
		Others: []podgroup.ResourceRequest{{Resource: "example.com/gpu", Milli: 2000}},
	}
	const want = `{"cpu":0,"others":[{"resource":"example.com/gpu","milli":2000}]}`
	text, err := json.Marshal(requests)
	require.NoError(t, err)
	require.Equal(t, want, string(text))
	var read podgroup.Requests
	require.NoError(t, json.Unmarshal(text, &read))
	requests.Memory = podgroup.Request{}
	require.Equal(t, requests, read)

	text, err = json.Marshal(podgroup.Request{Milli: 5})
	require.NoError(t, err)
	require.Equal(t, "null", string(text))
	one := podgroup.Requested(7)
	require.NoError(t, json.Unmarshal(text, &one))
	require.Equal(t, podgroup.Request{}, one)

	one = podgroup.Requested(7)
	for _, bad := range []string{`"7"`, `7.5`, `9223372036854775808`, `{}`} {
		require.ErrorAs(t, json.Unmarshal([]byte(bad), &one), new(*json.UnmarshalTypeError), bad)
		require.Equal(t, podgroup.Requested(7), one)
	}
}

func TestContainersInJSON(t *testing.T) {
	half := podgroup.Requests{CPU: podgroup.Requested(500)}
	for want, v := range map[string]any{
		`{"name":"app","requests":{"cpu":500}}`:                   podgroup.Container{Name: "app", Requests: half},
		`{"name":"app","inForce":{"cpu":500}}`:                    podgroup.Container{Name: "app", InForce: &half},
		`{"name":"proxy","requests":{"cpu":500},"restarts":true}`: podgroup.InitContainer{Container: podgroup.Container{Name: "proxy", Requests: half}, Restarts: true},
		`{"overhead":{"cpu":500}}`:                                podgroup.PodLevel{Overhead: half},
		`{}`:                                                      podgroup.PodLevel{},
	} {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
}
