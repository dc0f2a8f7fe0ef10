package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kubectl prints the scene in its folder. It knows the requests that the
// scene's metrics need, and fails on any other. The selector of the scale has a
// space when it is asked for in a URL.
const kubectl = `#!/bin/sh
fail() { echo "unexpected: $*" >&2; exit 1; }
case "$*" in
"get deployment.apps web -n $SCENE --subresource=scale -o json") cat "$DUMP/scale.json" ;;
"get deployment.apps web -n $SCENE --subresource=scale -o jsonpath={.status.selector}") printf 'app in (web)' ;;
"get deployment.apps web -n $SCENE --subresource=scale -o go-template={{urlquery .status.selector}}") printf 'app+in+%%28web%%29' ;;
"get pods -n $SCENE -l app in (web) -o json" | "get pods -n $SCENE -l app=web -o json") cat "$DUMP/pods.json" ;;
"get --raw /apis/metrics.k8s.io/v1beta1/namespaces/$SCENE/pods?labelSelector=app+in+%28web%29") cat "$DUMP/podmetrics.json" ;;
"get --raw /apis/metrics.k8s.io/v1beta1/namespaces/$SCENE/pods?labelSelector=app%3Dweb") cat "$DUMP/podmetrics.json" ;;
"get --raw /apis/custom.metrics.k8s.io/v1beta2/namespaces/$SCENE/pods/*/qps?labelSelector=app+in+%28web%29") cat "$DUMP/pods-qps.json" ;;
"get --raw /apis/custom.metrics.k8s.io/v1beta2/namespaces/$SCENE/pods/*/qps?labelSelector=app%3Dweb") cat "$DUMP/pods-qps.json" ;;
"get --raw /apis/custom.metrics.k8s.io/v1beta2/namespaces/$SCENE/services/front/hits") cat "$DUMP/object-hits.json" ;;
"get --raw /apis/external.metrics.k8s.io/v1beta1/namespaces/$SCENE/queue_depth"*) cat "$DUMP/external-queue_depth.json" ;;
"get --raw /version") echo '{"gitVersion":"v1.37.1"}' ;;
*) fail "$*" ;;
esac
`

// needs are the files that the commands write, for each scene.
var needs = map[string]string{
	"at-maximum":       "podmetrics.json pods.json scale.json version.json",
	"disabled-down":    "podmetrics.json pods.json scale.json version.json",
	"down-window":      "podmetrics.json pods.json scale.json version.json",
	"no-request":       "podmetrics.json pods.json scale.json version.json",
	"object-value":     "metric-1.json pods.json scale.json version.json",
	"pods-metric":      "metric-1.json pods.json scale.json version.json",
	"scaled-to-zero":   "metric-1.json scale.json version.json",
	"unready-up":       "podmetrics.json pods.json scale.json version.json",
	"within-tolerance": "podmetrics.json pods.json scale.json version.json",
	// Its metric that fails has no document.
	"external-and-failing": "metric-2.json metric-3.json podmetrics.json pods.json scale.json version.json",
}

// The commands that are printed for an autoscaler, run in a shell, get what
// decides as the recorded scene does, and nothing else.
func TestCommandsGetTheScene(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "kubectl"), []byte(kubectl), 0o755))
	for _, name := range sceneNames() {
		for _, scale := range []bool{false, true} {
			t.Run(fmt.Sprint(name, scale), func(t *testing.T) {
				dump, err := filepath.Abs(filepath.Dir(scene(name, "hpa.json")))
				require.NoError(t, err)
				given := []string{"-commands", filepath.Join(dump, "hpa.json")}
				if scale {
					given = append(given, filepath.Join(dump, "scale.json"))
				}
				folder := t.TempDir()
				commands := decide(t, given...)
				require.Equal(t, scale || name == "scaled-to-zero", !strings.Contains(commands, ".status.selector"))
				script := exec.Command(shell, "-c", commands)
				if name != "external-and-failing" {
					script.Args[1] = "-ec"
				}
				script.Dir = folder
				script.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "SCENE="+name, "DUMP="+dump)
				out, err := script.CombinedOutput()
				require.NoError(t, err, "%s", out)

				entries, err := os.ReadDir(folder)
				require.NoError(t, err)
				var files []string
				for _, e := range entries {
					files = append(files, e.Name())
				}
				require.Equal(t, needs[name], strings.Join(files, " "))
				if name == "external-and-failing" {
					require.NoError(t, os.Remove(filepath.Join(folder, "metric-2.json")))
				}
				write(t, filepath.Join(folder, "hpa.json"), read(t, filepath.Join(dump, "hpa.json")))
				now := []string{"-now", "2026-11-20T06:00:00Z", "-o", "json"}
				require.Equal(t, decide(t, append(now, "-scene", name)...), decide(t, append(now, "-dir", folder)...))
			})
		}
	}
}

