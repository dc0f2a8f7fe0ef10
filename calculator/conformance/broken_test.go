package conformance

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var broken = flag.Bool("broken", false, "build copies of the library with one rule broken in each, and check that the comparison finds them")

// mutations are rules of the library, each broken in one place: the first
// occurrence of the old text becomes the new one.
var mutations = []struct {
	rule     string
	file     string
	old, new string
}{
	{"tolerance: the lower end counts", "metrics/tolerance.go", "1.0-t.Down <= ratio", "1.0-t.Down < ratio"},
	{"tolerance: the upper end counts", "metrics/tolerance.go", "ratio <= 1.0+t.Up", "ratio < 1.0+t.Up"},
	{"replicas are rounded up", "metrics/ratio.go", "f = math.Ceil(f)\n\tswitch {\n\tcase !(f > 0)", "f = math.Round(f)\n\tswitch {\n\tcase !(f > 0)"},
	{"the average shown of a whole is rounded up", "metrics/ratio.go", "math.Ceil(float64(usage) / float64(pods))", "math.Floor(float64(usage) / float64(pods))"},
	{"a pod that is deleted is ignored", "podgroup/classify.go", "case p.Deleted:\n\t\treturn verdict(BeingDeleted)", "case p.Deleted:\n\t\treturn verdict(NoSample)"},
	{"a sample as old as its window counts", "podgroup/classify.go", "s.Time < p.ReadyTransition.Add(s.Window)", "s.Time <= p.ReadyTransition.Add(s.Window)"},
	{"the end of the readiness delay counts as never ready", "podgroup/classify.go", "p.StartTime.Add(set.InitialReadinessDelay) > p.ReadyTransition", "p.StartTime.Add(set.InitialReadinessDelay) >= p.ReadyTransition"},
	{"init containers that do not restart request nothing", "podgroup/podrequest.go", "c := &p.InitContainers[i-len(p.Containers)]; c.Restarts {", "c := &p.InitContainers[i-len(p.Containers)]; c != nil {"},
	{"overhead is added to requests of the whole pod", "podgroup/podrequest.go", "return r.plus(p.PodLevel.Overhead.For(resource))", "return r"},
	{"missing pods count as at least their request when scaling down", "calculator/missing.go", "max(missingPodPercent, target)", "target"},
	{"strays count in averages", "calculator/podmetric.go", "n := t.Ready + len(strays)", "n := t.Ready"},
	{"within tolerance, an average value proposes the status's size", "calculator/valuemetric.go", "timesPods(1, int(m.StatusReplicas), m.Calibration)\n\t\tif", "m.CurrentReplicas\n\t\tif"},
	{"of equal proposals the first one gives its name", "calculator/choice.go", "p.Replicas > c.Replicas\n", "p.Replicas >= c.Replicas\n"},
	{"with a metric that failed the size does not fall", "calculator/choice.go", "return choice.Replicas < current", "return choice.Replicas <= current"},
	{"without a behavior the window includes its end", "stabilize/window.go", "return min(window, math.MaxInt64-1) + 1", "return min(window, math.MaxInt64)"},
	{"with a behavior the window excludes its end", "stabilize/window.go", "h.list.Highest(now, w.Down, desired, current)", "h.list.Highest(now, w.Down+1, desired, current)"},
	{"a period excludes its start", "stabilize/series/window.go", "e.at().nsec <= cutoff.nsec", "e.at().nsec < cutoff.nsec"},
	{"a percentage to scale up by is rounded up", "behavior/direction.go", "math.Ceil(float64(start) * (1 + float64(p.Value)/100))", "(float64(start) * (1 + float64(p.Value)/100))"},
	{"policies see the events of both directions", "behavior/policy.go", "l.Start = int64(current) - l.Added + l.Removed", "l.Start = int64(current) - l.Added"},
	{"without a behavior the size may rise to 4", "behavior/limit.go", "max(2*int64(c.Current), 4)", "max(2*int64(c.Current), 3)"},
	{"where bound and policies agree, the bound gives its name", "behavior/limit.go", "case bound:\n\t\tl.Reason = beyondBound\n", "case bound:\n\t\tif l.Reason = beyondBound; bound == l.Rate.Replicas {\n\t\t\tl.Reason = tooFast\n\t\t}\n"},
	{"old events give their place", "behavior/events.go", "e.removed.MarkStale(now, longest.Down)\n\te.removed.Record(now, -change, longest.Down, ", "old := max(longest.Down, longest.Up)\n\te.removed.MarkStale(now, old)\n\te.removed.Record(now, -change, old, "},
	{"the transition time changes with the status", "calculator/setcondition.go", "if c.Status != status {", "if c.Status != status || i == 0 {"},
	{"AbleToScale is set before ScalingActive", "calculator/setcondition.go", "s.Conditions = append(s.Conditions, autoscaling.HorizontalPodAutoscalerCondition{Type: t})\n\treturn len(s.Conditions) - 1", "s.Conditions = append([]autoscaling.HorizontalPodAutoscalerCondition{{Type: t}}, s.Conditions...)\n\treturn 0"},
	{"a target that was scaled to zero says so", "calculator/zero.go", "\"the HPA controller scaled the workload to zero\"", "\"the HPA controller scaled the target to zero\""},
	{"a failed write keeps the desired size of the status", "calculator/record.go", "d.Outcome, d.writeErr = OutcomeNotWritten, foreignError{err, textOf(err)}", "d.Outcome, d.writeErr, s.DesiredReplicas = OutcomeNotWritten, foreignError{err, textOf(err)}, d.DesiredReplicas"},
	{"each metric that fails has an event", "calculator/events.go", "p.Failure.Kind != SourceDisabled {", "p.Failure.Kind != SourceDisabled && i == d.Choice.FirstFailed {"},
	{"memory is shown in powers of 1024", "calculator/autoscaling/resolve.go", "return metrics.BinarySI", "return metrics.DecimalSI"},
	{"a target scaled to zero comes back to the minimum", "calculator/zero.go", "z == ZoneFromZero && desired < minReplicas", "z == ZoneFromZero && desired == 0 && minReplicas > 1"},
	{"a size above the maximum goes there past all windows", "calculator/decide.go", "d.Zone = s.zone(s.quirks)\n", "if d.Zone = s.zone(s.quirks); d.Zone == ZoneAboveMax && d.hasBehavior {\n\t\td.Zone = ZoneNormal\n\t}\n"},
}

