package podgroup_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func TestDefaultReadinessSettings(t *testing.T) {
	require.Equal(t, podgroup.ReadinessSettings{
		CPUInitializationPeriod: 5 * time.Minute,
		InitialReadinessDelay:   30 * time.Second,
	}, podgroup.DefaultReadinessSettings())
}

// ago returns the moment that is d before noon.
func ago(d time.Duration) metrics.Instant { return metrics.At(noon.Add(-d)) }

func TestClassify(t *testing.T) {
	set := podgroup.DefaultReadinessSettings()
	period, delay := set.CPUInitializationPeriod, set.InitialReadinessDelay
	const window = 15 * time.Second
	sample := metrics.Sample{Value: 1, Time: ago(0), Window: window, Present: true}
	sampled := func(at metrics.Instant) metrics.Sample {
		s := sample
		s.Time = at
		return s
	}
	old := podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: ago(time.Hour), ReadyTransition: ago(time.Hour - time.Minute)}
	pod := func(change func(*podgroup.Pod)) podgroup.Pod {
		p := old
		change(&p)
		return p
	}
	// young returns a pod that started d ago; its readiness changed later after
	// that.
	young := func(d time.Duration, ready podgroup.Readiness, later time.Duration) podgroup.Pod {
		return podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: ready, StartTime: ago(d), ReadyTransition: ago(d - later)}
	}
	counted := podgroup.Verdict{}
	verdict := func(c podgroup.Class, r podgroup.Reason) podgroup.Verdict {
		return podgroup.Verdict{Class: c, Reason: r}
	}
	waiting := func(r podgroup.Reason, until metrics.Instant) podgroup.Verdict {
		return podgroup.Verdict{Class: podgroup.Unready, Reason: r, Until: until}
	}
	missing := verdict(podgroup.Missing, podgroup.NoSample)
	never := verdict(podgroup.Unready, podgroup.NeverReady)

	for _, tt := range []struct {
		name   string
		pod    podgroup.Pod
		sample metrics.Sample
		// plain is the verdict for metrics other than cpu.
		cpu, plain podgroup.Verdict
	}{
		{"old and ready", old, sample, counted, counted},
		{"no sample", old, metrics.Sample{}, missing, missing},
		{"a sample of zero", old, metrics.Sample{Present: true}, counted, counted},
		{"deleted", pod(func(p *podgroup.Pod) { p.Deleted = true }), sample, verdict(podgroup.Ignored, podgroup.BeingDeleted), verdict(podgroup.Ignored, podgroup.BeingDeleted)},
		{"deleted and Failed", pod(func(p *podgroup.Pod) { p.Deleted, p.Phase = true, podgroup.PhaseFailed }), sample, verdict(podgroup.Ignored, podgroup.BeingDeleted), verdict(podgroup.Ignored, podgroup.BeingDeleted)},
		{"deleted and Pending", pod(func(p *podgroup.Pod) { p.Deleted, p.Phase = true, podgroup.PhasePending }), sample, verdict(podgroup.Ignored, podgroup.BeingDeleted), verdict(podgroup.Ignored, podgroup.BeingDeleted)},
		{"Failed", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhaseFailed }), metrics.Sample{}, verdict(podgroup.Ignored, podgroup.PhaseIsFailed), verdict(podgroup.Ignored, podgroup.PhaseIsFailed)},
		{"Pending", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhasePending }), sample, verdict(podgroup.Unready, podgroup.PhaseIsPending), verdict(podgroup.Unready, podgroup.PhaseIsPending)},
		{"Pending without a sample", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhasePending }), metrics.Sample{}, verdict(podgroup.Unready, podgroup.PhaseIsPending), verdict(podgroup.Unready, podgroup.PhaseIsPending)},
		{"Succeeded", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhaseSucceeded }), sample, counted, counted},
		{"Succeeded without a sample", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhaseSucceeded }), metrics.Sample{}, missing, missing},
		{"of unknown phase", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhaseUnknown }), sample, counted, counted},
		{"of no phase", pod(func(p *podgroup.Pod) { p.Phase = podgroup.NoPhase }), sample, counted, counted},
		{"nothing reported", podgroup.Pod{}, sample, verdict(podgroup.Unready, podgroup.NoReadyCondition), counted},
		{"no readiness reported", pod(func(p *podgroup.Pod) { p.Ready = podgroup.NoReadiness }), sample, verdict(podgroup.Unready, podgroup.NoReadyCondition), counted},
		{"no start reported", pod(func(p *podgroup.Pod) { p.StartTime = 0 }), sample, verdict(podgroup.Unready, podgroup.NoStartTime), counted},
		{"no start reported, no sample", pod(func(p *podgroup.Pod) { p.StartTime = 0 }), metrics.Sample{}, missing, missing},

		// The initialization period, of a pod that became not ready at the
		// readiness delay.
		{"just within the period", young(period-1, podgroup.ReadyFalse, delay), sample, waiting(podgroup.NotReadyYet, ago(-1)), counted},
		{"at the end of the period", young(period, podgroup.ReadyFalse, delay), sample, counted, counted},
		{"after the period", young(period+1, podgroup.ReadyFalse, delay), sample, counted, counted},
		{"Unknown within the period", young(period-1, podgroup.ReadyUnknown, delay), sample, counted, counted},
		{"ready within the period", young(period-1, podgroup.ReadyTrue, delay), sample, counted, counted},
		{"just started", young(0, podgroup.ReadyFalse, 0), sample, waiting(podgroup.NotReadyYet, 0), counted},

		// The readiness delay, after the period and in it.
		{"not ready since just before the delay's end", young(period, podgroup.ReadyFalse, delay-1), sample, never, counted},
		{"not ready since the delay's end", young(period, podgroup.ReadyFalse, delay), sample, counted, counted},
		{"not ready since after the delay's end", young(period, podgroup.ReadyFalse, delay+1), sample, counted, counted},
		{"Unknown since before the delay's end", young(period, podgroup.ReadyUnknown, delay-1), sample, counted, counted},
		{"ready since before the delay's end", young(period, podgroup.ReadyTrue, delay-1), sample, counted, counted},
		{"not ready since an unknown time", pod(func(p *podgroup.Pod) { p.Ready, p.ReadyTransition = podgroup.ReadyFalse, 0 }), sample, never, counted},
		{"never ready, and the period does not change that", young(period-1, podgroup.ReadyFalse, delay-1), sample, waiting(podgroup.NotReadyYet, 0), counted},

		// The sample's window, of a pod that became ready a minute ago.
		{"sampled just before a window of readiness", young(2*time.Minute, podgroup.ReadyTrue, time.Minute), sampled(ago(time.Minute - window + 1)), waiting(podgroup.SampleTooEarly, ago(2*time.Minute-period)), counted},
		{"sampled after a window of readiness", young(2*time.Minute, podgroup.ReadyTrue, time.Minute), sampled(ago(time.Minute - window)), counted, counted},
		{"sampled later", young(2*time.Minute, podgroup.ReadyTrue, time.Minute), sampled(ago(time.Minute - window - 1)), counted, counted},
		{"sampled early, but the period is over", young(period, podgroup.ReadyTrue, time.Minute), sampled(ago(time.Hour)), counted, counted},
		{"sampled early, Unknown", young(2*time.Minute, podgroup.ReadyUnknown, time.Minute), sampled(ago(time.Hour)), waiting(podgroup.SampleTooEarly, ago(2*time.Minute-period)), counted},
		{"sampled at an unknown time", young(2*time.Minute, podgroup.ReadyTrue, time.Minute), sampled(0), waiting(podgroup.SampleTooEarly, ago(2*time.Minute-period)), counted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.cpu, podgroup.Classify(noon, &tt.pod, tt.sample, podgroup.CPU, set), "cpu")
			require.Equal(t, tt.plain, podgroup.Classify(noon, &tt.pod, tt.sample, podgroup.Memory, set), "not cpu")

			// Count and Group.Count agree.
			pods, samples := []podgroup.Pod{tt.pod}, []metrics.Sample{tt.sample}
			pods[0].Resolve()
			var g podgroup.Group
			g.Prepare(pods)
			for resource, v := range map[string]podgroup.Verdict{podgroup.CPU: tt.cpu, podgroup.Memory: tt.plain, "": tt.plain} {
				want := podgroup.Tally{NoRequest: -1, Until: v.Until}
				if v.Class != podgroup.Ready {
					want.Reasons[v.Reason] = 1
				}
				switch v.Class {
				case podgroup.Ready:
					want.Ready = 1
					want.Usage.Add(tt.sample.Value)
				case podgroup.Unready:
					want.Unready = 1
				case podgroup.Missing:
					want.Missing = 1
				case podgroup.Ignored:
					want.Ignored = 1
				}
				q := podgroup.Query{ReadinessSettings: set, Resource: resource}
				require.Equal(t, want, podgroup.Count(noon, pods, samples, &q), resource)
				require.Equal(t, want, g.Count(noon, samples, &q), resource)
			}

			// The class changes at Until and not before.
			if at := tt.cpu.Until.Time(); tt.cpu.Until.IsSet() {
				require.Equal(t, tt.cpu, podgroup.Classify(at.Add(-1), &tt.pod, tt.sample, podgroup.CPU, set))
				require.Equal(t, podgroup.Ready, podgroup.Classify(at, &tt.pod, tt.sample, podgroup.CPU, set).Class)
			}
		})
	}
}

