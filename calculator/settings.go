package calculator

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// Settings are the release and the flags of kube-controller-manager that a decision
// depends on. The zero Settings tolerate nothing and wait for nothing; DefaultSettings are
// Kubernetes'. Two more flags are the caller's choice: how often it decides
// (--horizontal-pod-autoscaler-sync-period, 15s), and how many decisions it makes
// at once (--concurrent-horizontal-pod-autoscaler-syncs, 5).
type Settings struct {
	// Release is the release of Kubernetes to decide as, with its feature gates.
	// The zero Release is the newest.
	Release release.Release
	// Tolerance is the fraction by which a usage ratio may differ from 1
	// without a change of size, unless the rules of a direction have their own
	// (--horizontal-pod-autoscaler-tolerance, 0.1).
	Tolerance float64
	// DownscaleStabilization is how long a recommendation keeps the size from
	// falling below it (--horizontal-pod-autoscaler-downscale-stabilization, 5m).
	// It is the window without a behavior, and, truncated to whole seconds, that
	// of scaleDown rules that set none.
	DownscaleStabilization time.Duration
	// ReadinessSettings are the flags about young pods.
	podgroup.ReadinessSettings
	// Cooldown is the algorithm of the releases before 1.12 on top of today's:
	// no scaling too soon after the last one. The zero Cooldown is none.
	Cooldown behavior.Cooldown
	// ColdStart is what an autoscaler without a history does about scaling down.
	ColdStart ColdStart
	// Choosing is which of several proposals decides: the largest by default.
	Choosing Choosing
	// Corrections are what is done otherwise than in any release of Kubernetes; none
	// by default.
	Corrections correction.Set
}

// SyncPeriod is how often kube-controller-manager decides unless told otherwise.
const SyncPeriod = 15 * time.Second

// DefaultSettings returns kube-controller-manager's defaults.
func DefaultSettings() Settings {
	return Settings{
		Tolerance:              0.1,
		DownscaleStabilization: 5 * time.Minute,
		ReadinessSettings:      podgroup.DefaultReadinessSettings(),
	}
}

// ToleranceOf returns the tolerance in force for an autoscaler with that behavior:
// the flag, or that of the rules of a direction. The behavior may be nil.
func (s *Settings) ToleranceOf(b *behavior.Behavior) metrics.Tolerance {
	return s.tolerance(b, s.Release.Differences())
}

func (s *Settings) tolerance(b *behavior.Behavior, as release.Differences) metrics.Tolerance {
	if as.Has(release.OneTolerance) {
		b = nil
	}
	t := b.Tolerance(s.Tolerance)
	t.Distance = as.Has(release.ToleranceByDistance)
	return t
}

// ColdStart is what an autoscaler without a history, one that is new or whose
// state was lost, does about scaling down. The zero ColdStart is Kubernetes'.
type ColdStart string

const (
	// RecommendCurrent takes the current size as the only recommendation, as
	// Kubernetes does: the size does not fall below the one of the first sync
	// until that is older than the stabilization window. It holds nothing if
	// the window is zero and there is a behavior, if somebody else raised the
	// size since then, or if a policy would have forbidden the change because of
	// an event that is forgotten.
	RecommendCurrent ColdStart = ""
	// HoldScaleDown does not let the metrics lower the size until everything
	// that a history could hold against it would have passed since the first
	// sync: the stabilization window of scaleDown, or the longest period of its
	// policies, if that is longer. From then on the history is as good as one
	// that was kept. A size above the maximum still goes to the maximum.
	HoldScaleDown ColdStart = "HoldScaleDown"
)
