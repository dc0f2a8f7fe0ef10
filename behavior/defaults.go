package behavior

func ptr32(v int32) *int32 { return &v }

// DefaultScaleUp returns the rules that a way up without rules has: no
// stabilization, and the larger of 4 pods and 100 percent within 15 seconds.
// Each call returns its own slices and pointers.
func DefaultScaleUp() Rules {
	return Rules{
		StabilizationWindowSeconds: ptr32(0),
		SelectPolicy:               SelectMax,
		Policies: []Policy{
			{Type: PodsPolicy, Value: 4, PeriodSeconds: 15},
			{Type: PercentPolicy, Value: 100, PeriodSeconds: 15},
		},
	}
}

// DefaultScaleDown returns the rules that a way down without rules has: 100
// percent within 15 seconds, and no stabilization window, so that the
// controller's downscale stabilization decides. Each call returns its own slice.
func DefaultScaleDown() Rules {
	return Rules{
		SelectPolicy: SelectMax,
		Policies:     []Policy{{Type: PercentPolicy, Value: 100, PeriodSeconds: 15}},
	}
}

// SetDefaults fills what the rules of both directions leave out, as the API
// server does when it reads a HorizontalPodAutoscaler. What is set stays. It
// leaves the stabilization window of the way down and both tolerances unset,
// which the controller's flags decide, and an empty list of policies that is
// not nil empty. A nil receiver stays nil.
func (b *Behavior) SetDefaults() {
	if b == nil {
		return
	}
	b.ScaleUp = b.ScaleUp.orDefault(DefaultScaleUp())
	b.ScaleDown = b.ScaleDown.orDefault(DefaultScaleDown())
}

func (r *Rules) orDefault(def Rules) *Rules {
	if r == nil {
		return &def
	}
	// The caller may share r between autoscalers, so the result is its own value.
	c := *r.Clone()
	if c.StabilizationWindowSeconds == nil {
		c.StabilizationWindowSeconds = def.StabilizationWindowSeconds
	}
	if c.SelectPolicy == "" {
		c.SelectPolicy = def.SelectPolicy
	}
	if c.Policies == nil {
		c.Policies = def.Policies
	}
	return &c
}
