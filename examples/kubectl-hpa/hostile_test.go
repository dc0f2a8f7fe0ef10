package main

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/internal/cli/clitest"
	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// hostileObject is an autoscaler with a status and an owner.
func hostileObject(t *testing.T) []byte {
	t.Helper()
	now := metav1.NewTime(noon.Add(-time.Minute))
	data, err := json.Marshal(&autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta: metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "web", Generation: 1,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "keda.sh/v1alpha1", Kind: "ScaledObject", Name: "orders"}},
		},
		Spec: clustertest.Limited("web", 60),
		Status: autoscalingv2.HorizontalPodAutoscalerStatus{
			LastScaleTime: &now, CurrentReplicas: 3, DesiredReplicas: 3,
			Conditions: []autoscalingv2.HorizontalPodAutoscalerCondition{
				{Type: "AbleToScale", Status: "True", LastTransitionTime: now, Reason: "ReadyForNewScale", Message: "recommended size matches current size"},
				{Type: "Else", Status: "True", LastTransitionTime: now, Reason: "Because", Message: "it is so"},
			},
		},
	})
	require.NoError(t, err)
	return data
}

// No string of an autoscaler, and no message of an API, makes the terminal do
// anything, or forges a line, whatever the command.
func TestHostileObjects(t *testing.T) {
	clitest.Each(t, hostileObject(t), clitest.Hostile, func(at string, changed []byte) {
		streams, _, out, errOut := genericiooptions.NewTestIOStreams()
		tool := newTool(streams)
		tool.now = func() time.Time { return noon }
		var object autoscalingv2.HorizontalPodAutoscaler
		if json.Unmarshal(changed, &object) != nil {
			return
		}
		t.Log(at)
		a, err := decode(&object)
		if err != nil {
			return // as in a file, below
		}
		failure := errors.New("the API says" + clitest.Hostile)
		c := faked(func(string) (*autoscalingv1.Scale, error) { return nil, failure }, &object)
		c.namespace = object.Namespace
		require.NoError(t, tool.fleet(t.Context(), c, whyOptions{}))
		s := &snapshot{autoscaler: a, notes: []string{a.ownerNote(), failure.Error()}}
		s.past.Problem = failure.Error()
		s.past.Changes, s.past.Since = []change{{noon.Add(-time.Minute), 1, 3}}, noon.Add(-time.Hour)
		s.obs = calculator.Observation{Namespace: a.Namespace, SpecReplicas: 3, StatusReplicas: 3, Pods: []podgroup.Pod{podgroup.RunningPod("web-0"+clitest.Hostile, noon.Add(-time.Hour), podgroup.Requests{})}}
		for range a.Spec.Metrics {
			s.obs.Readings = append(s.obs.Readings, calculator.Reading{Err: failure})
		}
		s.obs.Readings[len(s.obs.Readings)-1] = calculator.Reading{Values: []metrics.Milli{80_000}}
		s.events = []*corev1.Event{{Type: "Warning", Reason: "Because" + clitest.Hostile, Message: failure.Error()}}
		require.NoError(t, tool.print(nil, s.soFar(noon, 80)))
		settings := calculator.DefaultSettings()
		v, err := decide(noon, &settings, s, s.known(noon))
		if err == nil {
			require.NoError(t, tool.print(v, v.explanation(noon, 80, tool.paint())))
			require.NoError(t, tool.print(nil, tool.table([]fleetResult{{autoscaler: a, verdict: v}, {autoscaler: a, err: failure}})))
			w := watcher{tool: tool, interval: time.Minute}
			require.NoError(t, w.show(v))
			require.NoError(t, w.show(rowOf(t, 7)))
			other := &whatif{Before: v, After: v, Changes: compare(v.stages, rowOf(t, 7).stages)}
			require.NoError(t, tool.print(other, other.text(80, tool.paint())))
			other.Changes = nil
			require.NoError(t, tool.print(other, other.text(80, tool.paint())))
		}
		clitest.RequireSafe(t, out.String()+errOut.String())
	})
}

// Nor does one of a file.
func TestHostileFiles(t *testing.T) {
	check := func(at string, r commandResult) {
		t.Helper()
		t.Log(at)
		clitest.RequireSafe(t, r.out+r.err)
	}
	both := func(at string, changed []byte) {
		check(at, with(t, string(changed), "", "lint", "-f", "-"))
		check(at, with(t, string(changed), "", "lint", "-f", "-", "--guarantees"))
		check(at, with(t, string(changed), "", "prove", "-f", "-", "--settled-within", "0s", "--load", "4..4", "--sync", "10m"))
	}
	data := hostileObject(t)
	clitest.Each(t, data, clitest.Hostile, both)
	clitest.Each(t, []byte(strings.Replace(string(data), `"behavior":{`, `"behavior":{"more":"x",`, 1)), clitest.Hostile, both)

	recording, err := os.ReadFile("../explain/testdata/web.rec")
	require.NoError(t, err)
	lines := strings.SplitAfter(string(recording), "\n")[:4]
	for i, line := range lines {
		clitest.Each(t, []byte(line), clitest.Hostile, func(at string, changed []byte) {
			all := strings.Join(lines[:i], "") + string(changed) + "\n" + strings.Join(lines[i+1:], "")
			check(at, with(t, all, "", "replay", "-"))
		})
	}
}

// Colors are the program's own.
func TestColoredLines(t *testing.T) {
	p := paint(true)
	require.Equal(t, "\x1b[1ma\x1b[0m\n\x1b[33mb�[31m c\x1b[0m", p.lines(p.bold("a")+"\n"+p.yellow("b\x1b[31m\nc")))
	require.Equal(t, "a�[31m", p.lines("a\x1b[31m"))
	require.Equal(t, "�[1ma�[0m", paint(false).lines(p.bold("a")))
}
