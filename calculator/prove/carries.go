package prove

import "math"

// Carries reports whether the size suffices for the load: either all metrics are
// within the scaleUp tolerance of their targets while that many ready pods share
// the load, or the size is at least maxReplicas.
func (tl *Timeline) Carries(size int32, load float64) bool {
	return tl.carries(AimsOf(tl.Setup.Spec), size, load)
}

func (tl *Timeline) carries(aims []Aim, size int32, load float64) bool {
	if size >= tl.Setup.Spec.MaxReplicas {
		return true
	}
	ratio := tl.ratio(aims, size, load)
	return ratio <= 1 || tl.Setup.Tolerance().Within(ratio)
}

// ratio returns the highest usage ratio of the metrics if so many ready pods
// share the load. Without pods, it is infinite for any load.
func (tl *Timeline) ratio(aims []Aim, size int32, load float64) float64 {
	highest := 0.0
	for i := range aims {
		total := aims[i].total(load, tl.share(i), int(size))
		if size == 0 && total > 0 {
			return math.Inf(1)
		}
		highest = max(highest, aims[i].Ratio(total, int(size)))
	}
	return highest
}
