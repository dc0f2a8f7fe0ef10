package guarantee

import (
	"math"
	"time"

	"github.com/purehpa/hpa/behavior"
)

// trial is a wave that is tried out from a size that has not changed for long.
type trial struct {
	*rules
	*wave
	// size is the current one, and top that at the last low load. from and to
	// are the least size at which the load was high, and the largest at which it
	// was low, since the last mark.
	size, top int32
	from, to  int32
	// end is the work at which the trial gives up.
	end int

	scaler behavior.Scaler
	now    time.Time
	key    []byte
}

// lasts reports whether the wave moves the size for ever at each sync, from
// some sync on, or at once if the trial is strict. It does if a state comes
// again, and the size moved at each sync in between.
func (t *trial) lasts(strict bool) bool {
	t.scaler = behavior.Scaler{Behavior: t.behavior, DownscaleStabilization: t.windows.Down, ScaledToZero: true}
	t.step(t.size) // a steady load before
	mark, moved := "", true
	for round := 1; t.work < t.end; round++ {
		if round&(round-1) == 0 { // so that circles of any length are found
			mark, moved = t.state(), true
			t.from, t.to = math.MaxInt32, 0
		}
		before := t.state()
		moves := t.round()
		if strict && !moves {
			return false
		}
		moved = moved && moves
		switch t.state() {
		case mark:
			return moved
		case before:
			t.from, t.to = t.size, t.top
			return moves
		}
	}
	return false
}

// round is a sync at high load and one at low load. It reports whether both
// moved the size.
func (t *trial) round() bool {
	from := t.size
	high, _ := t.asked(from, t.tolerance)
	t.step(high)
	t.top = t.size
	_, low := t.asked(t.top, t.tolerance)
	t.step(low)
	t.from, t.to = min(t.from, from), max(t.to, t.top)
	return t.top > from && t.size < t.top
}

// step is a sync that asks for a size.
func (t *trial) step(asked int32) {
	t.work += max(len(t.up.Policies), len(t.down.Policies), 1)
	next := t.scaler.Step(t.now, behavior.Change{Current: t.size, Desired: asked}, t.bounds).Replicas
	t.scaler.Applied(t.now, t.size, next)
	t.size, t.now = next, t.now.Add(t.period)
}

// state returns what the size depends on from now on. No window holds it.
func (t *trial) state() string {
	t.key = append(t.key[:0], byte(t.size), byte(t.size>>8), byte(t.size>>16), byte(t.size>>24))
	t.key = t.scaler.Events.AppendKey(t.key, t.now, t.behavior)
	return string(t.key)
}
