package behavior

import (
	"strconv"

	"github.com/purehpa/hpa/behavior/field"
)

// The limits of validation.
const (
	// MaxPeriodSeconds is the longest period of a policy, in seconds.
	MaxPeriodSeconds int32 = 1800
	// MaxStabilizationWindowSeconds is the longest stabilization window, in seconds.
	MaxStabilizationWindowSeconds int32 = 3600
)

const (
	scaleUpPath   = "spec.behavior.scaleUp"
	scaleDownPath = "spec.behavior.scaleDown"
)

// Validate checks the rules of both directions as the API server of Kubernetes
// 1.37.1 does, which validates after defaulting, and returns all complaints in
// its order and words. What is not set is valid, an empty list of policies
// excepted. A nil receiver is valid.
func (b *Behavior) Validate() field.ErrorList {
	if b == nil {
		return nil
	}
	return append(b.ScaleUp.Validate(scaleUpPath), b.ScaleDown.Validate(scaleDownPath)...)
}

// Validate checks the rules of one direction; path names them in the
// complaints, such as "spec.behavior.scaleUp". A nil receiver is valid.
func (r *Rules) Validate(path string) field.ErrorList {
	if r == nil {
		return nil
	}
	var errs field.ErrorList
	if w := r.StabilizationWindowSeconds; w != nil && *w < 0 {
		errs = append(errs, negativeWindow(path, *w))
	}
	if w := r.StabilizationWindowSeconds; w != nil && *w > MaxStabilizationWindowSeconds {
		errs = append(errs, field.Invalid(path+".stabilizationWindowSeconds", *w, "must be less than or equal to 3600"))
	}
	if r.SelectPolicy != "" && !r.SelectPolicy.known() {
		errs = append(errs, unknownSelectPolicy(path, r.SelectPolicy))
	}
	if len(r.Policies) == 0 {
		errs = append(errs, noPolicies(path))
	}
	for i, p := range r.Policies {
		if !p.Type.known() {
			errs = append(errs, unknownPolicyType(path, i, p.Type))
		}
		if p.Value <= 0 {
			errs = append(errs, notPositive(path, i, "value", p.Value))
		}
		if p.PeriodSeconds <= 0 {
			errs = append(errs, notPositive(path, i, "periodSeconds", p.PeriodSeconds))
		}
		if p.PeriodSeconds > MaxPeriodSeconds {
			errs = append(errs, field.Invalid(policyPath(path, i)+".periodSeconds", p.PeriodSeconds, "must be less than or equal to 1800"))
		}
	}
	if r.Tolerance.Sign() < 0 {
		errs = append(errs, negativeTolerance(path, r))
	}
	return errs
}

// Problem returns the first reason why the rules cannot be applied as they are,
// and nil when they can: something that [Behavior.SetDefaults] would have filled
// and that is missing, an unknown type or select policy, or a number that means
// nothing. It asks for less than [Behavior.Validate] where a number is merely
// beyond a limit, and for more where something is not set. It allocates only for
// a problem, so that each decision can call it. A nil receiver has no problem.
func (b *Behavior) Problem() *field.Error {
	if b == nil {
		return nil
	}
	if e := b.ScaleUp.problem(scaleUpPath); e != nil {
		return e
	}
	// The way down may leave its window to the controller's flag.
	if b.ScaleUp.StabilizationWindowSeconds == nil {
		return undefaulted(scaleUpPath + ".stabilizationWindowSeconds")
	}
	return b.ScaleDown.problem(scaleDownPath)
}

func (r *Rules) problem(path string) *field.Error {
	if r == nil {
		return undefaulted(path)
	}
	if w := r.StabilizationWindowSeconds; w != nil && *w < 0 {
		return negativeWindow(path, *w)
	}
	if r.SelectPolicy == "" {
		return undefaulted(path + ".selectPolicy")
	}
	if !r.SelectPolicy.known() {
		return unknownSelectPolicy(path, r.SelectPolicy)
	}
	if len(r.Policies) == 0 {
		return noPolicies(path)
	}
	for i := range r.Policies {
		switch p := &r.Policies[i]; {
		case !p.Type.known():
			return unknownPolicyType(path, i, p.Type)
		case p.Value <= 0:
			return notPositive(path, i, "value", p.Value)
		case p.PeriodSeconds <= 0:
			return notPositive(path, i, "periodSeconds", p.PeriodSeconds)
		}
	}
	if r.Tolerance.Sign() < 0 {
		return negativeTolerance(path, r)
	}
	return nil
}

func (p SelectPolicy) known() bool {
	return p == SelectMax || p == SelectMin || p == SelectDisabled
}

func (t PolicyType) known() bool { return t == PodsPolicy || t == PercentPolicy }

func policyPath(path string, i int) string { return path + ".policies[" + strconv.Itoa(i) + "]" }

func undefaulted(path string) *field.Error {
	return field.Required(path, "must be set, which SetDefaults does")
}

func negativeWindow(path string, w int32) *field.Error {
	return field.Invalid(path+".stabilizationWindowSeconds", w, "must be greater than or equal to zero")
}

func unknownSelectPolicy(path string, p SelectPolicy) *field.Error {
	return field.NotSupported(path+".selectPolicy", p, `"Disabled", "Max", "Min"`)
}

func noPolicies(path string) *field.Error {
	return field.Required(path+".policies", "must specify at least one Policy")
}

func unknownPolicyType(path string, i int, t PolicyType) *field.Error {
	return field.NotSupported(policyPath(path, i)+".type", t, `"Percent", "Pods"`)
}

func notPositive(path string, i int, name string, v int32) *field.Error {
	return field.Invalid(policyPath(path, i)+"."+name, v, "must be greater than zero")
}

func negativeTolerance(path string, r *Rules) *field.Error {
	return field.Invalid(path+".tolerance", r.Tolerance.String(), "must be greater than or equal to 0")
}