// TestBrokenCopies checks that the comparison finds every broken rule. It takes
// minutes: go test -run TestBrokenCopies -broken -v .
func TestBrokenCopies(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutations {
		source, err := os.ReadFile(filepath.Join(root, m.file))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(source), m.old); n == 0 {
			t.Errorf("%s: %s has no %q", m.rule, m.file, m.old)
		}
	}
	if t.Failed() {
		return
	}
	if !*broken {
		t.Skip("-broken is not set; the rules are where they were")
	}
	tmp := t.TempDir()
	for i, m := range mutations {
		t.Run(m.rule, func(t *testing.T) {
			file := filepath.Join(root, m.file)
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			copied := filepath.Join(tmp, fmt.Sprintf("%d.go", i))
			if err := os.WriteFile(copied, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: copied}})
			if err != nil {
				t.Fatal(err)
			}
			overlaid := filepath.Join(tmp, "overlay.json")
			if err := os.WriteFile(overlaid, overlay, 0o600); err != nil {
				t.Fatal(err)
			}
			agree := filepath.Join(tmp, "agree")
			if out, err := exec.Command("go", "build", "-overlay", overlaid, "-o", agree, "./cmd/agree").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			out, err := exec.CommandContext(ctx, agree, "-n", "100000000", "-seed", "1").Output()
			took := time.Since(start).Round(10 * time.Millisecond)
			if _, differs := err.(*exec.ExitError); !differs || ctx.Err() != nil {
				t.Fatalf("not found within %v: %v\n%s", took, err, out)
			}
			for line := range strings.Lines(string(out)) {
				if strings.Contains(line, "unexplained") || strings.Contains(line, " histories, ") {
					t.Logf("found after %v: %s", took, strings.TrimSpace(line))
				}
			}
		})
	}
}
