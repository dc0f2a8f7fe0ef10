package calculator

import (
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// Zone is the part of the algorithm that a sync takes, by the current size. Its
// values are names for machines and do not change.
type Zone string

const (
	// NoZone: there is no decision, since the input was not valid or the scale
	// could not be read.
	NoZone Zone = ""
	// ZoneNormal: the metrics decide.
	ZoneNormal Zone = "Normal"
	// ZoneDisabled: the size is zero, and the autoscaler did not scale it
	// there.
	ZoneDisabled Zone = "Disabled"
	// ZoneFromZero: the autoscaler scaled the target to zero, and the metrics
	// decide whether it comes back.
	ZoneFromZero Zone = "FromZero"
	// ZoneAboveMax: the size goes straight to the maximum.
	ZoneAboveMax Zone = "AboveMax"
	// ZoneBelowMin: the size goes straight to the minimum.
	ZoneBelowMin Zone = "BelowMin"
)

// computes reports whether the zone computes metrics.
func (z Zone) computes() bool { return z == ZoneNormal || z == ZoneFromZero }

// zoneOf returns the part of the algorithm that the current size asks for, if
// that is not zero.
func zoneOf(current int32, bounds behavior.Bounds) Zone {
	switch {
	case current > bounds.Max:
		return ZoneAboveMax
	case current < bounds.Min:
		return ZoneBelowMin
	}
	return ZoneNormal
}

// zoneOfZero returns the part of the algorithm that a size of zero asks for.
func zoneOfZero(minReplicas int32, spec *autoscaling.HorizontalPodAutoscalerSpec, st *State, quirks release.Quirks) Zone {
	switch {
	case quirks.Has(release.ZeroByMinReplicas) && minReplicas == 0:
		return ZoneNormal
	case quirks.Has(release.ZeroByMinReplicas), quirks.Has(release.NoScaleToZero):
		return ZoneDisabled
	case st.scaledToZero() && (minReplicas != 0 || spec.ScalesFromZero()):
		return ZoneFromZero
	}
	return ZoneDisabled
}

// canBeZero reports whether scaling to zero is allowed and has a way back.
func canBeZero(minReplicas int32, spec *autoscaling.HorizontalPodAutoscalerSpec) bool {
	return minReplicas == 0 && spec.ScalesFromZero()
}

// fromZero proposes the ratio itself at a size of zero, where there are no pods
// to multiply it by. The tolerance does not count. It reports whether the size
// is zero.
func (p *Proposal) fromZero() bool {
	if p.Current != 0 {
		return false
	}
	p.Rule, p.Replicas = RatioFromZero, metrics.Replicas(p.Ratio)
	return true
}

// raisesToMin reports whether a target that comes back from zero goes to the
// minimum, because that was raised above the size in the meantime.
func (z Zone) raisesToMin(desired, minReplicas int32) bool {
	return z == ZoneFromZero && desired < minReplicas
}

// scaledToZero reports whether the autoscaler itself scaled the target to zero.
func (s *State) scaledToZero() bool {
	c := s.Condition(autoscaling.ScaledToZero)
	return c != nil && c.Status == autoscaling.ConditionTrue
}

// zeroDecides reports whether the condition ScaledToZero can decide about a
// size of zero.
func (s *State) zeroDecides(settings *Settings, spec *autoscaling.HorizontalPodAutoscalerSpec) bool {
	quirks := settings.Release.Quirks()
	return !quirks.Has(release.ZeroByMinReplicas) && !quirks.Has(release.NoScaleToZero) &&
		(spec.Bounds().Min != 0 || spec.ScalesFromZero())
}

// sayDisabled sets the condition ScalingActive for ZoneDisabled. A release
// without scaling to zero removes ScaledToZero; the quirk that does so is
// returned.
func (s *State) sayDisabled(now *time.Time, quirks release.Quirks) (mattered release.Quirks) {
	s.say(now, autoscaling.ScalingActive, autoscaling.ConditionFalse, "ScalingDisabled", "scaling is disabled since the replica count of the target is zero")
	if quirks.Has(release.NoScaleToZero) && s.Condition(autoscaling.ScaledToZero) != nil {
		return s.sayScaledToZero(now, false, quirks)
	}
	return 0
}

// sayScaledToZero sets the condition ScaledToZero. Older releases do not; the
// quirk is returned then, unless a newer one has left the same condition.
func (s *State) sayScaledToZero(now *time.Time, scaled bool, quirks release.Quirks) (mattered release.Quirks) {
	status, reason, message := autoscaling.ConditionFalse, "NotScaledToZero", "the HPA controller did not scale the workload to zero"
	if scaled {
		status, reason, message = autoscaling.ConditionTrue, "ScaledToZero", "the HPA controller scaled the workload to zero"
	}
	if !quirks.Has(release.NoScaledToZero) {
		s.say(now, autoscaling.ScaledToZero, status, reason, message)
		return 0
	}
	if quirks.Has(release.NoScaleToZero) {
		s.Conditions = slices.DeleteFunc(s.Conditions, func(c autoscaling.HorizontalPodAutoscalerCondition) bool { return c.Type == autoscaling.ScaledToZero })
	}
	if c := s.Condition(autoscaling.ScaledToZero); c != nil && c.Status == status && c.Reason == reason && c.Message == message {
		return 0
	}
	return release.Quirks(release.NoScaledToZero)
}
