package calculator

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/podgroup"
)

// Settings are the flags of kube-controller-manager that a decision depends on.
// The zero Settings tolerate nothing and wait for nothing; DefaultSettings are
// Kubernetes'.
//
// The flags, with what became of them here:
//
//	--horizontal-pod-autoscaler-tolerance (0.1)
//	        Tolerance
//	--horizontal-pod-autoscaler-downscale-stabilization (5m)
//	        DownscaleStabilization
//	--horizontal-pod-autoscaler-cpu-initialization-period (5m)
//	        CPUInitializationPeriod
//	--horizontal-pod-autoscaler-initial-readiness-delay (30s)
//	        InitialReadinessDelay
//	--horizontal-pod-autoscaler-sync-period (15s)
//	        how often the caller decides; SyncPeriod is the default
//	--concurrent-horizontal-pod-autoscaler-syncs (5)
//	        how many decisions the caller makes at once; a decision needs
//	        nothing but its arguments
//	--horizontal-pod-autoscaler-upscale-delay (3m, until 1.12)
//	--horizontal-pod-autoscaler-downscale-delay (5m, until 1.12)
//	        Cooldown, an option
//	--horizontal-pod-autoscaler-use-rest-clients (true, until 1.25)
//	        where metrics come from, which is the caller's choice
type Settings struct {
	// Tolerance is the fraction by which a usage ratio may differ from 1
	// without a change of size, in both directions, unless the rules of a
	// direction have their own.
	Tolerance float64
	// DownscaleStabilization is how long a recommendation keeps the size from
	// falling below it. It is the window without a behavior, and, truncated to
	// whole seconds, that of scaleDown rules that set none.
	DownscaleStabilization time.Duration
	// Settings are the flags about young pods.
	podgroup.Settings
	// Cooldown is the algorithm of the releases before 1.12 on top of today's:
	// no scaling too soon after the last one. The zero Cooldown is none, as in
	// Kubernetes today.
	Cooldown behavior.Cooldown
	// ColdStart is what an autoscaler without a history does about the way
	// down. The zero ColdStart is what Kubernetes does.
	ColdStart ColdStart
}

// SyncPeriod is how often kube-controller-manager decides unless told otherwise.
const SyncPeriod = 15 * time.Second

// DefaultSettings returns kube-controller-manager's defaults.
func DefaultSettings() Settings {
	return Settings{
		Tolerance:              0.1,
		DownscaleStabilization: 5 * time.Minute,
		Settings:               podgroup.DefaultSettings(),
	}
}
