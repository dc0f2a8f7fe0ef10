package podgroup

import "time"

// ReadinessSettings are the controller's settings for pods that started
// recently. They apply to cpu metrics only. Most callers should use
// [DefaultReadinessSettings]; in the zero ReadinessSettings both times are 0.
type ReadinessSettings struct {
	// CPUInitializationPeriod is a time from a pod's start. Until it ends, the
	// pod is unready unless it is ready and its sample's window began after it
	// became so
	// (--horizontal-pod-autoscaler-cpu-initialization-period, default 5m).
	CPUInitializationPeriod time.Duration
	// InitialReadinessDelay is a time from a pod's start. A pod whose Ready
	// condition became False before it ended counts as never having been ready
	// (--horizontal-pod-autoscaler-initial-readiness-delay, default 30s).
	InitialReadinessDelay time.Duration
}

// DefaultReadinessSettings returns kube-controller-manager's defaults.
func DefaultReadinessSettings() ReadinessSettings {
	return ReadinessSettings{CPUInitializationPeriod: 5 * time.Minute, InitialReadinessDelay: 30 * time.Second}
}
