package behavior

import "cmp"

// DefaultScaleUp returns the default rules for scaling up: no stabilization,
// and the larger of 4 pods and 100 percent in 15 seconds. Results share no
// memory.
func DefaultScaleUp() ScalingRules {
	return ScalingRules{
		StabilizationWindowSeconds: new(int32),
		SelectPolicy:               SelectMax,
		Policies: []Policy{
			{Type: PodsPolicy, Value: 4, PeriodSeconds: 15},
			{Type: PercentPolicy, Value: 100, PeriodSeconds: 15},
		},
	}
}

// DefaultScaleDown returns the default rules for scaling down: 100 percent in
// 15 seconds. They leave the stabilization window to the controller's flag.
// Results share no memory.
func DefaultScaleDown() ScalingRules {
	return ScalingRules{
		SelectPolicy: SelectMax,
		Policies:     []Policy{{Type: PercentPolicy, Value: 100, PeriodSeconds: 15}},
	}
}

// Default returns a behavior of default rules, which is not the same as none:
// see [LimitWithoutBehavior]. Results share no memory.
func Default() *Behavior {
	b := new(Behavior)
	b.SetDefaults()
	return b
}

// SetDefaults fills in what the rules of both directions leave out, as the API
// server does. What is set stays. It leaves out what the controller's flags
// decide: the window for scaling down and both tolerances. Policies that are
// empty and not nil stay empty. Rules are copied first, so several autoscalers
// may share them. A nil b stays nil.
func (b *Behavior) SetDefaults() {
	if b == nil {
		return
	}
	b.ScaleUp = b.ScaleUp.orDefault(DefaultScaleUp())
	b.ScaleDown = b.ScaleDown.orDefault(DefaultScaleDown())
}

func (r *ScalingRules) orDefault(def ScalingRules) *ScalingRules {
	if r == nil {
		return &def
	}
	c := r.Clone()
	c.StabilizationWindowSeconds = cmp.Or(c.StabilizationWindowSeconds, def.StabilizationWindowSeconds)
	c.SelectPolicy = cmp.Or(c.SelectPolicy, def.SelectPolicy)
	if c.Policies == nil {
		c.Policies = def.Policies
	}
	return c
}
