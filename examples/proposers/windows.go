package proposers

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/metrics"
)

// Windows asks for the pods that the average load of a stable window takes.
// When a short window asks for far more than are ready, a panic begins: the
// short window counts as well, and the size does not fall until a stable window
// after the panic was last seen.
//
// It is Knative's autoscaler (KPA). Its bounds and its delay of scaling down
// are the bounds and the stabilization window of the spec. Its target burst
// capacity is not here: that routes requests, and changes no size.
type Windows struct {
	// Target is the load of one pod, in milli-units, above 0: of requests at a
	// time, or in a second.
	Target metrics.Milli
	// Stable and Panic are the windows, in whole seconds: 1s <= Panic <= Stable
	// <= 1h.
	Stable, Panic time.Duration
	// PanicThreshold is how many times the ready pods the panic window has to
	// ask for, above 1.
	PanicThreshold float64
	// MaxScaleUpRate is what the ready pods are multiplied by for the largest
	// proposal, above 1.
	MaxScaleUpRate float64
	// MaxScaleDownRate is what they are divided by for the smallest, above 1; 0
	// limits nothing, as for a revision of Knative that no route reaches.
	MaxScaleDownRate float64
	// ActivationScale is the smallest size other than 0, not negative.
	ActivationScale int32
}

// DefaultWindows returns Knative's defaults for a target, in milli-units.
func DefaultWindows(target metrics.Milli) Windows {
	return Windows{
		Target: target, Stable: time.Minute, Panic: 6 * time.Second,
		PanicThreshold: 2, MaxScaleUpRate: 1000, MaxScaleDownRate: 2,
	}
}

// ErrNoLoad is why there is no proposal: nothing was recorded in the stable
// window.
var ErrNoLoad = errors.New("no load was recorded in the stable window")

// Propose returns the size at now, with that many pods ready, and notes in the
// load whether there is a panic. One seen later than a stable window after now,
// before the clock went back, counts as seen now. On an error the load is as it
// was.
func (w *Windows) Propose(now time.Time, ready int32, l *Load) (calculator.Proposed, error) {
	if l == nil {
		return calculator.Proposed{}, field.Required("load", "")
	}
	if err := w.check(ready); err != nil {
		return calculator.Proposed{}, err
	}
	next := *l
	a, err := w.ask(now, ready, &next)
	if err != nil {
		return calculator.Proposed{}, err
	}
	*l = next
	return calculator.Proposed{Replicas: a.replicas, Value: a.stable, Text: w.text(&a, l), Until: w.until(now, ready, *l, a.replicas)}, nil
}

// asked is what the windows ask for.
type asked struct {
	stable, panic         metrics.Milli // averages
	stablePods, panicPods float64
	least, most           float64 // as the rates limit
	replicas              int32
}

// ask computes the size. Of the load it changes the panic alone.
func (w *Windows) ask(now time.Time, ready int32, l *Load) (a asked, err error) {
	at, pods := now.Unix(), float64(max(ready, 1))
	if idle := l.Stable.idle(at); idle > seconds(w.Stable) || idle < -seconds(w.Stable) {
		return a, ErrNoLoad
	}
	a.stable, a.stablePods = l.Stable.average(at, seconds(w.Stable), w.Target)
	a.panic, a.panicPods = l.Panic.average(at, seconds(w.Panic), w.Target)
	a.most = math.Ceil(pods * w.MaxScaleUpRate)
	if w.MaxScaleDownRate != 0 {
		a.least = math.Floor(pods / w.MaxScaleDownRate)
	}
	if a.panicPods/pods >= w.PanicThreshold || l.PanicSeen.Add(-w.Stable).After(now) { // the clock went back
		l.PanicSeen = now.Round(0).UTC() // without the monotonic clock
	} else if l.PanicSeen.Add(w.Stable).Before(now) {
		l.PanicSeen, l.PanicReplicas = time.Time{}, 0
	}
	a.replicas = w.limited(a.stablePods, &a)
	if !l.PanicSeen.IsZero() {
		l.PanicReplicas = max(l.PanicReplicas, a.replicas, w.limited(a.panicPods, &a))
		a.replicas = l.PanicReplicas
	}
	return a, nil
}

// limited returns a number of pods within the rates, and at least the
// activation scale.
func (w *Windows) limited(pods float64, a *asked) int32 {
	n := metrics.Replicas(min(max(pods, a.least), a.most))
	if pods > 0 {
		n = max(n, w.ActivationScale)
	}
	return n
}

// until returns when the proposal is another one, or none, if nothing is
// recorded until then and nobody asks: as a second leaves a window, or as the
// panic ends.
func (w *Windows) until(now time.Time, ready int32, l Load, replicas int32) time.Time {
	calm := l.PanicSeen.Add(w.Stable + 1)
	for t, then := now, l; ; then = l {
		next := time.Unix(max(t.Unix(), l.Stable.last())+1, 0)
		if calm.After(t) && calm.Before(next) {
			next = calm
		}
		t = next
		if a, err := w.ask(t, ready, &then); err != nil || a.replicas != replicas {
			return t.UTC()
		}
	}
}

// text says what the windows ask for, and what changed that size.
func (w *Windows) text(a *asked, l *Load) string {
	text := fmt.Sprintf("%v over %ds is %.0f pods of %v, %v over %ds is %.0f",
		a.stable, seconds(w.Stable), a.stablePods, w.Target, a.panic, seconds(w.Panic), a.panicPods)
	if a.stablePods < a.least {
		text += fmt.Sprintf("; the rate allows no fewer than %.0f", a.least)
	}
	if max(a.stablePods, a.panicPods) > a.most {
		text += fmt.Sprintf("; the rate allows no more than %.0f", a.most)
	}
	if !l.PanicSeen.IsZero() {
		text += fmt.Sprintf("; the panic last seen at %s keeps %d", l.PanicSeen.Format(time.RFC3339), l.PanicReplicas)
	}
	return text
}

// check returns what is wrong with the settings or the pods.
func (w *Windows) check(ready int32) error {
	switch {
	case w.Target <= 0:
		return field.Invalid("windows.target", w.Target.String(), "must be positive")
	case w.Panic < time.Second || w.Panic%time.Second != 0:
		return field.Invalid("windows.panic", w.Panic.String(), "must be whole seconds, and at least one")
	case w.Stable < w.Panic || w.Stable > time.Hour || w.Stable%time.Second != 0:
		return field.Invalid("windows.stable", w.Stable.String(), "must be whole seconds, at least the panic window and at most 1h")
	case !(w.PanicThreshold > 1):
		return field.Invalid("windows.panicThreshold", fmt.Sprint(w.PanicThreshold), "must be above 1")
	case !(w.MaxScaleUpRate > 1):
		return field.Invalid("windows.maxScaleUpRate", fmt.Sprint(w.MaxScaleUpRate), "must be above 1")
	case w.MaxScaleDownRate != 0 && !(w.MaxScaleDownRate > 1):
		return field.Invalid("windows.maxScaleDownRate", fmt.Sprint(w.MaxScaleDownRate), "must be 0 or above 1")
	case w.ActivationScale < 0:
		return field.Invalid("windows.activationScale", w.ActivationScale, "must not be negative")
	case ready < 0:
		return field.Invalid("ready", ready, "must not be negative")
	}
	return nil
}
