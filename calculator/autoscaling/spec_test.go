package autoscaling

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// recordedSpec is a line of testdata/specs.jsonl: what Kubernetes makes of a
// spec.
type recordedSpec struct {
	Spec      json.RawMessage `json:"spec"`
	Defaulted json.RawMessage `json:"defaulted"`
	// Errors are those of the defaulted spec, UndefaultedErrors those of the
	// spec as it is, nil if they are the same.
	Errors            []string  `json:"errors"`
	UndefaultedErrors *[]string `json:"undefaultedErrors"`
	// Message is the text of all Errors together, where it was recorded.
	Message string `json:"message"`
	// Selector is about the selector of the spec's one External metric.
	Selector *struct {
		Text    string `json:"text"`
		Problem string `json:"problem"`
	} `json:"selector"`
}

func recordedSpecs(t testing.TB) []recordedSpec {
	t.Helper()
	text, err := os.ReadFile("testdata/specs.jsonl")
	require.NoError(t, err)
	dec := json.NewDecoder(bytes.NewReader(text))
	var head struct {
		Source string `json:"source"`
	}
	require.NoError(t, dec.Decode(&head))
	require.Equal(t, "k8s.io/kubernetes v1.37.1", head.Source)
	var all []recordedSpec
	for dec.More() {
		var r recordedSpec
		require.NoError(t, dec.Decode(&r))
		all = append(all, r)
	}
	require.Greater(t, len(all), 200)
	return all
}

// vectorSpecs returns the pairs of spec and defaultedSpec of the recorded
// vectors.
func vectorSpecs(t testing.TB) (specs, defaulted []json.RawMessage) {
	t.Helper()
	f, err := os.Open("../testdata/kubernetes-1.37.1.jsonl.gz")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no recorded vectors")
	}
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	dec := json.NewDecoder(bufio.NewReader(z))
	for dec.More() {
		var v struct {
			Spec          json.RawMessage `json:"spec"`
			DefaultedSpec json.RawMessage `json:"defaultedSpec"`
		}
		require.NoError(t, dec.Decode(&v))
		specs, defaulted = append(specs, v.Spec), append(defaulted, v.DefaultedSpec)
	}
	require.Len(t, specs, 2000)
	return specs, defaulted
}

func decodeSpec(t testing.TB, text []byte) *HorizontalPodAutoscalerSpec {
	t.Helper()
	var s HorizontalPodAutoscalerSpec
	require.NoError(t, json.Unmarshal(text, &s), "%s", text)
	return &s
}

