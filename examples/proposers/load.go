package proposers

import (
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// Load is what [Windows] remembers of one application: the load of the last
// seconds, and a panic. The zero Load is empty and ready to use. It encodes to
// JSON as it is. Copies share memory; Clone does not.
//
// After losing it, a caller can begin in a panic, as Knative does when more
// than one pod is ready, so that the size stays until the window is full:
// PanicSeen is now then, and PanicReplicas the ready pods.
type Load struct {
	Stable Window `json:"stable"`
	Panic  Window `json:"panic"`
	// PanicSeen is when the threshold was last reached, in UTC; zero without a
	// panic.
	PanicSeen time.Time `json:"panicSeen,omitzero"`
	// PanicReplicas is the largest proposal of the panic.
	PanicReplicas int32 `json:"panicReplicas,omitempty"`
}

// Window is the load of one window.
type Window struct {
	// First is the second, since 1970, from which on the load was recorded,
	// without a gap as long as the window.
	First int64 `json:"first"`
	// Seconds are those of the window in which something was recorded, in order
	// of time.
	Seconds []Second `json:"seconds"`
}

// Second is the load of one second.
type Second struct {
	Unix int64         `json:"unix"`
	Load metrics.Milli `json:"load"`
}

// Record adds load, in milli-units. What is recorded in one second adds up, so
// that a proxy in front of the pods can record what waits there. A second in
// which nothing was recorded counts as 0, if it is between others. Load that is
// a window older than the last one is dropped. If it is older by more than the
// stable window, the clock has gone back, and it is the first one. A negative
// load counts as 0.
func (w *Windows) Record(now time.Time, load metrics.Milli, l *Load) {
	load = max(load, 0)
	l.Stable.record(now.Unix(), seconds(w.Stable), seconds(w.Stable), load)
	l.Panic.record(now.Unix(), seconds(w.Panic), seconds(w.Stable), load)
}

// Clone returns a copy that shares no memory with l.
func (l *Load) Clone() Load {
	c := *l
	c.Stable.Seconds, c.Panic.Seconds = slices.Clone(c.Stable.Seconds), slices.Clone(c.Panic.Seconds)
	return c
}

func seconds(window time.Duration) int64 { return int64(window / time.Second) }

// last returns the last second with load. The window is not empty.
func (w *Window) last() int64 { return w.Seconds[len(w.Seconds)-1].Unix }

func (w *Window) record(at, length, back int64, load metrics.Milli) {
	if len(w.Seconds) == 0 || at-w.last() >= length || w.last()-at > back {
		w.First, w.Seconds = at, append(w.Seconds[:0], Second{at, load})
		return
	}
	if at <= w.last()-length {
		return
	}
	w.First = min(w.First, at)
	i := w.after(at - 1)
	if i == len(w.Seconds) || w.Seconds[i].Unix != at {
		w.Seconds = slices.Insert(w.Seconds, i, Second{Unix: at})
	}
	w.Seconds[i].Load += min(load, math.MaxInt64-w.Seconds[i].Load)
	w.Seconds = slices.Delete(w.Seconds, 0, w.after(w.last()-length))
}

// after returns the index of the first second that is later.
func (w *Window) after(at int64) int {
	i := len(w.Seconds)
	for i > 0 && w.Seconds[i-1].Unix > at {
		i--
	}
	return i
}

// idle returns for how many seconds nothing was recorded, negative before the
// last load.
func (w *Window) idle(at int64) int64 {
	if len(w.Seconds) == 0 {
		return math.MaxInt64
	}
	return at - w.last()
}

// average returns the average load of the seconds that count at a time,
// truncated, and how many pods that is at the target. The seconds are those
// between the first and the last one with load that are within the window: it
// may not be full yet, and the load of the last moment may not be known yet.
func (w *Window) average(at, length int64, target metrics.Milli) (metrics.Milli, float64) {
	idle := max(0, w.idle(at))
	if idle >= length {
		return 0, 0
	}
	var sum metrics.Sum
	for _, s := range w.Seconds[w.after(w.last()+idle-length):] {
		sum.Add(s.Load)
	}
	counted := min(w.last()-w.First+1, length-idle)
	return sum.Average(int(counted)), math.Ceil(float64(sum.Milli()) / (float64(counted) * float64(target)))
}
