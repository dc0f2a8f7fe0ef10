package engine_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/examples/playground/engine"
)

const (
	web = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{` +
		`"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":10,"maxReplicas":100,` +
		`"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}],` +
		`"behavior":{"scaleUp":{"stabilizationWindowSeconds":15,"policies":[{"type":"Pods","value":10,"periodSeconds":15}]},` +
		`"scaleDown":{"stabilizationWindowSeconds":60,"policies":[{"type":"Pods","value":1,"periodSeconds":60}]}}}}`
	sale = "time,requests\n2026-05-04T12:00:00Z,200\n2026-05-04T12:01:00Z,200\n2026-05-04T12:02:00Z,2000\n2026-05-04T12:03:00Z,200\n" +
		"2026-05-04T12:04:00Z,200\n2026-05-04T12:05:00Z,200\n2026-05-04T12:06:00Z,200\n2026-05-04T12:07:00Z,200\n2026-05-04T12:08:00Z,200\n2026-05-04T12:09:00Z,200\n"
)

// ask returns the answer to a request of web on the sale, with changes.
func ask(t *testing.T, change func(*engine.Request)) engine.Response {
	t.Helper()
	q := engine.Request{
		Version: 1, Load: sale, Flags: map[string]string{"capacity": "40"},
		Autoscalers: []engine.Autoscaler{{Manifest: json.RawMessage(web)}},
		Want:        engine.Want{Summary: true},
	}
	change(&q)
	text, err := json.Marshal(&q)
	require.NoError(t, err)
	var r engine.Response
	require.NoError(t, json.Unmarshal(engine.Answer(text), &r))
	return r
}

// A change to the manifest, as text.
func manifest(old, new string) func(*engine.Request) {
	return func(q *engine.Request) {
		q.Autoscalers[0].Manifest = json.RawMessage(strings.Replace(web, old, new, 1))
	}
}

func flag(name, value string) func(*engine.Request) {
	return func(q *engine.Request) { q.Flags[name] = value }
}

// What is wrong is told of the part that it is about, and nothing is run.
func TestProblems(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*engine.Request)
		want   engine.Problem
	}{
		"version":  {func(q *engine.Request) { q.Version = 2 }, engine.Problem{Part: "request", Message: "version 2 is not known; this engine has 1"}},
		"too many": {func(q *engine.Request) { q.Autoscalers = make([]engine.Autoscaler, 5) }, engine.Problem{Part: "request", Message: "5 autoscalers are more than 4"}},
		"unknown field": {manifest(`"minReplicas"`, `"minReplica"`),
			engine.Problem{Part: "manifest", Field: "spec.minReplica", Message: `strict decoding error: unknown field "spec.minReplica"`}},
		"invalid": {manifest(`"maxReplicas":100`, `"maxReplicas":1`),
			engine.Problem{Part: "manifest", Field: "spec.maxReplicas", Message: "spec.maxReplicas: Invalid value: 1: must be greater than or equal to `minReplicas`"}},
		"wrong type": {manifest(`"maxReplicas":100`, `"maxReplicas":"many"`),
			engine.Problem{Part: "manifest", Field: "spec.maxReplicas", Message: "json: cannot unmarshal string into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32"}},
		"another kind": {manifest(`"HorizontalPodAutoscaler"`, `"Deployment"`),
			engine.Problem{Part: "manifest", Field: "kind", Message: `wrong kind "Deployment"; HorizontalPodAutoscaler, HorizontalPodAutoscalerList or List was expected`}},
		"no manifest":   {func(q *engine.Request) { q.Autoscalers[0].Manifest = nil }, engine.Problem{Part: "manifest", Message: "empty"}},
		"long manifest": {manifest(`"web"`, `"`+strings.Repeat("x", engine.MaxManifest)+`"`), engine.Problem{Part: "manifest", Message: fmt.Sprintf("%d bytes are more than 3145728, the most of a request to an API server", engine.MaxManifest+len(web)-3)}},
		"flag":          {flag("startup", "soon"), engine.Problem{Part: "flags", Field: "startup", Message: `"soon": not a time such as 30s, 20s..1m, p50:20s/p99:2m, exp:12h or none`}},
		"no flag":       {flag("start up", "1s"), engine.Problem{Part: "flags", Field: "start up", Message: `"1s": there is no such flag`}},
		"flag of its own": {func(q *engine.Request) { q.Autoscalers[0].Flags = map[string]string{"sync": "1ms"} },
			engine.Problem{Part: "flags", Field: "sync", Message: `"1ms": there is no such flag of the controller`}},
		"empty load":     {func(q *engine.Request) { q.Load = "time,requests\n" }, engine.Problem{Part: "load", Message: "0 values; at least two are needed"}},
		"load":           {func(q *engine.Request) { q.Load += "noon,1\n" }, engine.Problem{Part: "load", Message: `12: "noon" is not a time like 2006-01-02T15:04:05.999999999Z07:00`}},
		"too many syncs": {flag("sync", "1ms"), engine.Problem{Part: "load", Message: "600000 syncs are more than 100000: cut the load, or sync less often"}},
		"no such sync":   {func(q *engine.Request) { q.Want.Sync = &engine.SyncOf{Sync: 99} }, engine.Problem{Part: "run", Message: "there is no sync 99, of 41"}},
		"no autoscaler":  {func(q *engine.Request) { q.Want.Recording = new(int); *q.Want.Recording = 1 }, engine.Problem{Part: "run", Message: "there is no autoscaler 1"}},
		"cannot scale":   {flag("usage", "40"), engine.Problem{Part: "run", Field: "web", Message: ""}},
		"threshold": {func(q *engine.Request) {
			q.Autoscalers[0] = engine.Autoscaler{Threshold: &engine.Threshold{MaxReplicas: 5, MinReplicas: 1, Add: -1}}
		},
			engine.Problem{Part: "manifest", Field: "threshold.add", Message: "-1 is negative"}},
		"both": {func(q *engine.Request) {
			q.Autoscalers[0].Threshold = &engine.Threshold{MaxReplicas: 5, MinReplicas: 1}
		},
			engine.Problem{Part: "manifest", Message: "give a manifest or a threshold, not both"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := ask(t, c.change)
			problems := r.Problems
			for _, a := range r.Autoscalers {
				problems = append(problems, a.Problems...)
			}
			require.Len(t, problems, 1)
			if c.want.Message == "" { // the simulation's own
				require.NotEmpty(t, problems[0].Message)
				c.want.Message = problems[0].Message
			}
			require.Equal(t, c.want, problems[0])
			require.True(t, len(r.Runs) == 0 || name == "no such sync" || name == "no autoscaler")
		})
	}
}

