package podgroup_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

func TestDefaultSettings(t *testing.T) {
	require.Equal(t, podgroup.Settings{
		CPUInitializationPeriod: 5 * time.Minute,
		InitialReadinessDelay:   30 * time.Second,
	}, podgroup.DefaultSettings())
}

// ago returns the moment that is d before noon.
func ago(d time.Duration) metrics.Instant { return metrics.At(noon.Add(-d)) }

func TestClassify(t *testing.T) {
	set := podgroup.DefaultSettings()
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
	// young pods started d ago, and changed their readiness then or later.
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
		// plain is the verdict for anything but cpu.
		cpu, plain podgroup.Verdict
	}{
		{"old and ready", old, sample, counted, counted},
		{"no sample", old, metrics.Sample{}, missing, missing},
		{"a sample of zero", old, metrics.Sample{Present: true}, counted, counted},
		{"deleted", pod(func(p *podgroup.Pod) { p.Deleted = true }), sample, verdict(podgroup.Ignored, podgroup.BeingDeleted), verdict(podgroup.Ignored, podgroup.BeingDeleted)},
		{"deleted and Failed", pod(func(p *podgroup.Pod) { p.Deleted, p.Phase = true, podgroup.PhaseFailed }), sample, verdict(podgroup.Ignored, podgroup.BeingDeleted), verdict(podgroup.Ignored, podgroup.BeingDeleted)},
		{"deleted and Pending", pod(func(p *podgroup.Pod) { p.Deleted, p.Phase = true, podgroup.PhasePending }), sample, verdict(podgroup.Ignored, podgroup.BeingDeleted), verdict(podgroup.Ignored, podgroup.BeingDeleted)},
		{"Failed", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhaseFailed }), metrics.Sample{}, verdict(podgroup.Ignored, podgroup.HasFailed), verdict(podgroup.Ignored, podgroup.HasFailed)},
		{"Pending", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhasePending }), sample, verdict(podgroup.Unready, podgroup.IsPending), verdict(podgroup.Unready, podgroup.IsPending)},
		{"Pending without a sample", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhasePending }), metrics.Sample{}, verdict(podgroup.Unready, podgroup.IsPending), verdict(podgroup.Unready, podgroup.IsPending)},
		{"Succeeded", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhaseSucceeded }), sample, counted, counted},
		{"Succeeded without a sample", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhaseSucceeded }), metrics.Sample{}, missing, missing},
		{"of unknown phase", pod(func(p *podgroup.Pod) { p.Phase = podgroup.PhaseUnknown }), sample, counted, counted},
		{"of no phase", pod(func(p *podgroup.Pod) { p.Phase = podgroup.NoPhase }), sample, counted, counted},
		{"nothing reported", podgroup.Pod{}, sample, verdict(podgroup.Unready, podgroup.ReadinessNotReported), counted},
		{"no readiness reported", pod(func(p *podgroup.Pod) { p.Ready = podgroup.NoReadiness }), sample, verdict(podgroup.Unready, podgroup.ReadinessNotReported), counted},
		{"no start reported", pod(func(p *podgroup.Pod) { p.StartTime = 0 }), sample, verdict(podgroup.Unready, podgroup.StartNotReported), counted},
		{"no start reported, no sample", pod(func(p *podgroup.Pod) { p.StartTime = 0 }), metrics.Sample{}, missing, missing},

		// The initialization period, in a pod that was ready 20 s and then no more.
		{"just within the period", young(period-1, podgroup.ReadyFalse, delay), sample, waiting(podgroup.NotReadyYet, ago(-1)), counted},
		{"at the end of the period", young(period, podgroup.ReadyFalse, delay), sample, counted, counted},
		{"after the period", young(period+1, podgroup.ReadyFalse, delay), sample, counted, counted},
		{"Unknown within the period", young(period-1, podgroup.ReadyUnknown, delay), sample, counted, counted},
		{"ready within the period", young(period-1, podgroup.ReadyTrue, delay), sample, counted, counted},
		{"just started", young(0, podgroup.ReadyFalse, 0), sample, waiting(podgroup.NotReadyYet, 0), counted},

		// The readiness delay, after the period and within.
		{"not ready since just before the delay's end", young(period, podgroup.ReadyFalse, delay-1), sample, never, counted},
		{"not ready since the delay's end", young(period, podgroup.ReadyFalse, delay), sample, counted, counted},
		{"not ready since after the delay's end", young(period, podgroup.ReadyFalse, delay+1), sample, counted, counted},
		{"Unknown since before the delay's end", young(period, podgroup.ReadyUnknown, delay-1), sample, counted, counted},
		{"ready since before the delay's end", young(period, podgroup.ReadyTrue, delay-1), sample, counted, counted},
		{"not ready since an unknown time", pod(func(p *podgroup.Pod) { p.Ready, p.ReadyTransition = podgroup.ReadyFalse, 0 }), sample, never, counted},
		{"never ready, and the period does not change that", young(period-1, podgroup.ReadyFalse, delay-1), sample, waiting(podgroup.NotReadyYet, 0), counted},

		// The sample's window, in a pod that is ready since a minute ago.
		{"sampled just before a window of readiness", young(2*time.Minute, podgroup.ReadyTrue, time.Minute), sampled(ago(time.Minute - window + 1)), waiting(podgroup.SampleTooEarly, ago(2*time.Minute-period)), counted},
		{"sampled after a window of readiness", young(2*time.Minute, podgroup.ReadyTrue, time.Minute), sampled(ago(time.Minute - window)), counted, counted},
		{"sampled later", young(2*time.Minute, podgroup.ReadyTrue, time.Minute), sampled(ago(time.Minute - window - 1)), counted, counted},
		{"sampled early, but the period is over", young(period, podgroup.ReadyTrue, time.Minute), sampled(ago(time.Hour)), counted, counted},
		{"sampled early, Unknown", young(2*time.Minute, podgroup.ReadyUnknown, time.Minute), sampled(ago(time.Hour)), waiting(podgroup.SampleTooEarly, ago(2*time.Minute-period)), counted},
		{"sampled at an unknown time", young(2*time.Minute, podgroup.ReadyTrue, time.Minute), sampled(0), waiting(podgroup.SampleTooEarly, ago(2*time.Minute-period)), counted},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.cpu, podgroup.Classify(noon, &tt.pod, tt.sample, true, set), "cpu")
			require.Equal(t, tt.plain, podgroup.Classify(noon, &tt.pod, tt.sample, false, set), "not cpu")

			// Those who count pods agree.
			pods, samples := []podgroup.Pod{tt.pod}, []metrics.Sample{tt.sample}
			pods[0].Resolve()
			var g podgroup.Group
			g.Prepare(pods)
			for resource, v := range map[string]podgroup.Verdict{podgroup.CPU: tt.cpu, podgroup.Memory: tt.plain, "": tt.plain} {
				want := podgroup.Tally{NoRequest: -1, Until: v.Until}
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
				q := podgroup.Query{Settings: set, Resource: resource}
				require.Equal(t, want, podgroup.Count(noon, pods, samples, &q), resource)
				require.Equal(t, want, g.Count(noon, samples, &q), resource)
			}

			// Until is when, and not before, the class changes.
			if at := tt.cpu.Until.Time(); tt.cpu.Until.IsSet() {
				require.Equal(t, tt.cpu, podgroup.Classify(at.Add(-1), &tt.pod, tt.sample, true, set))
				require.Equal(t, podgroup.Ready, podgroup.Classify(at, &tt.pod, tt.sample, true, set).Class)
			}
		})
	}
}

