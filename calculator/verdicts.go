package calculator

import "github.com/purehpa/hpa/podgroup"

// AppendVerdicts appends how each pod of the observation counts for metric i,
// and why, in their order. It appends nothing for a metric that does not look
// at the samples of pods, or that is not there, nor under settings that
// [Decide] refuses.
func (d *Decision) AppendVerdicts(dst []podgroup.Verdict, i int, settings *Settings, obs *Observation) []podgroup.Verdict {
	p := d.proposal(i)
	set, err := settings.OrDefault()
	if err != nil || obs == nil || p == nil || i >= len(obs.Readings) || !p.Metric.OfPods() {
		return dst
	}
	q := podgroup.Query{
		Resource:          p.Metric.Resource(),
		ReadinessSettings: set.ReadinessSettings,
		Options:           podRules(d.quirks, d.corrections),
	}
	return podgroup.AppendVerdicts(dst, d.Now, obs.Pods, obs.Readings[i].Samples, &q)
}
