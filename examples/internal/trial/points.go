package trial

import (
	"fmt"
	"slices"
	"time"

	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/metrics"
)

// points are values in the order of a file.
type points struct {
	list []point
	// place names the place of a point, as errors begin with it, and before is what
	// they call the one before.
	place  func(at int) string
	before string
	unit   string
}

type point struct {
	simulate.LoadPoint
	at int // a line, or an index
}

func (p *points) add(t time.Time, v metrics.Milli, at int) {
	p.list = append(p.list, point{simulate.LoadPoint{Time: t, Load: v}, at})
}

// order returns the values in ascending order of time.
func (p *points) order(sort, dedupe bool) ([]point, error) {
	if sort {
		slices.SortStableFunc(p.list, func(a, b point) int { return a.Time.Compare(b.Time) })
	}
	ordered := p.list[:0]
	for _, v := range p.list {
		n := len(ordered)
		switch {
		case n == 0 || v.Time.After(ordered[n-1].Time):
			ordered = append(ordered, v)
		case v.Time.Before(ordered[n-1].Time):
			return nil, fmt.Errorf("%s: %s is not after %s in %s; -sort puts them in order", p.place(v.at), clock(v.Time), clock(ordered[n-1].Time), p.before)
		case dedupe:
			ordered[n-1] = v
		default:
			return nil, fmt.Errorf("%s: %s is given twice; -dedupe takes the last value of a time", p.place(v.at), clock(v.Time))
		}
	}
	return ordered, nil
}
