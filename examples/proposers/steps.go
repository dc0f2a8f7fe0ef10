package proposers

import (
	"fmt"
	"math"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// Steps adjusts the size by what a table says for the distance of a value from
// its target. Before the first step of a direction nothing happens.
//
// It is the step scaling of AWS, with both of its policies in one. A step is
// taken in each sync: how often one may be, and how long it takes to warm up,
// is for the policies and windows of the spec's behavior.
type Steps struct {
	// Target is the value that is wanted, in milli-units.
	Target metrics.Milli
	// Up and Down are the steps above and below the target, the nearest first.
	// Each reaches to the next one, the last one has no end.
	Up, Down []Step
	// MinAdjustment is the fewest pods that a percentage stands for, AWS's
	// MinAdjustmentMagnitude.
	MinAdjustment int32
}

// Step is an adjustment and where it begins.
type Step struct {
	// From is the distance from the target in milli-units, inclusive, not
	// negative.
	From metrics.Milli
	// Type says what Value counts: pods, or percent of the current size. A
	// percentage is rounded down, but to one pod at least.
	Type behavior.PolicyType
	// Value is how much is added or removed, not negative. 0 keeps the size.
	Value int32
}

// Propose returns the size for the value, in milli-units, at the current size.
func (s *Steps) Propose(value metrics.Milli, replicas int32) (calculator.Proposed, error) {
	if err := s.check(replicas); err != nil {
		return calculator.Proposed{}, err
	}
	p := calculator.Proposed{Replicas: replicas, Value: value}
	above := distance(value, s.Target)
	if i := reached(s.Up, above); i >= 0 {
		n := s.pods(s.Up[i], replicas)
		p.Replicas = int32(min(int64(replicas)+n, math.MaxInt32))
		p.Text = fmt.Sprintf("%v is %v above the target of %v: the step from %v adds %s",
			value, above, s.Target, s.Up[i].From, s.Up[i].amount(n))
	} else if i := reached(s.Down, -above); i >= 0 {
		n := s.pods(s.Down[i], replicas)
		p.Replicas = int32(max(int64(replicas)-n, 0))
		p.Text = fmt.Sprintf("%v is %v below the target of %v: the step from %v removes %s",
			value, -above, s.Target, s.Down[i].From, s.Down[i].amount(n))
	} else {
		p.Text = fmt.Sprintf("no step from the target of %v reaches to %v", s.Target, value)
	}
	return p, nil
}

// distance returns a-b, saturated such that it can be negated.
func distance(a, b metrics.Milli) metrics.Milli {
	var d metrics.Sum
	d.Add(a)
	d.Sub(b)
	return max(d.Milli(), -math.MaxInt64)
}

// reached returns the index of the last step that the distance reaches, -1 if
// none.
func reached(steps []Step, distance metrics.Milli) int {
	last := -1
	for i := range steps {
		if distance >= steps[i].From {
			last = i
		}
	}
	return last
}

// pods returns how many pods a step stands for at a size.
func (s *Steps) pods(step Step, replicas int32) int64 {
	switch {
	case step.Value == 0:
		return 0
	case step.Type == behavior.PodsPolicy:
		return int64(step.Value)
	}
	least := int64(max(s.MinAdjustment, min(replicas, 1))) // nothing, of no pods
	return max(int64(replicas)*int64(step.Value)/100, least)
}

// amount is what a step adjusts, and how many pods that is.
func (step Step) amount(pods int64) string {
	text := fmt.Sprintf("%d pods", pods)
	if pods == 1 {
		text = "1 pod"
	}
	if step.Type == behavior.PercentPolicy {
		return fmt.Sprintf("%d%%, %s", step.Value, text)
	}
	return text
}

// check returns what is wrong with the settings or the size.
func (s *Steps) check(replicas int32) error {
	if err := checkSteps("steps.up", s.Up); err != nil {
		return err
	}
	if err := checkSteps("steps.down", s.Down); err != nil {
		return err
	}
	switch {
	case reached(s.Up, 0) >= 0 && reached(s.Down, 0) >= 0:
		return field.Invalid("steps.down[0].from", s.Down[0].From.String(), "must be positive, since a step up begins on the target, too")
	case s.MinAdjustment < 0:
		return field.Invalid("steps.minAdjustment", s.MinAdjustment, "must not be negative")
	case replicas < 0:
		return field.Invalid("replicas", replicas, "must not be negative")
	}
	return nil
}

func checkSteps(path string, steps []Step) error {
	for i, step := range steps {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch {
		case step.From < 0:
			return field.Invalid(at+".from", step.From.String(), "must not be negative")
		case i > 0 && step.From <= steps[i-1].From:
			return field.Invalid(at+".from", step.From.String(), "must be further from the target than the step before")
		case step.Type != behavior.PodsPolicy && step.Type != behavior.PercentPolicy:
			return field.NotSupported(at+".type", step.Type, `"Percent", "Pods"`)
		case step.Value < 0:
			return field.Invalid(at+".value", step.Value, "must not be negative")
		}
	}
	return nil
}
