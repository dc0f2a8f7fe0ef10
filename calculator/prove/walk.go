package prove

import (
	"fmt"
	"slices"

	"github.com/purehpa/hpa/calculator"
)

// walker goes from node to node. It is for one goroutine.
type walker struct {
	*world
	st calculator.State
	d  calculator.Decision
	// seen are the observations of places, and id and pods memory to find them.
	seen     map[string][]calculator.Observation
	id, pods []byte
	kept     int // of seen

	size, after int32
	level       uint8  // of this sync
	loads       []byte // those of the place
}

func newWalker(w *world) *walker {
	return &walker{world: w, seen: map[string][]calculator.Observation{}}
}

// step decides at the place and appends the node that follows. It leaves the
// decision and the sizes in the walker.
func (v *walker) step(dst []byte, p place, obs *calculator.Observation, in input) ([]byte, error) {
	if err := v.st.SetKey(p.key, Start); err != nil {
		return dst, err
	}
	pods := v.resized(p.pods, in)
	d := &v.d
	calculator.DecideInto(d, Start, &v.setup.Settings, v.setup.Spec, obs, &v.st)
	if d.Zone == calculator.NoZone && obs.ScaleError == nil {
		return dst, d.Err()
	}
	v.size = int32(pods[0])
	v.after = v.segment(in).write(&v.st, d, Start, v.size)
	dst = append(dst, byte(v.after))
	dst = v.appendYoung(dst, pods[1:])
	dst = v.appendPast(dst, pods, p.past, in)
	v.level, v.loads = in.level, p.loads
	dst = v.appendLoads(dst)
	return v.st.AppendKey(dst, Start.Add(v.setup.Period()), &v.setup.Settings, v.setup.Spec), nil
}

// resized returns the pods after something else has set the size, if it has.
func (v *walker) resized(pods []byte, in input) []byte {
	for _, x := range v.troubles[in.troubles] {
		if x.Kind != Resized {
			continue
		}
		v.pods = append(append(v.pods[:0], byte(x.N)), pods[1:]...)
		more := x.N - int32(pods[0])
		deleteNewest(v.pods[1:], -more)
		if v.ages > 0 {
			v.pods[1] += byte(max(more, 0))
		}
		return v.pods
	}
	return pods
}

// deleteNewest deletes so many pods, the newest ones first, as a workload does.
func deleteNewest(young []byte, n int32) {
	for i, there := range young {
		less := min(int32(there), max(n, 0))
		young[i] -= byte(less)
		n -= less
	}
}

// appendYoung appends the young pods as of the next sync.
func (v *walker) appendYoung(dst, young []byte) []byte {
	if v.ages == 0 {
		return dst
	}
	more := v.after - v.size
	dst = append(append(dst, byte(max(more, 0))), young[:v.ages-1]...)
	deleteNewest(dst[len(dst)-v.ages+1:], -more)
	return dst
}

// appendPast appends the syncs that metrics show later, the one of the pods
// among them.
func (v *walker) appendPast(dst, pods, past []byte, in input) []byte {
	if v.lag == 0 {
		return append(dst, 0)
	}
	size := v.pastSize()
	if len(past) == v.lag*size {
		past = past[size:]
	}
	dst = append(dst, byte(len(past)/size+1))
	left := func(n byte) byte { return byte(min(int32(n), v.size, v.after)) }
	for sync := range slices.Chunk(past, size) {
		dst = append(append(dst, sync[:size-1]...), left(sync[size-1]))
	}
	return append(append(dst, pods...), in.level, in.troubles, left(pods[0]))
}

// appendLoads appends the loads to remember as of the next sync.
func (v *walker) appendLoads(dst []byte) []byte {
	at, n := len(dst), byte(0)
	dst = append(dst, 0)
	for loads := v.loads; len(loads) > 0; loads = loads[2:] {
		l, age := loads[0], loads[1]+1
		if l > v.level && int(age)+1 < v.remember {
			dst = append(dst, l, age)
			n++
		}
	}
	if v.remember > 1 && v.level > 0 {
		dst = append(dst, v.level, 0)
		n++
	}
	dst[at] = n
	return dst
}

// highest returns the highest load of so many syncs, this one among them.
func (v *walker) highest(syncs int) float64 {
	level := v.level
	for loads := v.loads; len(loads) > 0; loads = loads[2:] {
		if int(loads[1])+1 < syncs {
			level = max(level, loads[0])
		}
	}
	return v.levels[level]
}

func cannotGoOn(err error) error {
	return fmt.Errorf("prove: the search cannot go on: %w", err)
}