// Kubernetes takes them as they come, too: a clock that went back makes pods
// young, until it has caught up.
func TestClassifyOfTheFuture(t *testing.T) {
	set := podgroup.DefaultSettings()
	p := podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: ago(-time.Hour), ReadyTransition: ago(-time.Hour)}
	s := metrics.Sample{Present: true, Window: time.Minute, Time: ago(0)}
	v := podgroup.Classify(noon, &p, s, true, set)
	require.Equal(t, podgroup.Verdict{Class: podgroup.Unready, Reason: podgroup.SampleTooEarly, Until: ago(-time.Hour - set.CPUInitializationPeriod)}, v)

	// A sample of the future is late enough.
	s.Time = ago(-2 * time.Hour)
	require.Equal(t, podgroup.Verdict{}, podgroup.Classify(noon, &p, s, true, set))
}

func TestClassifyAtTheEndsOfTime(t *testing.T) {
	set := podgroup.DefaultSettings()
	s := metrics.Sample{Present: true, Time: metrics.At(noon), Window: time.Minute}
	ends := []time.Time{{}, time.Unix(-1<<62, 0), noon, time.Unix(1<<62, 0)}
	for _, now := range ends {
		for _, start := range ends {
			for _, transition := range ends {
				p := podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyFalse, StartTime: metrics.At(start), ReadyTransition: metrics.At(transition)}
				q := podgroup.Query{Settings: set, Resource: podgroup.CPU}
				v := podgroup.Classify(now, &p, s, true, set)
				counted := podgroup.Count(now, []podgroup.Pod{p}, []metrics.Sample{s}, &q)
				require.Equal(t, v.Class == podgroup.Unready, counted.Unready == 1)
				if v.Until.IsSet() {
					require.Greater(t, v.Until, metrics.At(now))
				}
			}
		}
	}

	// Long ago is long ago, whatever the clock says.
	p := podgroup.Pod{Phase: podgroup.PhaseRunning, Ready: podgroup.ReadyTrue, StartTime: metrics.At(ends[1]), ReadyTransition: metrics.At(ends[1])}
	require.Equal(t, podgroup.Ready, podgroup.Classify(noon, &p, s, true, set).Class)
	require.Equal(t, podgroup.Ready, podgroup.Classify(ends[3], &p, s, true, set).Class)
}

func TestVerdictsAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := nearNoon().Draw(t, "now")
		pods := apiPods().Draw(t, "pods")
		samples := apiSamples(t, pods)
		set := apiSettings().Draw(t, "settings")
		cpu := rapid.Bool().Draw(t, "cpu")

		sets := groups(now, pods, samples, cpu, set)
		ours, theirs := align(pods, samples)
		first := podgroup.Verdict{Class: 77}
		verdicts := podgroup.AppendVerdicts([]podgroup.Verdict{first}, now, ours, theirs, cpu, set)
		require.Equal(t, first, verdicts[0])
		require.Len(t, verdicts, 1+len(pods))
		for i, v := range verdicts[1:] {
			require.True(t, sets[v.Class][pods[i].name], "%v", v)
			require.Equal(t, v, podgroup.Classify(now, &ours[i], theirs[i], cpu, set))
			require.Equal(t, until(now, pods[i:i+1], samples, cpu, set), v.Until)
			require.Equal(t, v.Class, classOf[v.Reason])
		}

		// Pods beyond the samples are missing one.
		cut := rapid.IntRange(0, len(pods)).Draw(t, "cut")
		for i := cut; i < len(pods); i++ {
			theirs[i] = metrics.Sample{}
		}
		want := podgroup.AppendVerdicts(nil, now, ours, theirs, cpu, set)
		require.Equal(t, want, podgroup.AppendVerdicts(nil, now, ours, theirs[:cut], cpu, set))
	})
}

// align returns pods and samples as callers of the package have them.
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

var classOf = map[podgroup.Reason]podgroup.Class{
	podgroup.Counted:              podgroup.Ready,
	podgroup.BeingDeleted:         podgroup.Ignored,
	podgroup.HasFailed:            podgroup.Ignored,
	podgroup.IsPending:            podgroup.Unready,
	podgroup.NoSample:             podgroup.Missing,
	podgroup.ReadinessNotReported: podgroup.Unready,
	podgroup.StartNotReported:     podgroup.Unready,
	podgroup.NotReadyYet:          podgroup.Unready,
	podgroup.SampleTooEarly:       podgroup.Unready,
	podgroup.NeverReady:           podgroup.Unready,
}

func TestClassAndReasonWords(t *testing.T) {
	for c, word := range map[podgroup.Class]string{
		podgroup.Ready:    "ready",
		podgroup.Unready:  "unready",
		podgroup.Missing:  "missing",
		podgroup.Ignored:  "ignored",
		podgroup.Class(4): "Class(4)",
	} {
		require.Equal(t, word, c.String())
		text, err := c.MarshalText()
		require.NoError(t, err)
		require.Equal(t, word, string(text))
	}
	for r, words := range map[podgroup.Reason]string{
		podgroup.Counted:              "counted",
		podgroup.BeingDeleted:         "being deleted",
		podgroup.HasFailed:            "phase is Failed",
		podgroup.IsPending:            "phase is Pending",
		podgroup.NoSample:             "no sample",
		podgroup.ReadinessNotReported: "no Ready condition",
		podgroup.StartNotReported:     "no start time",
		podgroup.NotReadyYet:          "not ready within its initialization period",
		podgroup.SampleTooEarly:       "sample from before it became ready",
		podgroup.NeverReady:           "never ready since its start",
		podgroup.Reason(10):           "Reason(10)",
	} {
		require.Equal(t, words, r.String())
	}
}
