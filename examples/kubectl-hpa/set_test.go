package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
)

func TestSet(t *testing.T) {
	spec := func() *autoscaling.HorizontalPodAutoscalerSpec {
		s := autoscaling.NewSpec(2, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
		s.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
		return &s
	}
	for _, c := range []struct{ set, field, want, problem string }{
		{set: "spec.maxReplicas=20", field: "maxReplicas", want: `20`},
		{set: "spec.minReplicas=null", field: "minReplicas", want: `1`},
		{set: "spec.metrics[0].resource.target.averageUtilization=70", field: "metrics", want: `[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":70}}}]`},
		{set: `spec.metrics[1]={"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"Value","value":"30"}}}`, field: "metrics",
			want: `[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}},{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"Value","value":"30"}}}]`},
		{set: "spec.metrics[0]=null", field: "metrics", want: `[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]`},
		{set: `spec.metrics[0].resource.target={"type":"AverageValue","averageValue":"250m"}`, field: "metrics", want: `[{"type":"Resource","resource":{"name":"cpu","target":{"type":"AverageValue","averageValue":"250m"}}}]`},
		{set: "spec.behavior.scaleDown.selectPolicy=Disabled", field: "behavior", want: ""},

		{set: "spec.maxReplicas", problem: "--set spec.maxReplicas: give PATH=VALUE"},
		{set: "maxReplicas=3", problem: "--set maxReplicas: a path begins with spec or settings"},
		{set: "spec.maxReplica=3", problem: "--set spec.maxReplica: "},
		{set: "spec.maxReplica=null", problem: "--set spec.maxReplica: it is not set anyway"},
		{set: "spec.behaviour=null", problem: "--set spec.behaviour: it is not set anyway"},
		{set: "spec.MaxReplicas=3", problem: `--set spec.MaxReplicas: unknown field "MaxReplicas"`},
		{set: "spec.MinReplicas=0", problem: `--set spec.MinReplicas: unknown field "MinReplicas"`},
		{set: "spec.behavior.scaleDown.StabilizationWindowSeconds=0", problem: `unknown field "StabilizationWindowSeconds"`},
		{set: `spec.behavior={"scaleUp":{"policies":[{"Type":"Pods"}]}}`, problem: `--set spec.behavior: unknown field "Type"`},
		{set: "spec.behavior=null", problem: "--set spec.behavior: it is not set anyway"},
		{set: "spec.metrics[1]=null", problem: "--set spec.metrics[1]: it is not set anyway"},
		{set: "spec.maxReplicas=5]", problem: "--set spec.maxReplicas: "},
		{set: "spec.maxReplicas=many", problem: "--set spec.maxReplicas: "},
		{set: "spec.maxReplicas=1", problem: "the API server refuses that: spec."},
		{set: "spec.metrics[2].type=Pods", problem: "--set spec.metrics[2].type: there is no item 2: the list has 1"},
		{set: "spec.metrics[x]=1", problem: `--set spec.metrics[x]: "x" is no index`},
		{set: "spec.metrics[0=1", problem: "--set spec.metrics[0: a bracket is not closed"},
		{set: "spec.metrics[99999999]=1", problem: `--set spec.metrics[99999999]: "99999999" is no index`},
		{set: "spec..a=1", problem: "--set spec..a: a name is missing in the path"},
		{set: "spec.maxReplicas.a=1", problem: "--set spec.maxReplicas.a: "},
		{set: "spec.maxReplicas[0]=1", problem: "--set spec.maxReplicas[0]: "},
		{set: "settings.tolerance=-1", problem: "--set settings.tolerance: not a fraction such as 0.1"},
		{set: "settings.speed=1", problem: "--set settings.speed: there is no such flag"},
		{set: "settings.release=2.0", problem: "--set settings.release: "},
	} {
		t.Run(c.set, func(t *testing.T) {
			s, settings := spec(), calculator.DefaultSettings()
			err := setAll(s, &settings, []string{c.set})
			if c.problem != "" {
				require.ErrorContains(t, err, c.problem)
				return
			}
			require.NoError(t, err)
			text, err := json.Marshal(s)
			require.NoError(t, err)
			var fields map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(text, &fields))
			if c.want != "" {
				require.JSONEq(t, c.want, string(fields[c.field]))
			} else {
				require.Equal(t, "Disabled", string(s.Behavior.ScaleDown.SelectPolicy))
			}
		})
	}
}

func TestSetFlags(t *testing.T) {
	s := autoscaling.NewSpec(2, 10, autoscaling.ResourceUtilizationMetric("cpu", 50))
	s.ScaleTargetRef = autoscaling.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	settings := calculator.DefaultSettings()
	require.NoError(t, setAll(&s, &settings, []string{
		"settings.tolerance=0.05", "settings.downscaleStabilization=60s", "settings.cpuInitializationPeriod=1m",
		"settings.initialReadinessDelay=10s", "settings.release=1.32",
	}))
	require.Equal(t, 0.05, settings.Tolerance)
	require.Equal(t, time.Minute, settings.DownscaleStabilization)
	require.Equal(t, time.Minute, settings.CPUInitializationPeriod)
	require.Equal(t, 10*time.Second, settings.InitialReadinessDelay)
	require.Equal(t, "1.32", settings.Release.String())
}

func TestSetCompletes(t *testing.T) {
	streams, _, out, _ := genericiooptions.NewTestIOStreams()
	require.Equal(t, statusOK, run(t.Context(), []string{"__complete", "whatif", "web", "--set", "settings.t"}, streams))
	require.Contains(t, out.String(), "settings.tolerance=\nspec.behavior.")
}

// What would not count is refused.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"replay web.rec --release=1.32", "--release: a recording has its own; --set settings.release=... changes it"},
		{"replay web.rec --horizontal-pod-autoscaler-tolerance=0.2", "--horizontal-pod-autoscaler-tolerance: a recording has its own; --set settings.tolerance=... changes it"},
		{"lint web -A", "give web, or -A or -l"},
		{"lint web -l app=web", "give web, or -A or -l"},
		{"lint -f a.yaml web", "give files or autoscalers of the cluster, not both"},
		{"why --rights web", "--rights takes no name, -l or -o"},
		{"why --rights -l app=web", "--rights takes no name, -l or -o"},
		{"why --rights -o json", "--rights takes no name, -l or -o"},
		{"watch web --interval 0s", "--interval 0s: not positive"},
		{"watch web --for -5s", "--for -5s: negative"},
		{"record web --for -5s -o web.rec", "--for -5s: negative"},
		{"lint -f a.yaml -o xml", `-o "xml": json or yaml`},
	} {
		t.Run(c.args, func(t *testing.T) {
			streams, _, _, errOut := genericiooptions.NewTestIOStreams()
			require.Equal(t, statusInput, run(t.Context(), append(strings.Fields(c.args), "--kubeconfig=absent"), streams))
			require.Equal(t, "kubectl hpa: "+c.want+"\n", errOut.String())
		})
	}
}
