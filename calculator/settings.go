package calculator

import (
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/podgroup"
)

// Settings are the release and the flags of kube-controller-manager that a
// decision depends on. A nil *Settings means [DefaultSettings], Kubernetes'
// defaults; to change some of them, start from DefaultSettings. Two more flags
// are the caller's choice: how often it decides
// (--horizontal-pod-autoscaler-sync-period, 15s), and how many decisions it
// makes at once (--concurrent-horizontal-pod-autoscaler-syncs, 5).
//
// The flags are Tolerance, DownscaleStabilization and the ReadinessSettings.
// Zero is a value of each, not its default. [Decide] refuses Settings whose
// flags are all zero, such as Settings{}, unless ZeroFlags is set: usually
// someone forgot them, and without a window the size falls at once.
type Settings struct {
	// Release is the release of Kubernetes to decide as, with its feature
	// gates. The zero Release is the newest.
	Release release.Release
	// Tolerance is the fraction by which a usage ratio may differ from 1
	// without a change of size, unless the rules of a direction have their own
	// (--horizontal-pod-autoscaler-tolerance, 0.1).
	Tolerance float64
	// DownscaleStabilization is how long a recommendation keeps the size from
	// falling below it (--horizontal-pod-autoscaler-downscale-stabilization,
	// 5m). It is the window without a behavior, and, truncated to whole
	// seconds, that of scaleDown rules that set none.
	DownscaleStabilization time.Duration
	// ReadinessSettings are the flags about young pods.
	podgroup.ReadinessSettings
	// ZeroFlags accepts flags that are all zero: the controller then tolerates
	// nothing and waits for nothing. It has no effect on other flags.
	ZeroFlags bool
	// Cooldown is the algorithm of the releases before 1.12 on top of today's:
	// no scaling too soon after the last one. The zero Cooldown forbids
	// nothing.
	Cooldown behavior.Cooldown
	// ColdStart is how an autoscaler without a history scales down.
	ColdStart ColdStart
	// ChooseBy selects which of several proposals decides: the largest by
	// default.
	ChooseBy ChooseBy
	// Corrections change behavior that all releases of Kubernetes share; none
	// by default.
	Corrections correction.Set
}

// SyncPeriod is how often kube-controller-manager decides by default.
const SyncPeriod = 15 * time.Second

// DefaultSettings returns kube-controller-manager's defaults, which a nil
// *Settings means, too.
func DefaultSettings() Settings {
	return Settings{
		Tolerance:              0.1,
		DownscaleStabilization: 5 * time.Minute,
		ReadinessSettings:      podgroup.DefaultReadinessSettings(),
	}
}

// OrDefault returns a copy of s, or [DefaultSettings] if s is nil. The error is
// a [*field.Error] if the flags are all zero and ZeroFlags is not set. [Decide]
// then returns the same error.
func (s *Settings) OrDefault() (Settings, error) {
	switch {
	case s == nil:
		return DefaultSettings(), nil
	case !s.ZeroFlags && s.Tolerance == 0 && s.DownscaleStabilization == 0 && s.ReadinessSettings == podgroup.ReadinessSettings{}:
		return *s, field.Required("settings", "all flags are zero: use calculator.DefaultSettings() or nil, or set ZeroFlags")
	}
	return *s, nil
}
