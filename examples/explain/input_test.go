package main

import (
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/internal/cli"
)

// assumed is what the text says of six pods without a scale.
const assumed = "  all pods (6) are assumed to be the target's; give the scale to check\n"

// edited writes a file of a scene with one text in place of another, which must
// be there, and returns its name.
func edited(t *testing.T, folder, file, from, to string) string {
	t.Helper()
	content := read(t, scene(folder, file))
	require.Contains(t, content, from)
	return write(t, filepath.Join(t.TempDir(), file), strings.ReplaceAll(content, from, to))
}

// withPod adds a pod to a scene's, and returns the file.
func withPod(t *testing.T, folder, pod string) string {
	t.Helper()
	return edited(t, folder, "pods.json", `"items": [`, `"items": [`+pod+`,`)
}

// Pods of another app in the namespace, as `kubectl get pods -o json` prints
// them, do not belong to the target.
func TestPodsOfAnotherApp(t *testing.T) {
	const other = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"api-0","namespace":"within-tolerance","labels":{"app":"api"}},
		"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"1m"}}}]},"status":{"phase":"Running"}}`
	pods := withPod(t, "within-tolerance", other)
	hpa, scale, usage := scene("within-tolerance", "hpa.json"), scene("within-tolerance", "scale.json"), scene("within-tolerance", "podmetrics.json")
	const text = `: pods: 1 of 5 is not selected by the scale's selector "app=web": "api-0"`
	require.Equal(t, pods+text, refuse(t, hpa, scale, pods, usage))
	require.Equal(t, pods+text, refuse(t, "-o", "json", hpa, scale, usage, pods))
	require.Equal(t, scale+text, refuse(t, pods, usage, hpa, scale))
	require.Contains(t, decide(t, hpa, scale, scene("within-tolerance", "pods.json"), usage), "the size stays at 4")

	// Without a scale the answer states its assumption.
	const note = "all pods (5) are assumed to be the target's; give the scale to check"
	require.Contains(t, decide(t, hpa, pods, usage), "\nPods\n  "+note+"\n")
	status, stdout, stderr := explain("", "-o", "json", hpa, pods, usage)
	require.Equal(t, cli.OK, status)
	require.Equal(t, note, complaint(t, stderr))
	require.True(t, json.Valid([]byte(stdout)))
	_, _, stderr = explain("", "-o", "json", hpa, scale, usage, scene("within-tolerance", "pods.json"))
	require.Empty(t, stderr)
}

func TestSelectors(t *testing.T) {
	with := func(selector string) []string {
		return []string{scene("unready-up", "hpa.json"), scene("unready-up", "pods.json"), scene("unready-up", "podmetrics.json"),
			edited(t, "unready-up", "scale.json", `"selector": "app=web"`, `"selector": "`+selector+`"`)}
	}
	require.Equal(t, decide(t), decide(t, with("app in (web,api),pod-template-hash,!legacy,app!=api")...))
	args := with("app=web,!pod-template-hash")
	require.Contains(t, refuse(t, args...), `: pods: 6 of 6 are not selected by the scale's selector "app=web,!pod-template-hash": "web-`)
	// The controller does not scale by a selector that it cannot read.
	require.Contains(t, decide(t, with("app in web")...),
		"InvalidSelector     couldn't convert selector into a corresponding internal selector object: unable to parse requirement: found 'web' expected: '('\n")
	require.Contains(t, decide(t, with("")...), "the HPA target's scale is missing a selector\n")
}

