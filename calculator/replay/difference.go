package replay

import (
	"iter"
	"time"
)

// Difference is how the sizes of an autoscaler differ from those of the first
// one.
type Difference struct {
	// Syncs counts all syncs, Higher those with a larger size, Lower those with
	// a smaller one.
	Syncs, Higher, Lower int
	// MostHigher and MostLower are the largest differences, in replicas, not
	// negative.
	MostHigher, MostLower int64
	// First and Last are when the sizes first and last differed; the zero
	// time.Time if they never did.
	First, Last time.Time
}

// Differences returns for each autoscaler of a replay how its sizes differ from
// those of the first one, itself included. On an error, which is that of the
// replay, the differences are those before it.
func Differences(replay iter.Seq2[*Answers, error]) ([]Difference, error) {
	var all []Difference
	for a, err := range replay {
		if err != nil {
			return all, err
		}
		if all == nil {
			all = make([]Difference, len(a.Decisions))
		}
		for i := range all {
			all[i].add(a.Sync.Time, int64(a.Size(i))-int64(a.Size(0)))
		}
	}
	return all, nil
}

func (d *Difference) add(now time.Time, by int64) {
	d.Syncs++
	switch {
	case by == 0:
		return
	case by > 0:
		d.Higher++
		d.MostHigher = max(d.MostHigher, by)
	default:
		d.Lower++
		d.MostLower = max(d.MostLower, -by)
	}
	if d.First.IsZero() {
		d.First = now
	}
	d.Last = now
}
