package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// TestHostile: a status that someone wrote by hand neither stops the controller
// nor leads it astray. What the library has no encoding for is refused by the
// schema; where it was stored all the same, and where a sync cannot go on with
// what the schema lets pass, the next one can.
func TestHostile(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é", n) }
	foreign := func(n int, at string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"type": "Foreign%d", "status": "True", "lastTransitionTime": "%s"}`, i, at)
		}
		return strings.Join(all, ",")
	}
	const (
		past = "2026-01-01T00:00:00Z"
		late = "9999-12-31T23:59:59-01:00" // in UTC, as the API has it, of the year 10000
	)
	cases := []struct {
		name, status string
		refused      string // by the schema, with this error
		lost         bool   // with the event
	}{
		{"negative-desired", `"desiredReplicas": -1`, "desiredReplicas in body should be greater than or equal to 0", false},
		{"negative-current", `"currentReplicas": -1`, "currentReplicas in body should be greater than or equal to 0", false},
		{"unknown-status", `"conditions": [{"type": "AbleToScale", "status": "true"}]`, `Unsupported value: "true"`, false},
		{"unknown-foreign", `"conditions": [{"type": "Foreign", "status": "Maybe"}]`, `Unsupported value: "Maybe"`, false},
		{"type-none", `"conditions": [{"type": "", "status": "True"}]`, "type in body should be at least 1 chars long", false},
		{"type-long", `"conditions": [{"type": "` + long(256) + `", "status": "True"}]`, "Too long: may not be more than 255 bytes", false},
		{"reason-long", `"conditions": [{"type": "AbleToScale", "status": "True", "reason": "` + long(calculator.MaxMessageLength+1) + `"}]`, "Too long: may not be more than 32768 bytes", false},
		{"message-long", `"conditions": [{"type": "AbleToScale", "status": "True", "message": "` + long(calculator.MaxMessageLength+1) + `"}]`, "Too long: may not be more than 32768 bytes", false},
		{"conditions-33", `"conditions": [` + foreign(calculator.MaxConditions+1, past) + `]`, "Too many: 33: must have at most 32 items", true},

		{"zero", `"currentReplicas": 0`, "", false},
		{"message-limit", `"conditions": [{"type": "AbleToScale", "status": "True", "message": "` + long(calculator.MaxMessageLength) + `"}]`, "", false},
		{"type-limit", `"conditions": [{"type": "` + long(255) + `", "status": "Unknown"}]`, "", false},
		// The last of them give way to the controller's own.
		{"state-conditions-32", `"state": {"version": 1, "conditions": [` + foreign(calculator.MaxConditions, past) + `]}`, "", false},
		{"conditions-32", `"conditions": [` + foreign(calculator.MaxConditions, past) + `]`, "", true},
		{"late-scale", `"lastScaleTime": "` + late + `"`, "", true},
		{"late-conditions", `"conditions": [` + foreign(20, late) + `]`, "", true},
		{"no-time", `"lastScaleTime": "2026-01-01t00:00:00z"`, "", true},
		{"no-quantity", `"currentMetrics": [{"type": "External", "external": {"metric": {"name": "queue"}, "current": {"value": "1e1.5"}}}]`, "", true},
		{"state-no-version", `"state": {}`, "", true},
		{"state-long", `"state": {"version": 1, "` + long(2000) + `": 1}`, "", true},
		{"state-negative", `"state": {"version": 1, "desiredReplicas": -1}`, "", true},
		{"state-unknown-status", `"state": {"version": 1, "conditions": [{"type": "AbleToScale", "status": "Maybe"}]}`, "", true},
		{"intent-unreadable", `"intent": {"replicas": 1, "state": {"version": "x"}}`, "", true},
	}
	testbed.Namespace(t, "hostile")
	s := follow(t, "hostile")
	add := func(name string) client.Object {
		testbed.Deployment(t, "hostile", name, 1)
		a := &v1alpha1.Autoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "hostile", Name: name}, Spec: v1alpha1.AutoscalerSpec{HorizontalPodAutoscalerSpec: clustertest.Scaling(name)}}
		a.Spec.MinReplicas, a.Spec.Metrics = nil, a.Spec.Metrics[2:]
		require.NoError(t, testbed.Client.Create(t.Context(), a))
		// The types cannot hold all that is stored.
		o := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "hostile", Name: name}}
		o.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Autoscaler"))
		return o
	}
	store := func(o client.Object, status string, how ...client.SubResourcePatchOption) error {
		return testbed.Client.Status().Patch(t.Context(), o, client.RawPatch(types.MergePatchType, []byte(`{"status": {"desiredReplicas": 0, `+status+`}}`)), how...)
	}
	objects := map[string]client.Object{}
	for _, c := range cases {
		objects[c.name] = add(c.name)
		if err := store(objects[c.name], c.status); c.refused != "" {
			require.True(t, apierrors.IsInvalid(err), "%s: %v", c.name, err)
			require.ErrorContains(t, err, c.refused, c.name)
		} else {
			require.NoError(t, err, c.name)
		}
	}
	// As it was before there were bounds.
	bound(t, "remove")
	for _, c := range cases {
		if c.refused != "" {
			testbed.Await(t, func() error { return store(objects[c.name], c.status) })
		}
	}
	bound(t, "add")
	testbed.Await(t, func() error {
		if err := store(objects["zero"], `"currentReplicas": -1`, client.DryRunAll); !apierrors.IsInvalid(err) {
			return fmt.Errorf("not refused: %w", err)
		}
		return nil
	})
	spec := add("spec")
	metric := func(value string) error {
		return testbed.Client.Patch(t.Context(), spec, client.RawPatch(types.JSONPatchType, []byte(`[{"op": "add", "path": "/spec/metrics/0/external/target/averageValue", "value": "`+value+`"}]`)))
	}
	require.NoError(t, metric("1e1.5"))

	testbed.AwaitSettled(t, "hostile")
	testbed.World.Set(high, "hostile")
	startController(t, "hostile")
	for _, c := range cases {
		testbed.AwaitSize(t, "hostile", c.name, 6)
		s.require(t, c.name, 1, 4, 6)
		if c.lost {
			awaitEvent(t, "hostile", c.name, "StateLost")
		}
		testbed.Await(t, func() error {
			a := autoscaler(t, "hostile", c.name)
			if a.Status.State == nil || a.Status.Intent != nil || a.Status.DesiredReplicas != 6 {
				return fmt.Errorf("the status of %s is %+v", c.name, a.Status)
			}
			return nil
		})
	}
	// A spec is its owner's to repair.
	awaitEvent(t, "hostile", "spec", "InvalidSpec")
	require.Equal(t, int32(1), testbed.Size(t, "hostile", "spec"))
	require.NoError(t, metric("5"))
	testbed.AwaitSize(t, "hostile", "spec", 6)
}

// TestLongMessage: a condition is cut as the schema wants it, and reads the
// same the next time.
func TestLongMessage(t *testing.T) {
	a, message := new(v1alpha1.Autoscaler), "x"+strings.Repeat("é", calculator.MaxMessageLength)
	require.True(t, setCondition(a, time.Now(), v1alpha1.DryRun, corev1.ConditionTrue, "WouldRescale", message))
	require.Equal(t, message[:calculator.MaxMessageLength-1], a.Status.Conditions[0].Message)
	require.False(t, setCondition(a, time.Now(), v1alpha1.DryRun, corev1.ConditionTrue, "WouldRescale", message))
}

// bound adds the bounds to the schema, or removes them.
func bound(t *testing.T, op string) {
	t.Helper()
	text, err := os.ReadFile("api/v1alpha1/bounds.yaml")
	require.NoError(t, err)
	var patch []map[string]any
	require.NoError(t, yaml.Unmarshal(text, &patch))
	for _, p := range patch {
		p["op"] = op
	}
	text, err = json.Marshal(patch)
	require.NoError(t, err)
	crd := &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: "autoscalers." + v1alpha1.GroupVersion.Group},
	}
	require.NoError(t, testbed.Client.Patch(t.Context(), crd, client.RawPatch(types.JSONPatchType, text)))
}
