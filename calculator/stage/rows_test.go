package stage_test

import (
	"math"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/calculator/stage"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// row is a stage of a sync at noon, at a size of 8, and its text.
type row struct {
	stage stage.Stage
	text  string
}

// of returns the stage with that size after it.
func of(name string, size int32, s stage.Stage) stage.Stage { return between(name, size, size, s) }

func between(name string, low, high int32, s stage.Stage) stage.Stage {
	s.Name, s.Now, s.Current, s.Low, s.High = name, noon, 8, low, high
	return s
}

// bound returns the stage with what bound the size, and for how many minutes.
func bound(s stage.Stage, reason string, minutes int) stage.Stage {
	s.Bound = reason
	if minutes > 0 {
		s.Until = noon.Add(time.Duration(minutes) * time.Minute)
	}
	return s
}

func q(text string) metrics.Quantity { return metrics.MustParseQuantity(text) }

func num(n int32) *int32 { return &n }

var results = []row{
	{of("Result", 8, stage.Stage{Result: &stage.Result{Outcome: stage.NoDecision}}),
		"At 2026-05-04T12:00:00Z, there is no decision.\n"},
	{of("Result", 8, stage.Stage{Result: &stage.Result{Outcome: stage.InvalidInput, Problem: "spec: Required value"}}),
		"At 2026-05-04T12:00:00Z, there is no decision: the input is not valid: spec: Required value.\n"},
	{of("Result", 8, stage.Stage{Result: &stage.Result{Outcome: stage.NoScale, Problem: "no route\nto host"}}),
		"At 2026-05-04T12:00:00Z, there is no decision: the scale could not be read: no route to host.\n"},
	{of("Result", 8, stage.Stage{Result: &stage.Result{Outcome: stage.NoSize}}),
		"At 2026-05-04T12:00:00Z, the size stays at 8 replicas, because no size could be computed.\n"},
	{of("Result", 8, stage.Stage{Result: &stage.Result{Outcome: stage.Unchanged, Release: release.MustParse("1.32")}}),
		"At 2026-05-04T12:00:00Z, as Kubernetes 1.32, the size stays at 8 replicas.\n"},
	{of("Result", 3, stage.Stage{Result: &stage.Result{Outcome: stage.Pending, Reason: "BelowTarget", Why: "All metrics below target"}}),
		"At 2026-05-04T12:00:00Z, the size should change from 8 to 3 replicas: All metrics below target.\n"},
	{of("Result", 3, stage.Stage{Result: &stage.Result{Outcome: stage.Written, Reason: "BelowTarget"}}),
		"At 2026-05-04T12:00:00Z, the size was changed from 8 to 3 replicas: BelowTarget.\n"},
	{of("Result", 1, stage.Stage{Result: &stage.Result{Outcome: stage.NotWritten, Problem: "conflict"}}),
		"At 2026-05-04T12:00:00Z, the size should have changed from 8 to 1 replica (no metric asks for it, but stabilization or a bound does), but it could not be written: conflict.\n"},
	{between("Result", 3, 8, stage.Stage{Result: &stage.Result{Outcome: stage.Unknown}}),
		"At 2026-05-04T12:00:00Z, the size will be between 3 and 8 replicas; the status does not say more. It is 8 now.\n"},
	{between("Result", 3, math.MaxInt32, stage.Stage{Result: &stage.Result{Outcome: stage.Unknown}}),
		"At 2026-05-04T12:00:00Z, the size will be at least 3 replicas; the status does not say more. It is 8 now.\n"},
	{of("Result", 8, stage.Stage{Result: &stage.Result{Outcome: "Another"}}),
		"At 2026-05-04T12:00:00Z, the size is 8 replicas.\n"},
}

var sizes = []row{
	{of("Size", 8, stage.Stage{Size: &stage.Size{Zone: "Normal", MinReplicas: 1, MaxReplicas: 10}}),
		"Size: 8 replicas, within the bounds of 1 to 10, so the metrics decide.\n"},
	{of("Size", 8, stage.Stage{Size: &stage.Size{Zone: "Disabled"}}),
		"Size: 8 replicas in spec.replicas. Scaling is disabled until someone sets another size.\n"},
	{of("Size", 8, stage.Stage{Size: &stage.Size{Zone: "Disabled", ZeroByOthers: true}}),
		"Size: 8 replicas in spec.replicas. Scaling is disabled until someone sets another size, because the autoscaler did not scale to zero itself.\n"},
	{of("Size", 8, stage.Stage{Size: &stage.Size{Zone: "FromZero", MinReplicas: 0, MaxReplicas: 10}}),
		"Size: 8 replicas. The autoscaler scaled to zero itself, so the metrics decide whether it scales up again, within the bounds of 0 to 10.\n"},
	{bound(of("Size", 6, stage.Stage{Size: &stage.Size{Zone: "AboveMax", MaxReplicas: 6}}), "AboveMax", 0),
		"Size: 8 replicas, above the maximum of 6. It goes straight there: no metric, window or policy counts.\n"},
	{of("Size", 8, stage.Stage{Size: &stage.Size{Zone: "BelowMin", MinReplicas: 9, Gradual: true, Corrections: stage.ListCorrections(correction.NewSet(correction.Bounds))}}),
		"Size: 8 replicas, below the minimum of 9. It goes there by windows and policies: no metric counts.\n" +
			"Corrected: Bounds moves a size outside of the bounds to the bound by stabilization and policies; Kubernetes sets a size outside of the bounds to the bound at once.\n"},
	{of("Size", 8, stage.Stage{Size: &stage.Size{Zone: "Another"}}),
		"Size: 8 replicas, Another.\n"},
	{of("Selector", 8, stage.Stage{Selector: &stage.Selector{Problem: "selector is required"}}),
		"Selector: no metric can be computed: selector is required.\n"},
}

// tenth is a tolerance of 10%.
var tenth = stage.Tolerance{Down: 0.1, Up: 0.1}

// cpu returns a metric of a target of 50%, of which m has the rest.
func cpu(m stage.Metric) *stage.Metric {
	m.Number, m.Of, m.Tolerance = 1, 2, tenth
	m.Type, m.Name = autoscaling.ResourceMetricSourceType, "cpu"
	m.Target = autoscaling.MetricTarget{Type: metrics.UtilizationTarget, AverageUtilization: num(50)}
	return &m
}

// queue returns an External metric of a target of 10 per pod, of which m has
// the rest.
func queue(m stage.Metric) *stage.Metric {
	m.Number, m.Of, m.Tolerance = 2, 2, tenth
	m.Type, m.Name = autoscaling.ExternalMetricSourceType, "queue"
	m.Selector = &autoscaling.LabelSelector{MatchLabels: map[string]string{"q": "a"}}
	m.Target = autoscaling.MetricTarget{Type: metrics.AverageValueTarget, AverageValue: q("10")}
	return &m
}

var metricRows = []row{
	{of("Metric 1", 10, stage.Stage{Metric: cpu(stage.Metric{
		Pods:     &stage.Pods{Ready: 8},
		Usage:    &stage.Usage{Sum: q("4810m"), Requests: q("8"), Utilization: num(60), Ratio: 1.2},
		Proposal: &stage.Proposal{Rule: "RatioTimesPods", Ratio: 1.2, Counted: 8},
	})}), "Metric 1 of 2, Resource cpu, target averageUtilization 50%: 8 pods, all ready.\n" +
		"  Usage: the ready pods use 4810m of the 8 cpu that they request: 60% (truncated). The ratio to the target is 1.2000, outside the tolerance of 0.9000 to 1.1000.\n" +
		"  Proposal: 10 replicas, 1.2000 times 8 ready pods, rounded up.\n"},
	{bound(of("Metric 1", 8, stage.Stage{Metric: cpu(stage.Metric{
		Pods: &stage.Pods{Ready: 5, Unready: 2, Missing: 1, Ignored: 1, Strays: 1,
			Reasons: stage.Reasons{podgroup.PhaseIsPending: 1, podgroup.NotReadyYet: 1, podgroup.NoSample: 1, podgroup.BeingDeleted: 1}},
		Usage: &stage.Usage{Sum: q("3"), Requests: q("5"), Utilization: num(60), Ratio: 1.2},
		Corrected: &stage.Corrected{Missing: 1, MissingAs: "AsZero", Unready: 2, UnreadyAs: "AsZero",
			Sum: q("3"), Requests: q("8"), Utilization: num(37), Ratio: 0.74},
		Proposal: &stage.Proposal{Rule: "DirectionWouldChange", Ratio: 1.2},
	})}), "DirectionWouldChange", 3), "Metric 1 of 2, Resource cpu, target averageUtilization 50%: 9 pods: 5 ready, 2 unready (1 phase pending, 1 not ready yet), 1 missing (no sample), 1 ignored (being deleted), and 1 sample of pods that are not listed. The first unready one counts as ready from 2026-05-04T12:03:00Z, in 3m.\n" +
		"  Usage: the ready pods use 3 of the 5 cpu that they request: 60%. The ratio to the target is 1.2000, outside the tolerance of 0.9000 to 1.1000.\n" +
		"  Correction: the missing pod counts as using nothing, the 2 unready pods count as using nothing. That makes 3 of 8 cpu: 37% (truncated). The corrected ratio to the target is 0.7400, outside the tolerance of 0.9000 to 1.1000.\n" +
		"  Proposal: 8 replicas, the current size, because the correction would turn scaling up into scaling down.\n"},
	{of("Metric 1", 0, stage.Stage{Metric: cpu(stage.Metric{
		Pods:    &stage.Pods{Missing: 1},
		Failure: &stage.Failure{Kind: "NoSamples", Message: "did not receive\nmetrics"},
		Quirks:  stage.ListQuirks(release.MustParse("1.32"), release.Quirks(release.ToleranceByDistance|release.DecimalMemory)),
	})}), "Metric 1 of 2, Resource cpu, target averageUtilization 50%: it failed: did not receive metrics. There is 1 pod: 1 missing.\n" +
		"  Release: Kubernetes 1.32 compares the rounded distance of the ratio from 1 with the tolerance; 1.37 compares the ratio with 1 minus and 1 plus the tolerance.\n"},
	{bound(of("Metric 2", 0, stage.Stage{Metric: queue(stage.Metric{
		Failure: &stage.Failure{Kind: "MetricUnavailable", Message: "gone", Since: noon.Add(-time.Minute), Waits: true},
	})}), "FailedGetExternalMetric", 2), "Metric 2 of 2, External queue {q=a}, target averageValue 10: it failed: gone. Its fallback counts from 2026-05-04T12:02:00Z, in 2m.\n"},
	{bound(of("Metric 2", 12, stage.Stage{Metric: queue(stage.Metric{
		Failure:  &stage.Failure{Kind: "MetricUnavailable", Message: "gone", Since: noon.Add(-time.Hour)},
		Proposal: &stage.Proposal{Rule: "Fallback"},
	})}), "Fallback", 0), "Metric 2 of 2, External queue {q=a}, target averageValue 10: it failed: gone.\n" +
		"  Proposal: 12 replicas, the fallback, because the metric has failed since 2026-05-04T11:00:00Z.\n"},
	{bound(of("Metric 2", 0, stage.Stage{Metric: queue(stage.Metric{
		Failure: &stage.Failure{Kind: "MetricUnavailable", Message: "gone", Unknown: true},
	})}), "FailedGetExternalMetric", 0), "Metric 2 of 2, External queue {q=a}, target averageValue 10: it failed: gone. For how long is not known, so its fallback may count.\n"},
	{of("Metric 2", 3, stage.Stage{Metric: queue(stage.Metric{
		Usage:       &stage.Usage{Sum: q("24"), Average: q("3"), StatusReplicas: num(8), Ratio: 0.3},
		Proposal:    &stage.Proposal{Rule: "UsagePerTarget", Dividend: q("24"), Divisor: q("10")},
		Corrections: stage.ListCorrections(correction.NewSet(correction.StatusSize)),
	})}), "Metric 2 of 2, External queue {q=a}, target averageValue 10: the value is 24, which is 3 per pod (status.replicas is 8). The ratio to the target is 0.3000, outside the tolerance of 0.9000 to 1.1000.\n" +
		"  Proposal: 3 replicas, 24 divided by 10, rounded up.\n" +
		"  Corrected: StatusSize proposes the current size for an average within tolerance; Kubernetes proposes status.replicas for an average within tolerance.\n"},
	{of("Metric 2", 1, stage.Stage{Metric: queue(stage.Metric{
		Usage:    &stage.Usage{Sum: q("5"), Average: q("0"), StatusReplicas: num(0), Ratio: stage.Float(math.Inf(1))},
		Proposal: &stage.Proposal{Rule: "RatioFromZero", Ratio: stage.Float(math.Inf(1))},
	})}), "Metric 2 of 2, External queue {q=a}, target averageValue 10: the value is 5, and status.replicas is 0. The ratio to the target is infinite. From size 0, the tolerance does not count.\n" +
		"  Proposal: 1 replica, the ratio, rounded up.\n"},
	{of("Metric 2", 9, stage.Stage{Metric: queue(stage.Metric{
		Adopted:  &stage.Adopted{Text: "the last hour"},
		Proposal: &stage.Proposal{Rule: "AsProposed"},
	})}), "Metric 2 of 2, External queue {q=a}, target averageValue 10: proposed by the caller: the last hour.\n" +
		"  Proposal: 9 replicas, as proposed.\n"},
	{bound(of("Metric 2", 20, stage.Stage{Metric: queue(stage.Metric{
		Adopted:  new(stage.Adopted),
		Usage:    &stage.Usage{Ratio: 1.25},
		Proposal: &stage.Proposal{Rule: "RatioTimesPods", Ratio: 1.25, Counted: 8, Calibration: 0.5},
	})}), "", 1), "Metric 2 of 2, External queue {q=a}, target averageValue 10: proposed by the caller. The ratio to the target is 1.2500, outside the tolerance of 0.9000 to 1.1000. That changes at 2026-05-04T12:01:00Z, in 1m.\n" +
		"  Proposal: 20 replicas, 1.2500 times 8 pods, divided by the share of 0.5 that they are, rounded up.\n"},
	{of("Metric 3", 4, stage.Stage{Metric: &stage.Metric{
		Number: 3, Of: 3, Tolerance: tenth,
		Type: autoscaling.ObjectMetricSourceType, Name: "hits", DescribedObject: autoscaling.CrossVersionObjectReference{Kind: "Ingress", Name: "main"},
		Target:   autoscaling.MetricTarget{Type: metrics.ValueTarget, Value: q("250m")},
		Usage:    &stage.Usage{Sum: q("100m"), Ratio: 0.4},
		Proposal: &stage.Proposal{Rule: "RatioTimesPods", Ratio: 0.4, Counted: 8, Calibration: 1},
	}}), "Metric 3 of 3, Object hits of Ingress main, target value 250m: the value is 100m. The ratio to the target is 0.4000, outside the tolerance of 0.9000 to 1.1000.\n" +
		"  Proposal: 4 replicas, 0.4000 times 8 running and ready pods, rounded up.\n"},
	{of("Metric 1", 8, stage.Stage{Metric: &stage.Metric{Number: 1, Of: 1, Failure: &stage.Failure{Message: "unknown"}}}),
		"Metric 1 of 1: it failed: unknown.\n"},
	{of("Metric 1", 8, stage.Stage{Metric: &stage.Metric{Of: 1}}),
		"Metric 1 of 1: 8 replicas.\n"},
	{of("Metric 1", 6, stage.Stage{Metric: &stage.Metric{
		Number: 1, Of: 1, Tolerance: tenth, Type: autoscaling.ContainerResourceMetricSourceType, Name: "memory", Container: "app",
		Target: autoscaling.MetricTarget{Type: metrics.AverageValueTarget, AverageValue: q("1Gi")},
		Pods:   &stage.Pods{Ready: 2, Missing: 2, Unready: 1, Strays: 2},
		Usage:  &stage.Usage{Sum: q("1Gi"), Average: q("512Mi"), Ratio: 0.5},
		Corrected: &stage.Corrected{Missing: 2, MissingAs: "AsTarget", Unready: 1,
			Sum: q("3Gi"), Average: q("768Mi"), Ratio: 0.75},
		Proposal: &stage.Proposal{Rule: "CorrectedRatioTimesPods", Ratio: 0.75, Counted: 4},
	}}), "Metric 1 of 1, ContainerResource memory of container app, target averageValue 1Gi: 5 pods: 2 ready, 1 unready, 2 missing, and 2 samples of pods that are not listed.\n" +
		"  Usage: 1Gi over 2 ready pods and 2 pods not listed: 512Mi on average. The ratio to the target is 0.5000, outside the tolerance of 0.9000 to 1.1000.\n" +
		"  Correction: the 2 missing pods count as using the target, the unready pod does not count. That makes 3Gi: 768Mi on average. The corrected ratio to the target is 0.7500, outside the tolerance of 0.9000 to 1.1000.\n" +
		"  Proposal: 6 replicas, 0.7500 times 4 pods counted, rounded up.\n"},
}

// proposals are the rules that the rows above do not have, and the sentence.
var proposals = []struct {
	proposal stage.Proposal
	text     string
}{
	{stage.Proposal{Rule: "WithinTolerance", Ratio: 1}, "the current size, because the ratio is within the tolerance."},
	{stage.Proposal{Rule: "WithinTolerance", Ratio: 1, FromStatus: true}, "as in status.replicas, because the ratio is within the tolerance."},
	{stage.Proposal{Rule: "CorrectedWithinTolerance", Ratio: 1}, "the current size, because the corrected ratio is within the tolerance."},
	{stage.Proposal{Rule: "DirectionWouldChange", Ratio: 0.5}, "the current size, because the correction would turn scaling down into scaling up."},
	{stage.Proposal{Rule: "CountWouldChangeDirection", Ratio: 1.5, Counted: 1, Product: 2}, "the current size, because 1.5000 times 1 pod counted, rounded up, is 2, which would turn scaling up into scaling down."},
	{stage.Proposal{Rule: "NoReadyPods"}, "the current size, because there are no pods to multiply the ratio by."},
	{stage.Proposal{Rule: "Another\n"}, "Another ."},
}

// assumptions are what pods without a usable sample count as.
var assumptions = []struct {
	corrected stage.Corrected
	target    int32
	text      string
}{
	{stage.Corrected{Missing: 1}, 50, "the missing pod does not count."},
	{stage.Corrected{Missing: 2}, 50, "the 2 missing pods do not count."},
	{stage.Corrected{Unready: 1, UnreadyAs: "AsZero"}, 50, "the unready pod counts as using nothing."},
	{stage.Corrected{Missing: 3, MissingAs: "AsRequest"}, 100, "the 3 missing pods count as using the request."},
	{stage.Corrected{Missing: 3, MissingAs: "AsRequest"}, 101, "the 3 missing pods count as using 101% of the request."},
}

// ratios have four digits, unless they would lie about the tolerance.
var ratios = []struct {
	ratio     float64
	tolerance stage.Tolerance
	text      string
}{
	{0, tenth, "0.0000, outside the tolerance of 0.9000 to 1.1000."},
	{0.9, tenth, "0.9000, within the tolerance of 0.9000 to 1.1000."},
	{math.Nextafter(0.9, 0), tenth, "0.8999999999999999, outside the tolerance of 0.9000 to 1.1000."},
	{1.00001, tenth, "1.00001, within the tolerance of 0.9000 to 1.1000."},
	{1.10004, tenth, "1.10004, outside the tolerance of 0.9000 to 1.1000."},
	{math.NaN(), tenth, "undefined, outside the tolerance of 0.9000 to 1.1000."},
	{1.1, stage.Tolerance{Down: 0.1, Up: 0.1, Rounded: true}, "1.1000. Its distance from 1, rounded to 0.10000000000000009, is more than the tolerance of 0.1."},
	{0.8, stage.Tolerance{Down: 0.2, Up: 0.1, Rounded: true}, "0.8000, within the tolerance of 0.8000 to 1.1000."},
	{0.95, stage.Tolerance{Down: 0.050000000000000044, Up: 0.1, Rounded: true}, "0.9500, within the tolerance of 0.9500 to 1.1000."},
}

var choices = []row{
	{of("Choice", 3, stage.Stage{Choice: &stage.Choice{By: "Max", Metric: 1, Candidates: []stage.Candidate{{Replicas: 3}}}}),
		"Choice: 3 replicas, by the only metric.\n"},
	{of("Choice", 5, stage.Stage{Choice: &stage.Choice{By: "Max", Metric: 2, Candidates: []stage.Candidate{{Replicas: 3}, {Replicas: 5}, {Replicas: 4}}}}),
		"Choice: 5 replicas, by metric 2, the largest proposal. Metric 1 asks for 3, metric 3 asks for 4.\n"},
	{of("Choice", 9, stage.Stage{Choice: &stage.Choice{By: "Max", Metric: 2, Candidates: []stage.Candidate{{Failed: true}, {Replicas: 9}}}}),
		"Choice: 9 replicas, by metric 2, the largest proposal. Metric 1 failed. A metric that failed keeps the size from falling, not from rising.\n"},
	{of("Choice", 2, stage.Stage{Choice: &stage.Choice{By: "Min", Metric: 1, Candidates: []stage.Candidate{{Replicas: 2}, {Failed: true}}}}),
		"Choice: 2 replicas, by metric 1, the smallest proposal. Metric 2 failed. A metric that failed keeps the size from rising, not from falling.\n"},
	{of("Choice", 2, stage.Stage{Choice: &stage.Choice{By: "First", Metric: 1, Candidates: []stage.Candidate{{Replicas: 2}, {Failed: true}}}}),
		"Choice: 2 replicas, by metric 1, the first proposal. Metric 2 failed.\n"},
	{of("Choice", 9, stage.Stage{Choice: &stage.Choice{By: "First", Metric: 2, Candidates: []stage.Candidate{{Failed: true}, {Replicas: 9}}}}),
		"Choice: 9 replicas, by metric 2, the first proposal. Metric 1 failed. A metric that failed keeps the size from falling, not from rising.\n"},
	{of("Choice", 8, stage.Stage{Choice: &stage.Choice{Blocked: true, Candidates: []stage.Candidate{{Failed: true}}}}),
		"Choice: none, because the only metric failed.\n"},
	{of("Choice", 8, stage.Stage{Choice: &stage.Choice{Blocked: true, Candidates: []stage.Candidate{{Failed: true}, {Failed: true}}}}),
		"Choice: none, because all metrics failed.\n"},
	{of("Choice", 8, stage.Stage{Choice: &stage.Choice{Blocked: true, Replicas: 3, Candidates: []stage.Candidate{{Replicas: 3}, {Failed: true}}}}),
		"Choice: none. The largest proposal is 3 replicas, but metric 2 failed and might have asked for more, so the size must not fall.\n"},
	{of("Choice", 8, stage.Stage{Choice: &stage.Choice{By: "Min", Blocked: true, Replicas: 9, Candidates: []stage.Candidate{{Failed: true}, {Failed: true}, {Replicas: 9}}}}),
		"Choice: none. The smallest proposal is 9 replicas, but 2 metrics failed and might have asked for less, so the size must not rise.\n"},
}

const window = stage.Seconds(5 * time.Minute)

var stabilizations = []row{
	{of("Stabilization", 8, stage.Stage{Stabilization: &stage.Stabilization{Desired: 8}}),
		"Stabilization: 8 replicas, unchanged.\n"},
	{of("Stabilization", 3, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Window: window}}),
		"Stabilization: 3 replicas. There is no higher recommendation in the last 5m.\n"},
	{of("Stabilization", 9, stage.Stage{Stabilization: &stage.Stabilization{Desired: 9, Direction: stage.Up, Window: window}}),
		"Stabilization: 9 replicas. There is no lower recommendation in the last 5m.\n"},
	{of("Stabilization", 9, stage.Stage{Stabilization: &stage.Stabilization{Desired: 9, Direction: stage.Up}}),
		"Stabilization: 9 replicas. There is no stabilization window for scaling up.\n"},
	{bound(of("Stabilization", 8, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Window: window, Recommended: 8, Made: noon.Add(-time.Minute)}}), "ScaleDownStabilized", 4),
		"Stabilization: 8 replicas instead of 3, the highest recommendation in the last 5m, made 1m ago, at 2026-05-04T11:59:00Z. It counts until 2026-05-04T12:04:00Z, in 4m.\n"},
	{bound(of("Stabilization", 9, stage.Stage{Stabilization: &stage.Stabilization{Desired: 12, Direction: stage.Up, Window: window, Recommended: 9, Made: noon}}), "ScaleUpStabilized", 5),
		"Stabilization: 9 replicas instead of 12, the lowest recommendation in the last 5m, made just now. It counts until 2026-05-04T12:05:00Z, in 5m.\n"},
	{bound(of("Stabilization", 8, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Window: window, Recommended: 12, Made: noon.Add(-time.Minute)}}), "ScaleDownStabilized", 4),
		"Stabilization: 8 replicas instead of 3, because of a recommendation of 12, made 1m ago, at 2026-05-04T11:59:00Z. It counts until 2026-05-04T12:04:00Z, in 4m.\n"},
	{bound(of("Stabilization", 8, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Window: window, Recommended: 8, Made: noon, Started: true}}), "ScaleDownStabilized", 5),
		"Stabilization: 8 replicas instead of 3, because there are no recommendations yet: the current size counts as one. It counts until 2026-05-04T12:05:00Z, in 5m.\n"},
	{bound(of("Stabilization", 8, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Recommended: 8, Made: noon.Add(-time.Minute), ColdStart: true}}), "ScaleDownStabilized", 9),
		"Stabilization: 8 replicas instead of 3, because the history began only 1m ago, at 2026-05-04T11:59:00Z. It counts as complete from 2026-05-04T12:09:00Z, in 9m.\n"},
	{between("Stabilization", 3, 8, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Window: window}}),
		"Stabilization: 3 to 8 replicas. The recommendations of the last 5m are not known.\n"},
	{between("Stabilization", 3, 8, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down}}),
		"Stabilization: 3 to 8 replicas. Whether a recommendation of this moment holds the size is not known.\n"},
	{between("Stabilization", 3, 8, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Window: window, Latest: noon.Add(5 * time.Minute)}}),
		"Stabilization: 3 to 8 replicas. The recommendations of the last 5m are not known. They count until 2026-05-04T12:05:00Z, in 5m, at the latest.\n"},
	{bound(of("Stabilization", 8, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Window: window, Latest: noon.Add(5 * time.Minute)}}), "ScaleDownStabilized", 4),
		"Stabilization: 8 replicas instead of 3, because of recommendations in the last 5m. They count until 2026-05-04T12:04:00Z, in 4m, at least, and until 2026-05-04T12:05:00Z, in 5m, at the latest.\n"},
	{between("Stabilization", 3, math.MaxInt32, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Window: window, KnownSince: noon.Add(-time.Minute)}}),
		"Stabilization: at least 3 replicas. The recommendations of the last 5m are not all known.\n"},
	{between("Stabilization", 3, math.MaxInt32, stage.Stage{Stabilization: &stage.Stabilization{Desired: 3, Direction: stage.Down, Window: window, Spec: stage.SpecUnknown}}),
		"Stabilization: at least 3 replicas. The recommendations of the last 5m are not known. The spec may have changed since the status was written, so the status does not show the highest one.\n"},
	{of("Stabilization", 9, stage.Stage{Stabilization: &stage.Stabilization{Desired: 9, Direction: stage.Down, Window: window, Spec: stage.SpecByTimes}}),
		"Stabilization: 9 replicas. There is no higher recommendation in the last 5m. This holds if no field was removed from the spec since the status was written: the time of the last write does not show that.\n"},
}

