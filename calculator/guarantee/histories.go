package guarantee

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/internal/alike"
	"github.com/purehpa/hpa/stabilize/codec"
)

const (
	// maxHistories is how many limits of policies are computed to find all
	// histories. It is enough for 10 sizes and policies of 4 syncs.
	maxHistories = 220_000
	// maxHeld is how many are if windows hold sizes, which makes more.
	maxHeld = 60_000
	// maxSizes is for how many sizes that is tried.
	maxSizes = 100
)

// histories are all states that loads lead to: a size with the events and
// recommendations that still count. They are found breadth first, with the real
// Scaler. States that decide alike from then on are one.
type histories struct {
	*rules
	scaler behavior.Scaler
	// exact reports that windows are part of the states. If not, any sync may
	// ask for any size, whatever the windows hold.
	exact bool
	ids   map[string]int32
	nodes []history
	// reached is how many of the nodes loads lead to. The others follow if
	// syncs ask for a bound that no load asks for.
	reached int
	// asks are the sizes that loads ask for, by size.
	asks map[int32][]int32
	end  int
}

// history is a state before a sync.
type history struct {
	key  string
	size int32
	// up and down are the states after a sync that asks for maxReplicas and for
	// minReplicas.
	up, down int32
}

// findHistories returns all histories. If these are too many with windows, it
// returns those without, and nil if these are too many, too.
func (r *rules) findHistories() *histories {
	exact := r.newHistories(true, maxHistories)
	held := r.up.hold > 1 || r.down.hold > 1
	if held {
		exact.end = r.work + maxHeld
	}
	if exact.find() {
		return exact
	}
	if h := r.newHistories(false, maxHistories); held && h.find() {
		return h
	}
	return nil
}

func (r *rules) newHistories(exact bool, work int) *histories {
	h := &histories{rules: r, exact: exact, ids: map[string]int32{}, asks: map[int32][]int32{}, end: r.work + work}
	h.scaler = behavior.Scaler{Behavior: r.behavior, DownscaleStabilization: r.windows.Down, ScaledToZero: true}
	if !exact {
		h.scaler.Behavior = r.behavior.Clone()
		h.scaler.Behavior.ScaleUp.StabilizationWindowSeconds = new(int32)
		h.scaler.Behavior.ScaleDown.StabilizationWindowSeconds = new(int32)
	}
	return h
}

// find finds all histories, from new autoscalers on, and reports whether they
// are few enough.
func (h *histories) find() bool {
	if int64(h.bounds.Max)-int64(h.bounds.Min) > maxSizes {
		return false
	}
	for size := h.bounds.Min; size <= h.bounds.Max; size++ {
		h.scaler.Recommendations.ReadKey(codec.NewReader("", nil), start)
		h.scaler.Events.ReadKey(codec.NewReader("", nil), start)
		h.add(h.state(size, start))
	}
	for id := 0; id < len(h.nodes); id++ {
		n := h.nodes[id]
		for _, asked := range h.asked(n.size) {
			if h.work >= h.end {
				return false
			}
			h.after(n, asked)
		}
	}
	h.reached = len(h.nodes)
	for id := 0; id < len(h.nodes); id++ {
		if h.work >= h.end {
			return false
		}
		n := &h.nodes[id]
		up, down := h.after(*n, h.bounds.Max), h.after(*n, h.bounds.Min)
		h.nodes[id].up, h.nodes[id].down = up, down
	}
	return true
}

// start is the time of each sync: states are relative to it.
var start = time.Unix(0, 0).UTC()

// after returns the state after a sync that asks for a size.
func (h *histories) after(n history, asked int32) int32 {
	h.work += max(len(h.up.Policies), len(h.down.Policies), 1)
	r := codec.NewReader("guarantee.history", []byte(n.key[4:]))
	h.scaler.Recommendations.ReadKey(r, start)
	h.scaler.Events.ReadKey(r, start)
	h.scaler.ScaledToZero = true // by an earlier sync, at size 0
	next := h.scaler.Step(start, behavior.Change{Current: n.size, Desired: asked}, h.bounds).Replicas
	h.scaler.Applied(start, n.size, next)
	return h.add(h.state(next, start.Add(h.period)))
}

// state returns what the scaler decides by from then on.
func (h *histories) state(size int32, now time.Time) (key []byte, _ int32) {
	s := &h.scaler
	key = binary.LittleEndian.AppendUint32(nil, uint32(size))
	key = s.Recommendations.AppendKey(key, now, s.Behavior.Windows(s.DownscaleStabilization))
	return s.Events.AppendKey(key, now, s.Behavior), size
}

func (h *histories) add(key []byte, size int32) int32 {
	id, known := h.ids[string(key)]
	if !known {
		id = int32(len(h.nodes))
		h.nodes = append(h.nodes, history{key: string(key), size: size})
		h.ids[h.nodes[id].key] = id
	}
	return id
}

// asked returns the sizes that loads ask for at a size.
func (h *histories) asked(size int32) []int32 {
	all, known := h.asks[size]
	if known {
		return all
	}
	m := &h.metrics[0]
	for n := h.bounds.Min; n <= h.bounds.Max; n++ {
		h.work++
		if n == size || m.Reaches(n, size, h.tolerance) ||
			n == h.bounds.Min && m.Propose(0, size, h.tolerance) <= n ||
			n == h.bounds.Max && m.Propose(alike.MostReading, size, h.tolerance) >= n {
			all = append(all, n)
		}
	}
	h.asks[size] = all
	return all
}

// never is a number of syncs that do not suffice.
const never = math.MaxInt64

// longest returns the most syncs that any history of the sizes takes until the
// size is one, or is beyond it in the direction.
func (h *histories) longest(up bool, first, last, to int32) int64 {
	most := int64(0)
	syncs := h.until(up, to)
	for id, n := range h.nodes[:h.reached] {
		if min(first, last) <= n.size && n.size <= max(first, last) {
			most = max(most, syncs[id])
		}
	}
	return most
}

// until returns for each node the number of syncs until the size is to, or is
// beyond it.
func (h *histories) until(up bool, to int32) []int64 {
	const unknown, open = -1, -2
	syncs := slices.Repeat([]int64{unknown}, len(h.nodes))
	var path []int32
	for id := range int32(len(h.nodes)) {
		path = path[:0]
		for syncs[id] == unknown {
			n := &h.nodes[id]
			if n.size == to || (n.size > to) == up {
				syncs[id] = 0
				break
			}
			syncs[id] = open
			path = append(path, id)
			if id = n.down; up {
				id = n.up
			}
		}
		took := syncs[id]
		if took == open {
			took = never // a circle
		}
		for _, id := range slices.Backward(path) {
			if took != never {
				took++
			}
			syncs[id] = took
		}
	}
	return syncs
}
