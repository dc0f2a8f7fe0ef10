package calctest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
)

// Rules are what is tested: what an autoscaler asks for, the controller that it
// runs under, and the pods that it runs. They are not changed by any test.
type Rules struct {
	// Spec has its defaults and is valid.
	Spec *calculator.Spec
	// Settings are the controller's flags.
	Settings calculator.Settings
	// SyncPeriod is the time from one decision to the next, in whole seconds;
	// zero stands for calculator.SyncPeriod.
	SyncPeriod time.Duration
	// Startup is how long a new pod takes until it is ready, and takes its
	// share of the load. Zero is at once.
	Startup time.Duration
	// Lag is how old metrics are: a reading tells of the sync before that time,
	// as an average over the last minutes does more or less. Zero is none.
	Lag time.Duration
	// Capacity is how much cpu a pod can use, in percent of its request,
	// however much load there is: its limit. Zero is no limit.
	Capacity int32
}

// NewRules returns rules for the spec with Kubernetes' settings and pods that
// start within 20 seconds. It sets the spec's defaults, in a copy.
func NewRules(spec *calculator.Spec) *Rules {
	s := spec.Clone()
	s.SetDefaults()
	return &Rules{
		Spec:       s,
		Settings:   calculator.DefaultSettings(),
		SyncPeriod: calculator.SyncPeriod,
		Startup:    20 * time.Second,
	}
}

// ParseManifest reads what `kubectl get hpa NAME -o json` prints and makes
// NewRules of it. A manifest in YAML becomes such JSON with `kubectl create
// --dry-run=client -o json -f FILE`. The error is a *kubejson.Error, or
// field.ErrorList if the spec is not valid.
func ParseManifest(data []byte) (*Rules, error) {
	a, err := kubejson.DecodeAutoscaler(data)
	if err != nil {
		return nil, err
	}
	r := NewRules(&a.Spec)
	return r, r.Spec.Validate().Err()
}

// Manifest is ParseManifest of a file; a failure ends the test.
func Manifest(tb testing.TB, file string) *Rules {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := ParseManifest(data)
	if err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	return r
}

// GoString tells the rules in a line, for rapid's log: the spec as JSON, and what
// differs from NewRules.
func (r *Rules) GoString() string {
	spec, err := json.Marshal(r.Spec)
	if err != nil {
		return fmt.Sprintf("rules that are not JSON: %v", err)
	}
	text, usual := string(spec), NewRules(r.Spec)
	if r.Settings != usual.Settings {
		text += fmt.Sprintf(" under %+v", r.Settings)
	}
	return text + fmt.Sprintf(" each %s, startup %s, lag %s, capacity %d%%", span(r.period()), span(r.Startup), span(r.Lag), r.Capacity)
}

// problem returns why the rules cannot be tested.
func (r *Rules) problem() error {
	switch {
	case r == nil || r.Spec == nil:
		return errors.New("calctest: there are no rules")
	case r.SyncPeriod < 0 || r.SyncPeriod%time.Second != 0:
		return fmt.Errorf("calctest: SyncPeriod: %v is not a number of seconds", r.SyncPeriod)
	case r.Startup < 0:
		return fmt.Errorf("calctest: Startup: %v is negative", r.Startup)
	case r.Lag < 0:
		return fmt.Errorf("calctest: Lag: %v is negative", r.Lag)
	case r.Capacity < 0:
		return fmt.Errorf("calctest: Capacity: %d is negative", r.Capacity)
	}
	if err := r.Spec.Validate().Err(); err != nil {
		return fmt.Errorf("calctest: %w", err)
	}
	return nil
}

func (r *Rules) period() time.Duration {
	if r.SyncPeriod == 0 {
		return calculator.SyncPeriod
	}
	return r.SyncPeriod
}

// syncs is how many syncs it takes for the time to pass.
func (r *Rules) syncs(d time.Duration) int {
	p := r.period()
	return int((d + p - 1) / p)
}

func (r *Rules) minReplicas() int32 {
	if r.Spec.MinReplicas == nil {
		return 1
	}
	return *r.Spec.MinReplicas
}

// tolerance returns the tolerances that hold, up and down.
func (r *Rules) tolerance() (up, down float64) {
	up, down = r.Settings.Tolerance, r.Settings.Tolerance
	if b := r.Spec.Behavior; b != nil {
		if b.ScaleUp != nil && b.ScaleUp.Tolerance.IsSet() {
			up = b.ScaleUp.Tolerance.Float64()
		}
		if b.ScaleDown != nil && b.ScaleDown.Tolerance.IsSet() {
			down = b.ScaleDown.Tolerance.Float64()
		}
	}
	return up, down
}
