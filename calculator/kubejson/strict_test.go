package kubejson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/kubejson"
)

// What the API server refuses with strict validation is refused by a strict
// Cluster alone.
func TestStrict(t *testing.T) {
	const good = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","more":1},"status":{"newer":1},"spec":{"maxReplicas":3,` +
		`"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}},` +
		`{"type":"Pods","pods":{"metric":{"name":"qps","selector":{"matchLabels":{"a":"b"}}},"target":{"type":"AverageValue","averageValue":"10"}}}],` +
		`"behavior":{"scaleUp":{"stabilizationWindowSeconds":0,"policies":[{"type":"Pods","value":4,"periodSeconds":15}]}}}}`
	for old, c := range map[string]struct{ new, want string }{
		`"maxReplicas":3`:         {`"maxReplicas":3`, ""},
		`"behavior"`:              {`"behaviour"`, `spec: unknown field "behaviour"`},
		`"name":"cpu"`:            {`"Name":"cpu"`, `spec.metrics[0].resource: unknown field "Name"`},
		`"averageUtilization":60`: {`"averageUtilization":60,"averageUtilisation":60`, `spec.metrics[0].resource.target: unknown field "averageUtilisation"`},
		`"value":4`:               {`"value":4,"value":5`, `spec.behavior.scaleUp.policies[0].value: given twice`},
		`"a":"b"`:                 {`"a":"b","a":"c"`, `spec.metrics[1].pods.metric.selector.matchLabels.a: given twice`},
		`"spec"`:                  {`"spce"`, `unknown field "spce"`},
	} {
		text := strings.Replace(good, old, c.new, 1)
		lenient := kubejson.Cluster{}
		require.NoError(t, lenient.Add([]byte(text)), old)
		for path, doc := range map[string]string{"": text, "items[1].": list("v1", "List", strings.Replace(good, `"web"`, `"api"`, 1), text)} {
			strict := kubejson.Cluster{Strict: true}
			err := strict.Add([]byte(doc))
			if c.want == "" {
				require.NoError(t, err)
				continue
			}
			var e *kubejson.Error
			require.ErrorAs(t, err, &e, doc)
			want := strings.TrimSuffix(path, ".") + ": " + c.want
			if !strings.HasPrefix(c.want, "unknown") {
				want = path + c.want
			}
			require.Equal(t, "kubejson: document 1, horizontal pod autoscaler: "+strings.TrimPrefix(want, ": "), err.Error())
			require.Empty(t, strict.Autoscalers)
		}
	}
}

// Sizes that no status has.
func TestNegativeStatus(t *testing.T) {
	for _, name := range []string{"currentReplicas", "desiredReplicas"} {
		_, err := kubejson.DecodeAutoscaler([]byte(object("autoscaling/v2", "HorizontalPodAutoscaler", `"metadata":{"name":"web"},"status":{"`+name+`":-1}`)))
		require.EqualError(t, err, "kubejson: horizontal pod autoscaler: status."+name+": -1 is negative")
	}
}
