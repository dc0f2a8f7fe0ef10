package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/examples/playground/engine"
)

// drawn returns a request that a person might make: one or two autoscalers, an
// hour or so of load, and some flags. Equal seeds give equal requests.
func drawn(seed uint64) *engine.Request {
	d := &drawer{rand.New(rand.NewPCG(seed, 29))}
	q := &engine.Request{Version: engine.Version, Load: d.load(), Flags: d.flags()}
	for i := range 1 + d.IntN(2) {
		a := engine.Autoscaler{Manifest: d.manifest(fmt.Sprintf("web-%d", i+1))}
		if d.IntN(2) == 0 {
			a.Flags = map[string]string{"release": fmt.Sprintf("1.%d", 29+d.IntN(9))}
		}
		q.Autoscalers = append(q.Autoscalers, a)
	}
	return q
}

// someSync is one of the first autoscaler's syncs.
func someSync(q *engine.Request, seed uint64) *engine.SyncOf {
	all := *q
	all.Want = engine.Want{Summary: true}
	return &engine.SyncOf{Sync: int(3*seed) % all.Answer().Runs[0].Summary.Rows}
}

type drawer struct{ *rand.Rand }

func pick[T any](d *drawer, of ...T) T { return of[d.IntN(len(of))] }

func (d *drawer) load() string {
	var b strings.Builder
	b.WriteString("time,requests\n")
	at, step := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), time.Duration(pick(d, 10, 60, 300))*time.Second
	level := 100 + d.Float64()*900
	for range 12 + d.IntN(30) {
		fmt.Fprintf(&b, "%s,%.3f\n", at.Format(time.RFC3339), level)
		at = at.Add(step)
		switch d.IntN(4) {
		case 0:
			level = d.Float64() * 3000
		case 1:
			level *= 0.8 + d.Float64()*0.5
		}
	}
	return b.String()
}

func (d *drawer) flags() map[string]string {
	all := map[string]func() string{
		"capacity":                            func() string { return pick(d, "20", "40.5", "100") },
		"startup":                             func() string { return pick(d, "0s", "30s", "20s..1m", "p50:20s/p90:45s/p99:2m") },
		"lag":                                 func() string { return pick(d, "0s", "30s") },
		"scrape":                              func() string { return pick(d, "5s", "1m") },
		"missing":                             func() string { return pick(d, "0.1", "0.5") },
		"failing":                             func() string { return pick(d, "0.05", "0.5") },
		"rollout":                             func() string { return pick(d, "0s", "90s") },
		"surge":                               func() string { return pick(d, "1", "50%") },
		"unavailable":                         func() string { return pick(d, "0", "25%") },
		"crash-after":                         func() string { return pick(d, "exp:10m", "5m") },
		"replicas":                            func() string { return pick(d, "1", "30") },
		"requests":                            func() string { return pick(d, "cpu=500m,memory=256Mi", "cpu=2,memory=1Gi") },
		"sync":                                func() string { return pick(d, "5s", "1m") },
		"seed":                                func() string { return fmt.Sprint(d.IntN(1000)) },
		"slope":                               func() string { return pick(d, "true", "false") },
		"release":                             func() string { return fmt.Sprintf("1.%d", 29+d.IntN(9)) },
		"max-gap":                             func() string { return "1h" },
		"unit":                                func() string { return "requests / s" },
		"horizontal-pod-autoscaler-tolerance": func() string { return pick(d, "0", "0.2") },
		"horizontal-pod-autoscaler-downscale-stabilization":   func() string { return pick(d, "0s", "1m") },
		"horizontal-pod-autoscaler-initial-readiness-delay":   func() string { return pick(d, "0s", "2m") },
		"horizontal-pod-autoscaler-cpu-initialization-period": func() string { return pick(d, "0s", "10m") },
	}
	set := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if d.IntN(3) == 0 {
			set[name] = all[name]()
		}
	}
	return set
}

type object = map[string]any

func (d *drawer) manifest(name string) json.RawMessage {
	least := d.IntN(5) + 1
	spec := object{
		"scaleTargetRef": object{"apiVersion": "apps/v1", "kind": "Deployment", "name": name},
		"minReplicas":    least, "maxReplicas": least + d.IntN(80),
	}
	metrics := []any{object{"type": "Resource", "resource": object{"name": "cpu", "target": object{"type": "Utilization", "averageUtilization": 20 + d.IntN(60)}}}}
	if d.IntN(3) == 0 {
		metrics = append(metrics, pick[any](d,
			object{"type": "Resource", "resource": object{"name": "memory", "target": object{"type": "AverageValue", "averageValue": "100Mi"}}},
			object{"type": "Pods", "pods": object{"metric": object{"name": "rps"}, "target": object{"type": "AverageValue", "averageValue": "15"}}},
			object{"type": "External", "external": object{"metric": object{"name": "queue"}, "target": object{"type": "AverageValue", "averageValue": "12500m"}}}))
	}
	if d.IntN(4) > 0 {
		spec["metrics"] = metrics
	}
	if d.IntN(3) > 0 {
		behavior := object{}
		for _, direction := range []string{"scaleUp", "scaleDown"} {
			if d.IntN(3) == 0 {
				continue
			}
			rules := object{"stabilizationWindowSeconds": pick(d, 0, 15, 60, 600)}
			if d.IntN(2) == 0 {
				rules["policies"] = []any{object{"type": pick(d, "Pods", "Percent"), "value": 1 + d.IntN(20), "periodSeconds": pick(d, 15, 60, 300)}}
				rules["selectPolicy"] = pick(d, "Max", "Min", "Disabled")
			}
			behavior[direction] = rules
		}
		spec["behavior"] = behavior
	}
	text, err := json.Marshal(object{
		"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": object{"name": name, "namespace": "shop"}, "spec": spec,
	})
	if err != nil {
		panic(err)
	}
	return text
}
