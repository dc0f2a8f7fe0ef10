package lint_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/lint"
)

// Kinds lists every constant of type Kind, in the order of their declaration.
func TestKinds(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "kind.go", nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var want []lint.Kind
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			want = append(want, lint.Kind(v.Names[0].Name))
		}
		return true
	})
	require.Equal(t, want, lint.Kinds())
}

// Each kind is found at its limit, and not one unit below.
func TestKindsAreSharp(t *testing.T) {
	cpu, external := fmt.Sprintf(lintCPU, 60), `{"type":"External","external":{"metric":{"name":"backlog"},"target":{"type":"AverageValue","averageValue":"1"}}}`
	resource := func(name, amount string) string {
		return fmt.Sprintf(`{"type":"Resource","resource":{"name":%q,"target":{"type":"AverageValue","averageValue":%q}}}`, name, amount)
	}
	pods := `{"type":"Pods","pods":{"metric":{"name":"qps"},"target":{"type":"AverageValue","averageValue":"1m"}}}`
	rules := func(up, down string) string {
		return `,"behavior":{"scaleUp":{` + up + `},"scaleDown":{` + down + `}}`
	}
	down := func(format string, n ...any) string { return rules("", fmt.Sprintf(format, n...)) }
	up := func(format string, n ...any) string { return rules(fmt.Sprintf(format, n...), "") }
	const (
		window   = `"stabilizationWindowSeconds":%d`
		disabled = `"selectPolicy":"Disabled"`
		policy   = `"policies":[{"type":%q,"value":%d,"periodSeconds":%d}]`
		both     = `"selectPolicy":%q,"policies":[{"type":"Percent","value":%d,"periodSeconds":15},{"type":"Pods","value":1,"periodSeconds":15}]`
	)
	for _, c := range []struct {
		kind      lint.Kind
		low, high int
		metrics   string
		more      string
		want      string // "" if it is not found
	}{
		{lint.NeverScales, 19, 20, cpu, "", ""},
		{lint.NeverScales, 20, 20, cpu, "", "spec.maxReplicas: no load changes the size: minReplicas and maxReplicas are 20"},
		{lint.NeverScales, 1, 1, cpu, "", "spec.maxReplicas: no load changes the size: minReplicas and maxReplicas are 1"},
		{lint.NeverScales, 2, 20, cpu, rules(disabled, ""), ""},
		{lint.NeverScales, 2, 20, cpu, rules("", disabled), ""},
		{lint.NeverScales, 2, 20, cpu, rules(disabled, disabled), "spec.behavior: no load changes the size: scale up and scale down are disabled"},
		{lint.NeverScales, 0, 1, external, rules(disabled, disabled), "spec.behavior: no load changes the size: scale up and scale down are disabled"},

		{lint.InvalidSelector, 2, 20, cpu, "", ""},
		{lint.InvalidSelector, 2, 20, cpu + "," + strings.Replace(external, `"backlog"`, `"backlog","selector":{"matchLabels":{"app":""}}`, 1), "", ""},
		{lint.InvalidSelector, 2, 20, cpu + "," + strings.Replace(external, `"backlog"`, `"backlog","selector":{"matchExpressions":[{"key":"app","operator":"Like"}]}`, 1), "",
			`spec.metrics[1].external.metric.selector: the metric fails in each sync: "Like" is not a valid label selector operator`},

		{lint.ScaleDownDisabled, 2, 20, cpu, down(disabled), "spec.behavior.scaleDown.selectPolicy: scale down is disabled: a size that has risen to maxReplicas, 20, stays there, though minReplicas is 2"},
		{lint.ScaleDownDisabled, 2, 20, cpu, down(`"selectPolicy":"Min"`), ""},
		{lint.ScaleDownDisabled, 2, 20, cpu, rules(disabled, disabled), ""},

		{lint.WindowOutlastsPauses, 2, 20, cpu, "", ""},
		{lint.WindowOutlastsPauses, 2, 20, cpu, down(window, 1799), ""},
		{lint.WindowOutlastsPauses, 2, 20, cpu, down(window, 1800), ""},
		{lint.WindowOutlastsPauses, 2, 20, cpu, down(window, 1801), "spec.behavior.scaleDown.stabilizationWindowSeconds: the window of 30m1s outlasts a pause of 30m: a recommendation from before the pause holds the size throughout"},
		{lint.WindowOutlastsPauses, 0, 1, external, down(window, 3600), "spec.behavior.scaleDown.stabilizationWindowSeconds: the window of 1h outlasts a pause of 30m: a recommendation from before the pause holds the size throughout"},

		{lint.NoDownWindow, 2, 20, cpu, down(window, 16), ""},
		{lint.NoDownWindow, 2, 20, cpu, down(window, 15), "spec.behavior.scaleDown.stabilizationWindowSeconds: the window of 15s holds no earlier recommendation: one low reading scales from 20 to 2, and readings of pods are low while pods start"},
		{lint.NoDownWindow, 2, 20, cpu, down(window+","+policy, 0, "Pods", 3, 60), "spec.behavior.scaleDown.stabilizationWindowSeconds: the window of 0s holds no earlier recommendation: one low reading scales from 20 to 17, and readings of pods are low while pods start"},
		{lint.NoDownWindow, 2, 20, external + "," + pods, down(window, 0), "spec.behavior.scaleDown.stabilizationWindowSeconds: the window of 0s holds no earlier recommendation: one low reading scales from 20 to 2, and readings of pods are low while pods start"},
		{lint.NoDownWindow, 2, 20, external, down(window, 0), ""},

		{lint.UpWindowOutlastsDown, 2, 20, cpu, rules(fmt.Sprintf(window, 30), fmt.Sprintf(window, 31)), ""},
		{lint.UpWindowOutlastsDown, 2, 20, cpu, rules(fmt.Sprintf(window, 31), fmt.Sprintf(window, 31)), ""},
		{lint.UpWindowOutlastsDown, 2, 20, cpu, rules(fmt.Sprintf(window, 45), fmt.Sprintf(window, 31)), ""}, // both act 45s after the change
		{lint.UpWindowOutlastsDown, 2, 20, cpu, rules(fmt.Sprintf(window, 46), fmt.Sprintf(window, 31)), "spec.behavior.scaleUp.stabilizationWindowSeconds: the window of 46s outlasts that of scaleDown, 31s: the size falls sooner than it rises"},
		{lint.UpWindowOutlastsDown, 2, 20, cpu, rules(fmt.Sprintf(window, 15), fmt.Sprintf(window, 0)), ""},
		{lint.UpWindowOutlastsDown, 2, 20, cpu, rules(fmt.Sprintf(window, 16), fmt.Sprintf(window, 0)), "spec.behavior.scaleUp.stabilizationWindowSeconds: the window of 16s outlasts that of scaleDown, 0s: the size falls sooner than it rises"},
		{lint.UpWindowOutlastsDown, 2, 20, cpu, rules(fmt.Sprintf(window, 301), ""), "spec.behavior.scaleUp.stabilizationWindowSeconds: the window of 5m1s outlasts that of scaleDown, 5m: the size falls sooner than it rises"},
		{lint.UpWindowOutlastsDown, 2, 20, cpu, rules(fmt.Sprintf(window, 3600), disabled), ""},
		{lint.UpWindowOutlastsDown, 0, 1, external, rules(fmt.Sprintf(window, 3600), fmt.Sprintf(window, 0)), ""},

		{lint.StuckAtZero, 0, 20, external, "", ""},
		{lint.StuckAtZero, 0, 20, external, up(""), ""},
		{lint.StuckAtZero, 0, 20, external, up(policy, "Percent", 900, 15), "spec.behavior.scaleUp.policies: the policies allow no pod from size 0: the size never rises again once it is 0"},
		{lint.StuckAtZero, 0, 20, external, up(both, "Max", 900), ""},
		{lint.StuckAtZero, 0, 20, external, up(both, "Min", 900), "spec.behavior.scaleUp.policies: the policies allow no pod from size 0: the size never rises again once it is 0"},
		{lint.StuckAtZero, 0, 20, external, rules(fmt.Sprintf(policy, "Percent", 900, 15), disabled), ""},
		{lint.StuckAtZero, 1, 20, external, up(policy, "Percent", 900, 15), ""},

		{lint.SlowScaleUp, 1, math.MaxInt32, cpu, "", ""},
		{lint.SlowScaleUp, 1, math.MaxInt32, cpu, up(""), ""},
		{lint.SlowScaleUp, 1, 100, cpu, up(policy, "Percent", 10, 60), "spec.behavior.scaleUp.policies: scaling up from 1 to 100 takes 29m, longer than 15m"},
		{lint.SlowScaleUp, 2, 20, cpu, up(policy, "Pods", 1, 300), "spec.behavior.scaleUp.policies: scaling up from 2 to 20 takes 1h25m, longer than 15m"},
		{lint.SlowScaleUp, 2, 18, cpu, up(policy, "Pods", 1, 60), ""}, // 15m
		{lint.SlowScaleUp, 2, 19, cpu, up(policy, "Pods", 1, 60), "spec.behavior.scaleUp.policies: scaling up from 2 to 19 takes 16m, longer than 15m"},
		{lint.SlowScaleUp, 2, 18, cpu, up(policy, "Pods", 1, 61), "spec.behavior.scaleUp.policies: scaling up from 2 to 18 takes 18m45s, longer than 15m"}, // a sync each 15s
		{lint.SlowScaleUp, 0, 3, external, up(policy, "Pods", 1, 1800), "spec.behavior.scaleUp.policies: scaling up from 0 to 3 takes 1h, longer than 15m"},
		{lint.SlowScaleUp, 1, math.MaxInt32, cpu, up(policy, "Pods", 1, 1800), "spec.behavior.scaleUp.policies: scaling up from 1 to 2147483647 takes at least 5000h, longer than 15m"},
		{lint.SlowScaleUp, 2, 20, cpu, rules(disabled+","+fmt.Sprintf(policy, "Pods", 1, 1800), ""), ""},

		{lint.SlowScaleDown, 1, 26, cpu, down(policy, "Pods", 1, 1800), ""}, // 12h
		{lint.SlowScaleDown, 1, 27, cpu, down(policy, "Pods", 1, 1800), "spec.behavior.scaleDown.policies: scaling down from 27 to 1 takes 12h30m, longer than 12h"},
		{lint.SlowScaleDown, 1, math.MaxInt32, cpu, "", ""},

		{lint.TargetBelowIdle, 2, 20, resource("cpu", "1m"), "", "spec.metrics[0].resource.target.averageValue: idle pods use 5m of cpu, and the target is 1m per pod: the size rises to maxReplicas, 20, without load"},
		{lint.TargetBelowIdle, 2, 20, resource("cpu", "4m"), "", "spec.metrics[0].resource.target.averageValue: idle pods use 5m of cpu, and the target is 4m per pod: the size rises to maxReplicas, 20, without load"},
		{lint.TargetBelowIdle, 2, 20, resource("cpu", "5m"), "", ""},
		{lint.TargetBelowIdle, 2, 20, resource("cpu", "4m"), up(`"tolerance":"0.25"`), ""},
		{lint.TargetBelowIdle, 2, 20, resource("cpu", "1m"), up(disabled), ""},
		{lint.TargetBelowIdle, 2, 20, resource("memory", "512m"), "", "spec.metrics[0].resource.target.averageValue: idle pods use 1Mi of memory, and the target is 512m per pod: the size rises to maxReplicas, 20, without load"},
		{lint.TargetBelowIdle, 2, 20, resource("memory", "953250"), "", "spec.metrics[0].resource.target.averageValue: idle pods use 1Mi of memory, and the target is 953250 per pod: the size rises to maxReplicas, 20, without load"},
		{lint.TargetBelowIdle, 2, 20, resource("memory", "953251"), "", ""},
		{lint.TargetBelowIdle, 2, 20, fmt.Sprintf(lintCPU, 1), "", "spec.metrics[0].resource.target.averageUtilization: idle pods use 2% of their requests, and the target is 1%: the size rises to maxReplicas, 20, without load"},
		{lint.TargetBelowIdle, 2, 20, fmt.Sprintf(lintCPU, 2), "", ""},
		{lint.TargetBelowIdle, 2, 20, resource("ephemeral-storage", "1m"), "", ""},
		{lint.TargetBelowIdle, 2, 20, pods, "", ""},

		{lint.TargetOutOfReach, 2, 20, resource("cpu", "90909m"), "", ""},
		{lint.TargetOutOfReach, 2, 20, resource("cpu", "90910m"), "", "spec.metrics[0].resource.target.averageValue: the target is 90910m per pod: pods that use 100 cpu each do not scale up"},
		{lint.TargetOutOfReach, 2, 20, resource("cpu", "500"), "", "spec.metrics[0].resource.target.averageValue: the target is 500 per pod: pods that use 100 cpu each do not scale up"},
		{lint.TargetOutOfReach, 2, 20, resource("cpu", "500"), up(disabled), ""},
		{lint.TargetOutOfReach, 2, 20, resource("memory", "500G"), "", ""},
		{lint.TargetOutOfReach, 2, 20, fmt.Sprintf(lintCPU, 1000), "", ""},

		{lint.WideTolerance, 2, 20, cpu, rules(`"tolerance":"999m"`, `"tolerance":"499m"`), ""},
		{lint.WideTolerance, 2, 20, cpu, down(`"tolerance":"500m"`), "spec.behavior.scaleDown.tolerance: a tolerance of 500m is 50%: the size does not fall until usage is below 50% of the target, so 20 replicas stay where 10 would do"},
		{lint.WideTolerance, 1, 9, external, down(`"tolerance":"0.9"`), "spec.behavior.scaleDown.tolerance: a tolerance of 900m is 90%: the size does not fall until usage is below 10% of the target, so 9 replicas stay where 1 would do"},
		{lint.WideTolerance, 2, 20, cpu, down(`"tolerance":"999m"`), "spec.behavior.scaleDown.tolerance: a tolerance of 999m is 99.9%: the size does not fall until usage is below 0.1% of the target, so 20 replicas stay where 2 would do"},
		{lint.WideTolerance, 2, 20, cpu, up(`"tolerance":"1"`), "spec.behavior.scaleUp.tolerance: a tolerance of 1 is 100%: the size does not rise even at twice the target"},
		{lint.WideTolerance, 2, 20, cpu, down(`"tolerance":"1"`), "spec.behavior.scaleDown.tolerance: a tolerance of 1 is 100%: the size does not fall even without usage"},
		{lint.WideTolerance, 2, 20, cpu, down(`"tolerance":"10"`), "spec.behavior.scaleDown.tolerance: a tolerance of 10 is 1000%: the size does not fall even without usage"},
		{lint.WideTolerance, 2, 20, cpu, down(`"tolerance":"10",` + disabled), ""},
		{lint.WideTolerance, 0, 20, external, up(`"tolerance":"10"`), "spec.behavior.scaleUp.tolerance: a tolerance of 10 is 1000%: the size does not rise even at twice the target"},
	} {
		spec, settings := lintSpec(t, c.low, c.high, c.metrics, c.more), calculator.DefaultSettings()
		found := mustLint(t, spec, settings, lint.DefaultFacts())
		if c.high < math.MaxInt32 { // else there are too many pods to decide on
			found = lintAll(t, spec, settings, lint.DefaultFacts())
		}
		var got string
		for _, f := range found {
			if f.Kind == c.kind {
				got = f.Field + ": " + f.Message
			}
		}
		require.Equal(t, c.want, got, "%s %d %d %s%s", c.kind, c.low, c.high, c.metrics, c.more)
	}
}

// The names of numbers have their units.
func TestNumbers(t *testing.T) {
	for manifest, want := range map[string]map[string]float64{
		fmt.Sprintf(lintCPU, 1): {"idlePercent": 2, "targetPercent": 1, "maxReplicas": 3},
		`{"type":"Resource","resource":{"name":"cpu","target":{"type":"AverageValue","averageValue":"1m"}}}`:  {"idleMilli": 5, "targetMilli": 1, "maxReplicas": 3},
		`{"type":"Resource","resource":{"name":"cpu","target":{"type":"AverageValue","averageValue":"500"}}}`: {"usageMilli": 100_000, "targetMilli": 500_000},
		fmt.Sprintf(lintCPU, 90): {"utilizationPercent": 99, "growth": 0.1},
	} {
		found := lintAll(t, lintSpec(t, 2, 3, manifest, ""), calculator.DefaultSettings(), lint.DefaultFacts())
		require.Len(t, found, 1, manifest)
		require.Equal(t, want, found[0].Numbers, manifest)
	}
}
