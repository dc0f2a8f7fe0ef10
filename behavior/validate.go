package behavior

import (
	"strconv"

	"github.com/purehpa/hpa/behavior/field"
)

// The limits of validation.
const (
	// MaxPeriodSeconds is the longest period of a policy, in seconds.
	MaxPeriodSeconds int32 = 1800
	// MaxStabilizationWindowSeconds is the longest stabilization window, in
	// seconds.
	MaxStabilizationWindowSeconds int32 = 3600
)

const (
	scaleUpPath   = "spec.behavior.scaleUp"
	scaleDownPath = "spec.behavior.scaleDown"
)

// Validate reports what is wrong with the rules, in the words and order of the
// API server of Kubernetes 1.37.1. Call it after [Behavior.SetDefaults], as the
// API server does. Apart from policies, what is not set is valid; so is a nil
// b.
func (b *Behavior) Validate() field.ErrorList {
	if b == nil {
		return nil
	}
	return append(b.ScaleUp.Validate(scaleUpPath), b.ScaleDown.Validate(scaleDownPath)...)
}

// Validate is [Behavior.Validate] for the rules of one direction. The errors'
// paths begin with path, such as "spec.behavior.scaleUp". A nil r is valid.
func (r *ScalingRules) Validate(path string) field.ErrorList {
	if r == nil {
		return nil
	}
	return r.check(path, false)
}

// Problem returns the first reason why the rules cannot be applied, or nil: a
// field that [Behavior.SetDefaults] would have filled in, an unknown type or
// select policy, or a number out of range. Unlike [Behavior.Validate] it
// accepts periods and windows that are too long. A nil b has no problem.
//
// Decisions call it each time, so it allocates only for a problem.
func (b *Behavior) Problem() *field.Error {
	if b == nil {
		return nil
	}
	errs := b.ScaleUp.check(scaleUpPath, true)
	// Rules for scaling down may leave the window to the controller's flag.
	if b.ScaleUp != nil && b.ScaleUp.StabilizationWindowSeconds == nil {
		errs = append(errs, undefaulted(scaleUpPath+".stabilizationWindowSeconds"))
	}
	if errs = append(errs, b.ScaleDown.check(scaleDownPath, true)...); len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// check is Validate, or if the rules are about to be applied, all of their
// problems.
func (r *ScalingRules) check(path string, applied bool) (errs field.ErrorList) {
	if r == nil {
		return append(errs, undefaulted(path))
	}
	if w := r.StabilizationWindowSeconds; w != nil {
		if *w < 0 {
			errs = append(errs, field.Invalid(path+".stabilizationWindowSeconds", *w, "must be greater than or equal to zero"))
		}
		if *w > MaxStabilizationWindowSeconds && !applied {
			errs = append(errs, field.Invalid(path+".stabilizationWindowSeconds", *w, "must be less than or equal to 3600"))
		}
	}
	switch r.SelectPolicy {
	case SelectMax, SelectMin, SelectDisabled:
	case "":
		if applied {
			errs = append(errs, undefaulted(path+".selectPolicy"))
		}
	default:
		errs = append(errs, field.NotSupported(path+".selectPolicy", r.SelectPolicy, `"Disabled", "Max", "Min"`))
	}
	if len(r.Policies) == 0 {
		errs = append(errs, field.Required(path+".policies", "must specify at least one Policy"))
	}
	for i, p := range r.Policies {
		if p.Type != PodsPolicy && p.Type != PercentPolicy {
			errs = append(errs, field.NotSupported(policyPath(path, i)+".type", p.Type, `"Percent", "Pods"`))
		}
		if p.Value <= 0 {
			errs = append(errs, field.Invalid(policyPath(path, i)+".value", p.Value, "must be greater than zero"))
		}
		if p.PeriodSeconds <= 0 {
			errs = append(errs, field.Invalid(policyPath(path, i)+".periodSeconds", p.PeriodSeconds, "must be greater than zero"))
		}
		if p.PeriodSeconds > MaxPeriodSeconds && !applied {
			errs = append(errs, field.Invalid(policyPath(path, i)+".periodSeconds", p.PeriodSeconds, "must be less than or equal to 1800"))
		}
	}
	if r.Tolerance.Sign() < 0 {
		errs = append(errs, field.Invalid(path+".tolerance", r.Tolerance.String(), "must be greater than or equal to 0"))
	}
	return errs
}

func policyPath(path string, i int) string { return path + ".policies[" + strconv.Itoa(i) + "]" }

func undefaulted(path string) *field.Error {
	return field.Required(path, "must be set, which SetDefaults does")
}