func encodeSpec(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

func TestSpecJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, out string }{
		{"nothing", `{}`, `{"scaleTargetRef":{"kind":"","name":""},"maxReplicas":0}`},
		{"nulls", `{"scaleTargetRef":null,"minReplicas":null,"maxReplicas":null,"metrics":null,"behavior":null}`, `{"scaleTargetRef":{"kind":"","name":""},"maxReplicas":0}`},
		{"empty lists", `{"metrics":[],"behavior":{}}`, `{"scaleTargetRef":{"kind":"","name":""},"maxReplicas":0,"behavior":{}}`},
		{"unknown fields", `{"status":{"x":1},"maxReplicas":3,"metrics":[{"new":{}}]}`, `{"scaleTargetRef":{"kind":"","name":""},"maxReplicas":3,"metrics":[{"type":""}]}`},
		{"zero bounds stay", `{"minReplicas":0}`, `{"scaleTargetRef":{"kind":"","name":""},"minReplicas":0,"maxReplicas":0}`},
		{
			"every source",
			`{"behavior":{"scaleDown":{}},"metrics":[
				{"type":"Object","object":{"metric":{"name":"hits","selector":{"matchLabels":{"b":"2","a":"1"}}},"target":{"value":2000,"type":"Value"},"describedObject":{"apiVersion":"v1","name":"web","kind":"Service"}}},
				{"type":"Pods","pods":{"target":{"type":"AverageValue","averageValue":"0.5"},"metric":{"name":"rps","selector":{}}}},
				{"type":"Resource","resource":{"target":{"averageUtilization":0,"type":"Utilization"},"name":"cpu"}},
				{"type":"ContainerResource","containerResource":{"container":"app","target":{"type":"AverageValue","averageValue":"1.5Gi","value":"0"},"name":"memory"}},
				{"type":"External","external":{"target":{"type":"Value","value":null},"metric":{"name":"queue","selector":{"matchExpressions":[{"operator":"In","values":["x"],"key":"k"},{}]}}}}
			],"maxReplicas":9,"minReplicas":1,"scaleTargetRef":{"name":"web","kind":"Deployment","apiVersion":"apps/v1"}}`,
			`{"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"},"minReplicas":1,"maxReplicas":9,"metrics":[` +
				`{"type":"Object","object":{"describedObject":{"kind":"Service","name":"web","apiVersion":"v1"},"target":{"type":"Value","value":"2k"},"metric":{"name":"hits","selector":{"matchLabels":{"a":"1","b":"2"}}}}},` +
				`{"type":"Pods","pods":{"metric":{"name":"rps","selector":{}},"target":{"type":"AverageValue","averageValue":"500m"}}},` +
				`{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":0}}},` +
				`{"type":"ContainerResource","containerResource":{"name":"memory","target":{"type":"AverageValue","value":"0","averageValue":"1536Mi"},"container":"app"}},` +
				`{"type":"External","external":{"metric":{"name":"queue","selector":{"matchExpressions":[{"key":"k","operator":"In","values":["x"]},{"key":"","operator":""}]}},"target":{"type":"Value"}}}` +
				`],"behavior":{"scaleDown":{}}}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := decodeSpec(t, []byte(tt.in))
			require.Equal(t, tt.out, encodeSpec(t, s))
			require.Equal(t, tt.out, encodeSpec(t, decodeSpec(t, []byte(tt.out))))
		})
	}
}

func TestSpecJSONRefuses(t *testing.T) {
	for _, in := range []string{
		`[]`, `{"maxReplicas":"1"}`, `{"maxReplicas":1.5}`, `{"maxReplicas":2147483648}`, `{"minReplicas":-2147483649}`,
		`{"metrics":{}}`, `{"metrics":[1]}`, `{"metrics":[{"type":1}]}`, `{"behavior":[]}`,
		`{"metrics":[{"pods":{"target":{"averageValue":"abc"}}}]}`, `{"metrics":[{"pods":{"target":{"averageValue":true}}}]}`,
		`{"metrics":[{"pods":{"metric":{"selector":{"matchLabels":{"a":1}}}}}]}`,
	} {
		require.Error(t, json.Unmarshal([]byte(in), new(HorizontalPodAutoscalerSpec)), in)
	}
}

// A decoded spec prints the same as it is decoded and encoded again; nothing
// that decodes makes defaulting, validation, copying or printing panic.
func FuzzSpecJSON(f *testing.F) {
	for _, r := range recordedSpecs(f) {
		f.Add([]byte(r.Spec))
	}
	f.Add([]byte(`null`))
	f.Add([]byte(`{"metrics":[null,{"type":"Object"},{"object":null}],"behavior":{"scaleUp":null}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s HorizontalPodAutoscalerSpec
		if json.Unmarshal(text, &s) != nil {
			return
		}
		once := encodeSpec(t, &s)
		require.Equal(t, once, encodeSpec(t, decodeSpec(t, []byte(once))))
		require.Equal(t, &s, s.Clone())

		require.Equal(t, s.Validate().Error(), s.Validate().Error(), "the order is fixed")
		for i := range s.Metrics {
			if m := &s.Metrics[i]; m.External != nil {
				_ = m.External.Metric.Selector.Problem()
				_ = m.External.Metric.Selector.String()
			}
		}
		require.Equal(t, once, encodeSpec(t, &s), "nothing but SetDefaults changes a spec")

		s.SetDefaults()
		defaulted := encodeSpec(t, &s)
		errs := s.Validate()
		if len(errs) == 0 {
			require.Nil(t, s.Behavior.Problem())
		}
		s.SetDefaults()
		require.Equal(t, defaulted, encodeSpec(t, &s))
	})
}

func TestNilReceivers(t *testing.T) {
	var s *HorizontalPodAutoscalerSpec
	require.Zero(t, s.Bounds())
	require.False(t, s.HasObjectOrExternalMetric())
	require.Zero(t, (*MetricSpec)(nil).Resolve())
}