// As in Kubernetes, a clock that went back makes pods young until it has caught
// up.
func TestClassifyOfTheFuture(t *testing.T) {
	set := podgroup.DefaultReadinessSettings()
	p := podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: ago(-time.Hour), ReadyTransition: ago(-time.Hour)}
	s := metrics.Sample{Present: true, Window: time.Minute, Time: ago(0)}
	v := podgroup.Classify(noon, &p, s, podgroup.CPU, set)
	require.Equal(t, podgroup.Verdict{Class: podgroup.Unready, Reason: podgroup.SampleTooEarly, Until: ago(-time.Hour - set.CPUInitializationPeriod)}, v)

	// A sample from the future is late enough.
	s.Time = ago(-2 * time.Hour)
	require.Equal(t, podgroup.Verdict{}, podgroup.Classify(noon, &p, s, podgroup.CPU, set))
}

func TestClassifyAtTheEndsOfTime(t *testing.T) {
	set := podgroup.DefaultReadinessSettings()
	s := metrics.Sample{Present: true, Time: metrics.At(noon), Window: time.Minute}
	ends := []time.Time{{}, time.Unix(-1<<62, 0), noon, time.Unix(1<<62, 0)}
	for _, now := range ends {
		for _, start := range ends {
			for _, transition := range ends {
				p := podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyFalse, StartTime: metrics.At(start), ReadyTransition: metrics.At(transition)}
				q := podgroup.Query{ReadinessSettings: set, Resource: podgroup.CPU}
				v := podgroup.Classify(now, &p, s, podgroup.CPU, set)
				counted := podgroup.Count(now, []podgroup.Pod{p}, []metrics.Sample{s}, &q)
				require.Equal(t, v.Class == podgroup.Unready, counted.Unready == 1)
				if v.Until.IsSet() {
					require.Greater(t, v.Until, metrics.At(now))
				}
			}
		}
	}

	// The earliest start is past its period at every later time.
	p := podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: metrics.At(ends[1]), ReadyTransition: metrics.At(ends[1])}
	require.Equal(t, podgroup.Ready, podgroup.Classify(noon, &p, s, podgroup.CPU, set).Class)
	require.Equal(t, podgroup.Ready, podgroup.Classify(ends[3], &p, s, podgroup.CPU, set).Class)
}

func TestVerdictsAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := nearNoon().Draw(t, "now")
		pods := apiPods().Draw(t, "pods")
		samples := apiSamples(t, pods)
		set := apiSettings().Draw(t, "settings")
		resource := rapid.SampledFrom([]string{"cpu", "memory", ""}).Draw(t, "resource")
		cpu := resource == "cpu"
		q := podgroup.Query{Resource: resource, ReadinessSettings: set, Options: anyRules(t)}

		ours, theirs := align(pods, samples)
		first := podgroup.Verdict{Class: 77}
		verdicts := podgroup.AppendVerdicts([]podgroup.Verdict{first}, now, ours, theirs, &q)
		require.Equal(t, first, verdicts[0])
		require.Len(t, verdicts, 1+len(pods))
		for i, v := range verdicts[1:] {
			require.Equal(t, pods[i].reason(now, sampleOf(&pods[i], samples), cpu, &q), v.Reason)
			require.Equal(t, classOf(v.Reason), v.Class)
			if v.Reason < podgroup.PhaseIsSucceeded {
				require.Equal(t, v, podgroup.Classify(now, &ours[i], theirs[i], resource, set))
			}
			require.Equal(t, until(now, pods[i:i+1], samples, cpu, &q), v.Until)
		}

		// Pods beyond the samples have none.
		cut := rapid.IntRange(0, len(pods)).Draw(t, "cut")
		for i := cut; i < len(pods); i++ {
			theirs[i] = metrics.Sample{}
		}
		want := podgroup.AppendVerdicts(nil, now, ours, theirs, &q)
		require.Equal(t, want, podgroup.AppendVerdicts(nil, now, ours, theirs[:cut], &q))
	})
}

// align returns pods and samples in the types of the package.
func align(pods []apiPod, samples map[string]apiSample) ([]podgroup.Pod, []metrics.Sample) {
	ours, theirs := make([]podgroup.Pod, len(pods)), make([]metrics.Sample, len(pods))
	for i := range pods {
		ours[i] = pods[i].pod()
		if s, ok := samples[pods[i].name]; ok {
			theirs[i] = s.sample()
		}
	}
	return ours, theirs
}