// Each metric has a request of its own, in the words of its API.
func TestCommandsOfMetrics(t *testing.T) {
	metric := func(name string) string { return `{"name":"` + name + `"}` }
	target := `"target":{"type":"Value","value":"1"}`
	object := func(kind, version, metric string) string {
		return `{"type":"Object","object":{"describedObject":{"kind":"` + kind + `","name":"front","apiVersion":"` + version + `"},"metric":` + metric + `,` + target + `}}`
	}
	external := func(metric string) string {
		return `{"type":"External","external":{"metric":` + metric + `,"target":{"type":"AverageValue","averageValue":"1"}}}`
	}
	selected := `{"name":"hits","selector":{"matchLabels":{"verb":"GET"},"matchExpressions":[{"key":"a","operator":"In","values":["b","c"]}]}}`
	for _, tt := range []struct{ metrics, want string }{
		{object("Ingress", "networking.k8s.io/v1", metric("hits")), "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/ingresses.networking.k8s.io/front/hits"},
		{object("Gateway", "gateway.networking.k8s.io/v1", metric("hits")), "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/gateways.gateway.networking.k8s.io/front/hits"},
		{object("Policy", "example.com/v1", metric("hits")), "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/policies.example.com/front/hits"},
		{object("Endpoints", "v1", metric("hits")), "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/endpoints/front/hits"},
		{object("Namespace", "v1", metric("hits")), "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/metrics/hits"},
		{object("Service", "v1", selected), "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/services/front/hits?metricLabelSelector=verb%3DGET%2Ca%20in%20%28b%2Cc%29"},
		{external(selected), "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/hits?labelSelector=verb%3DGET%2Ca%20in%20%28b%2Cc%29"},
		{external(metric("$(x)'y")), "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/%24%28x%29%27y"},
	} {
		hpa := write(t, filepath.Join(t.TempDir(), "hpa.json"), `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","namespace":"shop"},
			"spec":{"maxReplicas":9,"scaleTargetRef":{"apiVersion":"v1","kind":"ReplicationController","name":"web"},"metrics":[`+tt.metrics+`,`+tt.metrics+`]}}`)
		lines := strings.Split(strings.TrimSuffix(decide(t, "-commands", hpa), "\n"), "\n")
		require.Equal(t, "kubectl get replicationcontroller web -n shop --subresource=scale -o json > scale.json", lines[0])
		require.Equal(t, `kubectl get --raw "`+tt.want+`" > metric-1.json`, lines[len(lines)-2], "once")
		require.Equal(t, "kubectl get --raw /version > version.json", lines[len(lines)-1])
		require.Equal(t, strings.Contains(tt.metrics, `"Object"`), strings.HasPrefix(lines[1], "kubectl get pods "), "a target Value counts pods")
	}
}

func TestBadCommands(t *testing.T) {
	bare := `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},
		"spec":{"maxReplicas":9,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"it's"}}}`
	hpa := write(t, filepath.Join(t.TempDir(), "hpa.json"), bare)
	require.Equal(t, "the autoscaler names no namespace; -namespace gives it", refuse(t, "-commands", hpa))
	require.Contains(t, decide(t, "-namespace", "shop", "-commands", hpa), `kubectl get deployment.apps 'it'\''s' -n shop --subresource=scale`)
	require.Equal(t, "the input has no HorizontalPodAutoscaler; kubectl get hpa NAME -o json prints it", refuse(t, "-commands", scene("unready-up", "scale.json")))

	// No name becomes a flag, or is cut.
	for _, c := range []struct{ old, new, want string }{
		{`"it's"`, `"--as=admin"`, `spec.scaleTargetRef.name: "--as=admin"`},
		{`"it's"`, `"web\u0000-2"`, `spec.scaleTargetRef.name: "web\x00-2"`},
		{`"Deployment"`, `"-o"`, `spec.scaleTargetRef.kind: "-o.apps"`},
	} {
		write(t, hpa, strings.Replace(bare, c.old, c.new, 1))
		require.Equal(t, c.want+" is no name that kubectl can be given", refuse(t, "-namespace", "shop", "-commands", hpa))
	}
}