func TestDocumentsThatDoNotBelongTogether(t *testing.T) {
	hpa, pods := scene("unready-up", "hpa.json"), scene("unready-up", "pods.json")
	other := edited(t, "unready-up", "hpa.json", `"namespace": "unready-up"`, `"namespace": "shop"`)
	require.Equal(t, pods+`: document 1, pods: items[0].metadata.namespace: wrong namespace "unready-up"; "shop" was expected`, refuse(t, other, pods))
	require.Equal(t, other+`: document 1, horizontal pod autoscaler: metadata.namespace: wrong namespace "shop"; "unready-up" was expected`, refuse(t, pods, other))
	for _, file := range []string{"scale.json", "podmetrics.json"} {
		file = edited(t, "unready-up", file, `"namespace": "unready-up"`, `"namespace": "shop"`)
		require.Contains(t, refuse(t, hpa, pods, file), `metadata.namespace: wrong namespace "shop"; "unready-up" was expected`)
	}
	values := edited(t, "pods-metric", "pods-qps.json", `"namespace": "pods-metric"`, `"namespace": "shop"`)
	require.Equal(t, values+`: document 1, custom metrics: items[0].describedObject.namespace: wrong namespace "shop"; "pods-metric" was expected`,
		refuse(t, scene("pods-metric", "hpa.json"), values))
	scale := edited(t, "unready-up", "scale.json", `"name": "web"`, `"name": "api"`)
	require.Equal(t, scale+`: scale: metadata.name: "api", but the autoscaler's target is "web"`, refuse(t, hpa, pods, scale))
}

// Windows' shells write byte order marks and UTF-16.
func TestEncodings(t *testing.T) {
	utf16With := func(order binary.AppendByteOrder) func(string) string {
		return func(s string) string {
			var out []byte
			for _, unit := range utf16.Encode([]rune("\ufeff" + s)) {
				out = order.AppendUint16(out, unit)
			}
			return string(out)
		}
	}
	for name, encode := range map[string]func(string) string{
		"byte order mark":      func(s string) string { return "\ufeff" + s },
		"UTF-16 little endian": utf16With(binary.LittleEndian),
		"UTF-16 big endian":    utf16With(binary.BigEndian),
	} {
		t.Run(name, func(t *testing.T) {
			folder, all := t.TempDir(), ""
			for _, file := range []string{"hpa.json", "scale.json", "pods.json", "podmetrics.json"} {
				content := read(t, scene("unready-up", file))
				all += content
				write(t, filepath.Join(folder, file), encode(content))
			}
			require.Equal(t, decide(t), decide(t, "-dir", folder))
			status, stdout, stderr := explain(encode(all), "-")
			require.Equal(t, cli.OK, status, stderr)
			require.Equal(t, decide(t), stdout)
			require.Contains(t, refuse(t, write(t, filepath.Join(folder, "no.json"), encode("NAME é\n"))),
				`no.json: document 1: not JSON, at line 1, column 1: it begins with "NAME é"`)
		})
	}
}

// kubectl get hpa,pods -o json prints one List.
func TestMixedList(t *testing.T) {
	var all []json.RawMessage
	for _, file := range []string{"pods.json", "hpa.json", "scale.json"} {
		var list struct{ Items []json.RawMessage }
		content := []byte(read(t, scene("unready-up", file)))
		require.NoError(t, json.Unmarshal(content, &list))
		if list.Items == nil {
			list.Items = []json.RawMessage{content}
		}
		all = append(all, list.Items...)
	}
	list := func(items []json.RawMessage) string {
		data, err := json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": items})
		require.NoError(t, err)
		return string(data)
	}
	usage := scene("unready-up", "podmetrics.json")
	for _, items := range [][]json.RawMessage{all, append(all[3:len(all):len(all)], all[:3]...)} {
		status, stdout, stderr := explain(list(items), "-", usage)
		require.Equal(t, cli.OK, status, stderr)
		require.Contains(t, stdout, "6 pods: 3 ready, 3 unready")
	}
	_, _, stderr := explain(list(append(all, json.RawMessage(`{"apiVersion":"v1","kind":"Service"}`))), "-")
	require.Contains(t, complaint(t, stderr), `document 1, object: items[8].kind: wrong kind "Service"; HorizontalPodAutoscaler, Scale, Pod, `)
	_, _, stderr = explain(list(append(all, all[0])), "-")
	require.Contains(t, complaint(t, stderr), `document 1, pods: items[8].metadata.name: "web-`)
}

