package stage

// Size is the size that the sync found, and how it relates to the bounds. Low
// and High of its stage are the bound if the size goes straight there.
type Size struct {
	// Zone is which part of the algorithm the size leads to, a calculator.Zone
	// such as "Normal" or "AboveMax".
	Zone string `json:"zone"`
	// MinReplicas and MaxReplicas are the bounds in force.
	MinReplicas int32 `json:"minReplicas"`
	MaxReplicas int32 `json:"maxReplicas"`
	// ZeroByOthers reports whether a person or another program set the size to
	// zero. It is false for releases that do not distinguish that.
	ZeroByOthers bool `json:"zeroByOthers,omitempty"`
	// Gradual reports whether a size outside of the bounds goes to the bound
	// through windows and policies, by the correction Bounds.
	Gradual bool `json:"gradual,omitempty"`
	// Quirks and Corrections are those that mattered.
	Quirks      []Quirk      `json:"quirks,omitempty"`
	Corrections []Correction `json:"corrections,omitempty"`
}

func (s *Size) appendTo(w *writer) {
	current := replicas(w.current)
	switch s.Zone {
	case "Normal":
		w.say("%s, within the bounds of %d to %d, so the metrics decide.", current, s.MinReplicas, s.MaxReplicas)
	case "Disabled":
		w.say("%s in spec.replicas. Scaling is disabled until someone sets another size", current)
		if s.ZeroByOthers {
			w.say(", because the autoscaler did not scale to zero itself")
		}
		w.say(".")
	case "FromZero":
		w.say("%s. The autoscaler scaled to zero itself, so the metrics decide whether it scales up again, within the bounds of %d to %d.",
			current, s.MinReplicas, s.MaxReplicas)
	case "AboveMax":
		w.say("%s, above the maximum of %d. %s", current, s.MaxReplicas, s.toTheBound())
	case "BelowMin":
		w.say("%s, below the minimum of %d. %s", current, s.MinReplicas, s.toTheBound())
	default:
		w.say("%s, %s.", current, plain(s.Zone))
	}
	appendDifferences(w, "", s.Quirks, s.Corrections)
}

// toTheBound says how a size outside of the bounds gets there.
func (s *Size) toTheBound() string {
	if s.Gradual {
		return "It goes there by windows and policies: no metric counts."
	}
	return "It goes straight there: no metric, window or policy counts."
}
