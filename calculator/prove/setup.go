package prove

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/words"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/metrics"
)

// Setup is what is tested: an autoscaler, its controller and its pods. Tests
// only read it.
type Setup struct {
	// Spec must be valid and have its defaults. It needs no scaleTargetRef, and
	// may have metrics of type Proposal.
	Spec *autoscaling.HorizontalPodAutoscalerSpec
	// Settings are the controller's flags, such as calculator.DefaultSettings.
	Settings calculator.Settings
	// SyncPeriod is the time between decisions, in whole seconds. Zero means
	// calculator.SyncPeriod.
	SyncPeriod time.Duration
	// Startup is the time until a new pod is ready and serves.
	Startup time.Duration
	// Lag is the age of metrics: a sync sees those of the last sync at least
	// that long ago. Averages over the last minutes behave similarly.
	Lag time.Duration
	// Capacity is the most cpu that a pod can use, in percent of its request.
	// Zero means no limit.
	Capacity int32
	// Proposer is the proposer at the start of a run, which decides with a
	// clone; nil leaves all proposals to the library. For a metric of type
	// Proposal, the reading has the load in milli-replicas as its value. In a
	// search, the proposer must not have a memory, nor look at the clock.
	Proposer calculator.Proposer
}

// NewSetup returns a setup with a copy of the spec, its defaults set,
// Kubernetes' settings, and pods that start within 20 seconds.
func NewSetup(spec *autoscaling.HorizontalPodAutoscalerSpec) *Setup {
	s := spec.Clone()
	s.SetDefaults()
	return &Setup{
		Spec:       s,
		Settings:   calculator.DefaultSettings(),
		SyncPeriod: calculator.SyncPeriod,
		Startup:    20 * time.Second,
	}
}

// ParseManifest returns NewSetup of a HorizontalPodAutoscaler in JSON, as
// `kubectl get hpa NAME -o json` prints it. For YAML, use `kubectl patch
// --local --type merge -p '{}' -o json -f FILE`. The error is a
// *kubejson.Error, or a field.ErrorList if the spec is not valid.
func ParseManifest(data []byte) (*Setup, error) {
	a, err := kubejson.DecodeAutoscaler(data)
	if err != nil {
		return nil, err
	}
	s := NewSetup(&a.Spec)
	return s, s.Spec.Validate().Err()
}

// GoString returns the setup in one line, for rapid's log: the spec in JSON and
// the rest. Settings are omitted if they are Kubernetes'.
func (s *Setup) GoString() string {
	text := s.Spec.String()
	if s.Settings != calculator.DefaultSettings() {
		text += fmt.Sprintf(" under %+v", s.Settings)
	}
	return text + fmt.Sprintf(" each %s, startup %s, lag %s, capacity %d%%", words.Span(s.Period()), words.Span(s.Startup), words.Span(s.Lag), s.Capacity)
}

// Validate returns why the setup cannot be tested, or nil.
func (s *Setup) Validate() error {
	switch {
	case s == nil || s.Spec == nil:
		return errors.New("prove: there is no spec")
	case s.SyncPeriod < 0 || s.SyncPeriod%time.Second != 0:
		return fmt.Errorf("prove: SyncPeriod: %v is not a number of seconds", s.SyncPeriod)
	case s.Startup < 0:
		return fmt.Errorf("prove: Startup: %v is negative", s.Startup)
	case s.Lag < 0:
		return fmt.Errorf("prove: Lag: %v is negative", s.Lag)
	case s.Capacity < 0:
		return fmt.Errorf("prove: Capacity: %d is negative", s.Capacity)
	}
	if _, err := s.Settings.OrDefault(); err != nil {
		return fmt.Errorf("prove: %w", err)
	}
	if err := s.Spec.ValidateForDecision().Err(); err != nil {
		return fmt.Errorf("prove: %w", err)
	}
	return nil
}

// invalid returns the error of an argument that is not valid, a [*field.Error].
func invalid(argument string, value any, detail string) error {
	return fmt.Errorf("prove: %w", field.Invalid(argument, value, detail))
}

// Period returns SyncPeriod, or its default.
func (s *Setup) Period() time.Duration { return cmp.Or(s.SyncPeriod, calculator.SyncPeriod) }

// Syncs returns the number of syncs until d has passed, at most as many as can
// be added up in any int.
func (s *Setup) Syncs(d time.Duration) int {
	n := d / s.Period()
	if d%s.Period() > 0 {
		n++
	}
	return int(min(n, math.MaxInt32/4))
}

// Tolerance returns the tolerance of each direction.
func (s *Setup) Tolerance() metrics.Tolerance { return s.Settings.ToleranceOf(s.Spec.Behavior) }