func TestSeveralAutoscalers(t *testing.T) {
	web, api := scene("unready-up", "hpa.json"), edited(t, "unready-up", "hpa.json", `"name": "web"`, `"name": "api"`)
	rest := []string{scene("unready-up", "scale.json"), scene("unready-up", "pods.json"), scene("unready-up", "podmetrics.json")}
	files := append([]string{api, web}, rest...)
	require.Equal(t, `horizontal pod autoscaler: there are 2: "api", "web"; -autoscaler NAME chooses one`, refuse(t, files...))
	require.Equal(t, `horizontal pod autoscaler: there is no "db" among "api", "web"`, refuse(t, append([]string{"-autoscaler", "db"}, files...)...))
	require.Equal(t, decide(t), decide(t, append([]string{"-autoscaler", "web"}, files...)...))
	require.Equal(t, decide(t), decide(t, "-autoscaler", "web"))
	require.Equal(t, `scale: metadata.name: "web", but the autoscaler's target is "api"`, refuse(t, append([]string{"-autoscaler", "api"}, files...)...))
	require.True(t, strings.HasPrefix(decide(t, append([]string{"-autoscaler", "api", web, api}, rest[1:]...)...), "unready-up/api of Deployment api\n"))
	require.True(t, strings.HasPrefix(decide(t, "-lint", "-autoscaler", "api", web, api), "unready-up/api of "))

	// One command prints both, and an error names the file of the one at fault.
	bad := write(t, filepath.Join(t.TempDir(), "all.json"), `{"kind":"List","apiVersion":"v1","items":[`+read(t, web)+","+
		strings.Replace(read(t, api), `"maxReplicas": 12`, `"maxReplicas": 1`, 1)+`]}`)
	require.Equal(t, decide(t), decide(t, append([]string{"-autoscaler", "web", bad}, rest...)...))
	require.Contains(t, refuse(t, "-autoscaler", "api", bad, rest[1]), bad+": spec.maxReplicas: Invalid value: 1: ")
}

// Versions and formats that are not read name the command that prints what is.
func TestOtherFormats(t *testing.T) {
	for _, version := range []string{"autoscaling/v1", "autoscaling/v2beta2"} {
		file := edited(t, "unready-up", "hpa.json", `"apiVersion": "autoscaling/v2"`, `"apiVersion": "`+version+`"`)
		require.Equal(t, file+`: document 1, horizontal pod autoscaler: apiVersion: wrong version "`+version+
			`"; autoscaling/v2 is supported; kubectl get hpa.v2.autoscaling NAME -o json prints it`, refuse(t, file))
	}
	for _, first := range []string{"apiVersion: autoscaling/v2", "---", "# the web tier", "%YAML 1.2", "kind: List", "items:"} {
		file := write(t, filepath.Join(t.TempDir(), "hpa.yaml"), first+"\nkind: HorizontalPodAutoscaler\n")
		require.Equal(t, file+`: document 1: not JSON, at line 1, column 1: it begins with "`+first+
			`"; kubectl patch --local --type merge -p '{}' -o json -f FILE prints YAML as JSON, without a cluster`, refuse(t, file))
	}
}

// An average over the target's size needs no pods, a value per ready pod does.
func TestWithoutPods(t *testing.T) {
	external := func(target string) string {
		return write(t, filepath.Join(t.TempDir(), "hpa.json"), `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler",
			"metadata":{"name":"web","creationTimestamp":"2026-11-20T05:00:00Z"},"status":{"currentReplicas":2},
			"spec":{"maxReplicas":9,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},
			"metrics":[{"type":"External","external":{"metric":{"name":"queue_depth"},"target":`+target+`}}]}}`)
	}
	queue := edited(t, "scaled-to-zero", "external-queue_depth.json", `"value": "0"`, `"value": "75"`)
	average, value := external(`{"type":"AverageValue","averageValue":"30"}`), external(`{"type":"Value","value":"30"}`)
	require.Equal(t, [2]int32{2, 3}, sizes(t, average, queue))
	require.Contains(t, decide(t, average, queue), "\nPods\n  not given; no metric reads them\n")
	const noPods = "the input has no pods; -commands prints how to get them"
	require.Equal(t, noPods, refuse(t, value, queue))
	decide(t, "-lint", value)
}
