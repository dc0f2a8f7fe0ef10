package lint

// Kind is a kind of setting that is valid but probably a mistake.
type Kind string

const (
	// InvalidSelector: the selector of a metric does not parse. The API server
	// accepts it, and the metric fails in each sync: the size never falls,
	// unless Settings.ChooseBy is not ChooseMax. Correct the selector. The
	// other checks are left out, and there is no case.
	InvalidSelector Kind = "InvalidSelector"
	// NeverScales: minReplicas equals maxReplicas, or both directions are
	// disabled. The autoscaler only takes the size back to its bounds. Widen
	// the bounds, enable a direction, or remove the autoscaler. The other
	// checks are left out.
	NeverScales Kind = "NeverScales"
	// UnreachableSize: no load scales to some sizes within the bounds, while
	// all pods are ready and have samples. Tolerance keeps the size; beyond it
	// the ratio, rounded up, is already another one. Utilization in whole
	// percent leaves further gaps. Widen the bounds, or lower the tolerance.
	UnreachableSize Kind = "UnreachableSize"
	// TargetBelowIdle: an idle pod uses more than the target, tolerance
	// included: [Facts].IdleUtilization of its requests, [Facts].IdleCPU, or
	// 1Mi of memory. The size rises to maxReplicas without any load. Often the
	// unit is wrong, such as 1m of cpu for 1, or 512m of memory for 512M.
	TargetBelowIdle Kind = "TargetBelowIdle"
	// TargetOutOfReach: pods that use 100 cpu each propose no larger size. The
	// metric never scales up. Often the unit is wrong, such as 500 for 500m.
	TargetOutOfReach Kind = "TargetOutOfReach"
	// MemoryNeverFalls: while pods keep [Facts].MemoryKept of their memory, the
	// size does not fall to minReplicas. Scale on a metric that falls with the
	// load, and set memory by requests.
	MemoryNeverFalls Kind = "MemoryNeverFalls"
	// NoHeadroom: at the highest utilization within tolerance, pods need all
	// that they request before the next sync if the load grows by
	// [Facts].Growth. Lower the target. Targets above 100% are left alone.
	NoHeadroom Kind = "NoHeadroom"
	// WindowOutlastsPeaks: the stabilization window of scaleUp hides a whole
	// peak of [Facts].Peak, which is never answered. Shorten the window.
	WindowOutlastsPeaks Kind = "WindowOutlastsPeaks"
	// WindowOutlastsPauses: the stabilization window for scaling down, the
	// flag's if the spec sets none, hides a whole pause in load of
	// [Facts].Pause, in which no pod is removed. Shorten the window.
	WindowOutlastsPauses Kind = "WindowOutlastsPauses"
	// UpWindowOutlastsDown: after a change of load, a sync scales down while
	// the window of scaleUp still holds a scale-up: lack of pods lasts longer
	// than surplus. Often the windows are swapped.
	UpWindowOutlastsDown Kind = "UpWindowOutlastsDown"
	// NoDownWindow: the stabilization window for scaling down, the flag's if
	// the spec sets none, does not reach back to the sync before, and a metric
	// is measured of pods. One low reading removes pods, and readings are low
	// while pods start. Set a window of some syncs, such as the default of 300
	// seconds.
	NoDownWindow Kind = "NoDownWindow"
	// ScaleUpDisabled: scale up is disabled, scale down is not, and minReplicas
	// is below [Facts].UsualReplicas. Enable it, or raise minReplicas.
	ScaleUpDisabled Kind = "ScaleUpDisabled"
	// ScaleDownDisabled: scale down is disabled, scale up is not. One peak is
	// paid for until someone else lowers the size. Allow at least a slow
	// policy.
	ScaleDownDisabled Kind = "ScaleDownDisabled"
	// StuckAtZero: the policies for scaling up allow no pod from size 0, for
	// any percentage of 0 is 0. The autoscaler never leaves the size 0. Add a
	// policy of Pods, with selectPolicy Max.
	StuckAtZero Kind = "StuckAtZero"
	// SlowScaleUp: the policies take longer than [Facts].Rise from minReplicas
	// to maxReplicas, if all syncs propose maxReplicas. Allow more, or raise
	// minReplicas.
	SlowScaleUp Kind = "SlowScaleUp"
	// SlowScaleDown: the policies take longer than [Facts].Fall from
	// maxReplicas to minReplicas, if all syncs propose minReplicas. Allow more.
	SlowScaleDown Kind = "SlowScaleDown"
	// PolicyNeverBinds: the select policy never selects a policy, because of
	// another one. Remove it, or correct its numbers.
	PolicyNeverBinds Kind = "PolicyNeverBinds"
	// WideTolerance: the tolerance that the spec sets for scaling up is 1 or
	// more, or that for scaling down 0.5 or more. With twice the target the
	// size does not rise; with half the target it does not fall, and with a
	// tolerance of 1 not even without usage. So the size may stay at half, or
	// twice, what the load needs. A tolerance is a fraction: write 0.1 for 10
	// percent.
	WideTolerance Kind = "WideTolerance"
)

// Kinds returns the kinds that [Lint] checks for.
func Kinds() []Kind {
	return []Kind{
		InvalidSelector, NeverScales, UnreachableSize, TargetBelowIdle, TargetOutOfReach, MemoryNeverFalls, NoHeadroom,
		WindowOutlastsPeaks, WindowOutlastsPauses, UpWindowOutlastsDown, NoDownWindow, ScaleUpDisabled, ScaleDownDisabled,
		StuckAtZero, SlowScaleUp, SlowScaleDown, PolicyNeverBinds, WideTolerance,
	}
}