// pods and percent return policies of a minute.
func pods(value int32, l behavior.PolicyLimit) stage.Policy {
	l.Policy = behavior.Policy{Type: behavior.PodsPolicy, Value: value, PeriodSeconds: 60}
	return stage.Policy{PolicyLimit: l}
}

func percent(value int32, l behavior.PolicyLimit) stage.Policy {
	l.Policy = behavior.Policy{Type: behavior.PercentPolicy, Value: value, PeriodSeconds: 60}
	return stage.Policy{PolicyLimit: l}
}

var limits = []row{
	{of("Policies", 10, stage.Stage{Policies: &stage.Policies{Direction: stage.Up, Select: behavior.SelectMax, Selected: 2, List: []stage.Policy{
		pods(1, behavior.PolicyLimit{Start: 8, Limit: 9}),
		percent(50, behavior.PolicyLimit{Start: 7, Limit: 10, Added: 2, Removed: 1, Until: noon.Add(time.Second)}),
	}}}), "Policies: up to 10 replicas, by policy 2, which allows the most (selectPolicy Max).\n" +
		"  Policy 1: 1 pod up in 1m: from 8 at the start of the period to 9.\n" +
		"  Policy 2: 50% up in 1m: from 7 at the start of the period to 10. Since then: 2 pods added and 1 pod removed. The first of these events counts until 2026-05-04T12:00:01Z, in 1s.\n"},
	{of("Policies", 8, stage.Stage{Policies: &stage.Policies{Direction: stage.Down, Select: behavior.SelectMin, Selected: 1, List: []stage.Policy{
		pods(2, behavior.PolicyLimit{Start: 10, Limit: 8, Removed: 2}), percent(100, behavior.PolicyLimit{}),
	}}}), "Policies: down to 8 replicas, unchanged, by policy 1, which allows the least (selectPolicy Min).\n" +
		"  Policy 1: 2 pods down in 1m: from 10 at the start of the period to 8. Since then: 2 pods removed.\n" +
		"  Policy 2: 100% down in 1m: from 0 at the start of the period to 0.\n"},
	{of("Policies", 0, stage.Stage{Policies: &stage.Policies{Direction: stage.Down, Select: behavior.SelectMax, Selected: 1, List: []stage.Policy{percent(100, behavior.PolicyLimit{Start: 8})}}}),
		"Policies: down to 0 replicas, by the only policy.\n  Policy 1: 100% down in 1m: from 8 at the start of the period to 0.\n"},
	{bound(of("Policies", 8, stage.Stage{Policies: &stage.Policies{Direction: stage.Down, Select: behavior.SelectDisabled}}), "Disabled", 0),
		"Policies: 8 replicas, because selectPolicy Disabled forbids scaling down.\n"},
	{between("Policies", 8, 9, stage.Stage{Policies: &stage.Policies{Direction: stage.Up, EventsUnknown: noon.Add(-time.Minute), List: []stage.Policy{{Unknown: true, PolicyLimit: pods(3, behavior.PolicyLimit{}).PolicyLimit}}}}),
		"Policies: the scale events up to 1m ago, at 2026-05-04T11:59:00Z, are not known.\n  Policy 1: 3 pods up in 1m: some of them may still count.\n"},
	{of("Limits", 8, stage.Stage{Limits: &stage.Limits{DesiredLow: 8, DesiredHigh: 8}}),
		"Limits: 8 replicas, unchanged.\n"},
	{of("Limits", 9, stage.Stage{Limits: &stage.Limits{DesiredLow: 9, DesiredHigh: 9}}),
		"Limits: 9 replicas, within bounds and policies.\n"},
	{bound(of("Limits", 2, stage.Stage{Limits: &stage.Limits{DesiredLow: 1, DesiredHigh: 1}}), "TooFewReplicas", 0),
		"Limits: 2 replicas instead of 1, the minimum.\n"},
	{bound(of("Limits", 10, stage.Stage{Limits: &stage.Limits{DesiredLow: 12, DesiredHigh: 12}}), "TooManyReplicas", 2),
		"Limits: 10 replicas instead of 12, the maximum. That may change at 2026-05-04T12:02:00Z, in 2m.\n"},
	{bound(of("Limits", 10, stage.Stage{Limits: &stage.Limits{DesiredLow: 12, DesiredHigh: 12}}), "ScaleUpLimit", 2),
		"Limits: 10 replicas instead of 12, the most that the policies allow. That changes at 2026-05-04T12:02:00Z, in 2m.\n"},
	{bound(of("Limits", 16, stage.Stage{Limits: &stage.Limits{DesiredLow: 20, DesiredHigh: 20, WithoutBehavior: true}}), "ScaleUpLimit", 0),
		"Limits: 16 replicas instead of 20: without spec.behavior, one sync scales up to twice the size at most, or to 4.\n"},
	{bound(of("Limits", 8, stage.Stage{Limits: &stage.Limits{DesiredLow: 12, DesiredHigh: 12, Disabled: true}}), "ScaleUpLimit", 0),
		"Limits: 8 replicas instead of 12, because scaling up is disabled.\n"},
	{bound(of("Limits", 8, stage.Stage{Limits: &stage.Limits{DesiredLow: 2, DesiredHigh: 2, Disabled: true}}), "ScaleDownLimit", 0),
		"Limits: 8 replicas instead of 2, because scaling down is disabled.\n"},
	{bound(of("Limits", 8, stage.Stage{Limits: &stage.Limits{DesiredLow: 8, DesiredHigh: 8}}), "Another", 0),
		"Limits: 8 replicas, Another.\n"},
	{bound(of("Limits", 10, stage.Stage{Limits: &stage.Limits{DesiredLow: 12, DesiredHigh: 20}}), "TooManyReplicas", 0),
		"Limits: 10 replicas, the maximum.\n"},
	{of("Limits", 10, stage.Stage{Limits: &stage.Limits{DesiredLow: 10, DesiredHigh: 20, Unknown: true}}),
		"Limits: 10 replicas.\n"},
	{between("Limits", 5, 6, stage.Stage{Limits: &stage.Limits{DesiredLow: 5, DesiredHigh: 6, Unknown: true}}),
		"Limits: 5 to 6 replicas.\n"},
	{of("Minimum", 2, stage.Stage{Minimum: &stage.Minimum{Desired: 1}}),
		"Minimum: 2 replicas instead of 1, because minReplicas was raised while the size was 0.\n"},
	{bound(of("Cooldown", 8, stage.Stage{Cooldown: &stage.Cooldown{Desired: 9, Backoff: behavior.BackoffBoth}}), "BackoffBoth", 1),
		"Cooldown: 8 replicas instead of 9, because the last change of size is too recent. This one is allowed from 2026-05-04T12:01:00Z, in 1m.\n"},
	{of("Cooldown", 8, stage.Stage{Cooldown: &stage.Cooldown{Desired: 8, Backoff: behavior.BackoffUpscale}}),
		"Cooldown: 8 replicas. The last change of size forbids scaling up only.\n"},
	{of("Cooldown", 8, stage.Stage{Cooldown: &stage.Cooldown{Desired: 8, Backoff: behavior.BackoffDownscale}}),
		"Cooldown: 8 replicas. The last change of size forbids scaling down only.\n"},
	{of("Cooldown", 8, stage.Stage{Cooldown: &stage.Cooldown{Desired: 8, Backoff: behavior.BackoffBoth}}),
		"Cooldown: 8 replicas, unchanged.\n"},
	{between("Cooldown", 8, 9, stage.Stage{Cooldown: &stage.Cooldown{Desired: 9}}),
		"Cooldown: 8 to 9 replicas.\n"},
}

var ends = []row{
	{between("Fallback", 3, 8, stage.Stage{Fallback: &stage.Fallback{Metrics: []int{1}}}),
		"Fallback: a metric fails, and for how long is not known, so its fallback may count.\n"},
	{of("Next", 8, stage.Stage{Next: new(stage.Next)}),
		"Next: the decision stays the same until an input changes.\n"},
	{bound(of("Next", 8, stage.Stage{Next: new(stage.Next)}), "", 1),
		"Next: the decision stays the same until 2026-05-04T12:01:00Z, in 1m, unless an input changes first.\n"},
	{of("Next", 8, stage.Stage{Next: &stage.Next{Unknown: true}}),
		"Next: how long the decision stays the same is not known.\n"},
	{of("Error", 8, stage.Stage{Error: &stage.Error{Message: "failed to rescale"}}),
		"Error: failed to rescale.\n"},
	{of("Another", 8, stage.Stage{}),
		"Another: 8 replicas.\n"},
}
