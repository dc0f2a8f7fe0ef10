package kubejson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
)

// A strict Cluster alone refuses what the API server refuses with strict
// validation, and names every field.
func TestStrict(t *testing.T) {
	for old, c := range map[string]struct{ new, want string }{
		`"maxReplicas":3`: {`"maxReplicas":3`, ""},
		`"behavior"`:      {`"behaviour"`, `unknown field "spec.behaviour"`},
		`"value":4`:       {`"Value":3,"value":4,"value":5`, `unknown field "spec.behavior.scaleUp.policies[0].Value", duplicate field "spec.behavior.scaleUp.policies[0].value"`},
	} {
		text := strings.Replace(applied, old, c.new, 1)
		lenient := kubejson.Cluster{}
		require.NoError(t, lenient.Add([]byte(text)), old)
		for path, doc := range map[string]string{"": text, "items[1]: ": list("v1", "List", strings.Replace(applied, `"web"`, `"api"`, 1), text)} {
			strict := kubejson.Cluster{Strict: true}
			err := strict.Add([]byte(doc))
			if c.want == "" {
				require.NoError(t, err)
				continue
			}
			var e *kubejson.Error
			var all *kubejson.StrictError
			require.ErrorAs(t, err, &e, doc)
			require.ErrorAs(t, err, &all, doc)
			require.Equal(t, "strict decoding error: "+c.want, all.Error())
			require.Equal(t, "kubejson: document 1, horizontal pod autoscaler: "+path+all.Error(), err.Error())
			require.Empty(t, strict.Autoscalers)
		}
	}
}

// A strict Cluster reads autoscaling/v1, too, alone and in a List.
func TestStrictV1(t *testing.T) {
	v1 := object("autoscaling/v1", "HorizontalPodAutoscaler", `"metadata":{"name":"old"},"spec":{"maxReplicas":3,"targetCPUUtilizationPercentage":60}`)
	for _, doc := range []string{v1, list("v1", "List", v1)} {
		c := kubejson.Cluster{Strict: true}
		require.NoError(t, c.Add([]byte(doc)))
		require.Equal(t, []autoscaling.MetricSpec{autoscaling.ResourceUtilizationMetric("cpu", 60)}, c.Autoscaler.Spec.Metrics)
		require.ErrorContains(t, new(kubejson.Cluster).Add([]byte(doc)), `wrong version "autoscaling/v1"; autoscaling/v2 is supported`)
	}
	c := kubejson.Cluster{Strict: true}
	require.ErrorContains(t, c.Add([]byte(list("autoscaling/v1", "HorizontalPodAutoscalerList", `{"metadata":{"name":"old"}}`))),
		`apiVersion: wrong version "autoscaling/v1"`, "an item without a version is of autoscaling/v2")
}

// Sizes that no status has.
func TestNegativeStatus(t *testing.T) {
	for _, name := range []string{"currentReplicas", "desiredReplicas"} {
		_, err := kubejson.DecodeAutoscaler([]byte(object("autoscaling/v2", "HorizontalPodAutoscaler", `"metadata":{"name":"web"},"status":{"`+name+`":-1}`)))
		require.EqualError(t, err, "kubejson: horizontal pod autoscaler: status."+name+": -1 is negative")
	}
}