// What is not JSON, or not a request, is a problem of the request.
func TestNotARequest(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "1", `{"version":1}{}`, `{"version":1,"loads":""}`, strings.Repeat("[", 1<<20)} {
		var r engine.Response
		require.NoError(t, json.Unmarshal(engine.Answer([]byte(text)), &r))
		require.Len(t, r.Problems, 1)
		require.Equal(t, "request", r.Problems[0].Part)
		require.NotEmpty(t, r.Problems[0].Message)
	}
}

// The API server fills in what is left out, and drops what the release does not
// have.
func TestDefaults(t *testing.T) {
	r := ask(t, func(q *engine.Request) {
		manifest(`"minReplicas":10,`, ``)(q)
		q.Autoscalers[0].Manifest = json.RawMessage(strings.Replace(string(q.Autoscalers[0].Manifest), `"periodSeconds":15}]`, `"periodSeconds":15}],"tolerance":"50m"`, 1))
		q.Autoscalers[0].Flags = map[string]string{"release": "1.32"}
		q.Want = engine.Want{Defaults: true}
	})
	require.Equal(t, "1.32", r.Autoscalers[0].Release)
	require.Empty(t, r.Autoscalers[0].Problems)
	var texts []string
	for _, d := range r.Autoscalers[0].Defaults {
		texts = append(texts, d.Field+" "+string(d.Value))
	}
	require.Equal(t, []string{
		`spec.behavior.scaleDown.selectPolicy "Max"`,
		`spec.behavior.scaleUp.selectPolicy "Max"`,
		`spec.behavior.scaleUp.tolerance null`,
		`spec.minReplicas 1`,
	}, texts)
}

// On a flash sale, the exact autoscaler asks for twenty pods, because a pod at
// its capacity is twice the target; the threshold adds ten until it sees less.
func TestThreshold(t *testing.T) {
	for seed := range 20 {
		r := ask(t, func(q *engine.Request) {
			q.Flags["seed"] = fmt.Sprint(seed)
			q.Autoscalers = append(q.Autoscalers, engine.Autoscaler{Threshold: &engine.Threshold{
				MinReplicas: 10, MaxReplicas: 100, Above: 50, Add: 10, UpSeconds: 15, Below: 30, Remove: 1, DownSeconds: 60,
			}})
			q.Want.Rows = true
		})
		require.Empty(t, r.Problems)
		exact, threshold := r.Runs[0], r.Runs[1]
		require.LessOrEqual(t, exact.Summary.HighestReplicas, int32(20))
		require.GreaterOrEqual(t, threshold.Summary.HighestReplicas, int32(30))
		require.LessOrEqual(t, threshold.Summary.UnservedShare, exact.Summary.UnservedShare)
		rows := threshold.Rows
		for i := range rows.Time {
			if change := rows.Desired[i] - rows.Current[i]; change != 0 && change != 10 && change != -1 {
				t.Fatalf("seed %d, sync %d: %d pods", seed, i, change)
			}
		}
	}
}

// Without a sample of a ready pod, a threshold keeps the size.
func TestThresholdWithoutSamples(t *testing.T) {
	r := ask(t, func(q *engine.Request) {
		q.Flags["missing"] = "1"
		q.Autoscalers = []engine.Autoscaler{{Threshold: &engine.Threshold{MinReplicas: 2, MaxReplicas: 100, Above: 50, Add: 10, Below: 30, Remove: 1}}}
		q.Want = engine.Want{Rows: true, Sync: &engine.SyncOf{Sync: 20}}
	})
	require.Empty(t, r.Problems)
	for i, size := range r.Runs[0].Rows.Desired {
		require.Equal(t, r.Runs[0].Rows.Current[i], size)
	}
	require.Contains(t, r.Sync.Text, "no ready pod has a sample")
}

// No manifest and no flag stops the engine.
func FuzzAnswer(f *testing.F) {
	f.Add(web, "release", "1.32")
	f.Add(strings.Replace(web, "autoscaling/v2", "autoscaling/v1", 1), "startup", "p50:20s/p99:2m")
	f.Add(`{}`, "requests", "cpu=1e30")
	f.Fuzz(func(t *testing.T, manifest, flag, value string) {
		q := engine.Request{
			Version: engine.Version, Flags: map[string]string{flag: value},
			Autoscalers: []engine.Autoscaler{{Manifest: json.RawMessage(manifest)}},
			Want:        engine.Want{Defaults: true, Findings: true, Guarantees: true, Commands: true},
		}
		text, err := json.Marshal(&q)
		if err != nil {
			t.Skip("not JSON")
		}
		var r engine.Response
		require.NoError(t, json.Unmarshal(engine.Answer(text), &r))
		require.Equal(t, engine.Version, r.Version)
	})
}
