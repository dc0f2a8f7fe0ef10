package podgroup_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// benchPods returns n pods with one container each, and their cpu samples. If
// tenth is true, a tenth of them has no sample, and a tenth is Pending.
func benchPods(n int, now time.Time, tenth bool) ([]podgroup.Pod, []metrics.Sample) {
	pods := make([]podgroup.Pod, n)
	samples := make([]metrics.Sample, n)
	for i := range pods {
		pods[i] = podgroup.Pod{
			Name:            fmt.Sprintf("web-%04d", i),
			Phase:           podgroup.PhaseRunning,
			Ready:           podgroup.ReadyTrue,
			StartTime:       metrics.At(now.Add(-time.Hour)),
			ReadyTransition: metrics.At(now.Add(-time.Hour + 10*time.Second)),
			Containers: []podgroup.Container{{
				Name:     "app",
				Requests: podgroup.Requests{CPU: podgroup.Requested(500), Memory: podgroup.Requested(256 << 20 * 1000)},
			}},
		}
		pods[i].Resolve()
		samples[i] = metrics.Sample{Value: metrics.Milli(300 + i%100), Time: metrics.At(now.Add(-15 * time.Second)), Window: 15 * time.Second, Present: true}
		switch {
		case tenth && i%10 == 3:
			samples[i] = metrics.Sample{}
		case tenth && i%10 == 7:
			pods[i].Phase = podgroup.PhasePending
		}
	}
	return pods, samples
}

func BenchmarkCount(b *testing.B) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, n := range []int{10, 100, 1000} {
		for _, shape := range []string{"healthy", "tenth"} {
			pods, samples := benchPods(n, now, shape == "tenth")
			q := podgroup.Query{
				ReadinessSettings: podgroup.DefaultReadinessSettings(),
				Resource:          podgroup.CPU,
				Requests:          true,
				MissingPercent:    100,
			}
			b.Run(fmt.Sprintf("pods=%d/%s", n, shape), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					podgroup.Count(now, pods, samples, &q)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pod")
			})
		}
	}
}

// BenchmarkBarePass reads and adds each pod and sample once. No count can be
// faster.
func BenchmarkBarePass(b *testing.B) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, n := range []int{10, 100, 1000} {
		pods, samples := benchPods(n, now, false)
		b.Run(fmt.Sprintf("pods=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			var usage, requests metrics.Milli
			for b.Loop() {
				for i := range pods {
					usage += samples[i].Value
					requests += pods[i].CPU.Milli
				}
			}
			if usage < requests/2 {
				b.Fatal("the sums are off")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pod")
		})
	}
}

func BenchmarkGroupCount(b *testing.B) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, n := range []int{10, 100, 1000} {
		for _, shape := range []string{"healthy", "tenth"} {
			pods, samples := benchPods(n, now, shape == "tenth")
			q := podgroup.Query{
				ReadinessSettings: podgroup.DefaultReadinessSettings(),
				Resource:          podgroup.CPU,
				Requests:          true,
				MissingPercent:    100,
			}
			var g podgroup.Group
			g.Prepare(pods)
			b.Run(fmt.Sprintf("pods=%d/%s", n, shape), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					g.Count(now, samples, &q)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pod")
			})
		}
	}
}

func BenchmarkAlign(b *testing.B) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, n := range []int{10, 100, 1000} {
		for _, strays := range []int{0, 1} {
			pods, samples := benchPods(n, now, false)
			byName := map[string]metrics.Sample{}
			for i := range pods {
				byName[pods[i].Name] = samples[i]
			}
			for i := range strays {
				byName[fmt.Sprintf("gone-%d", i)] = samples[0]
			}
			var a podgroup.Aligner
			b.Run(fmt.Sprintf("pods=%d/strays=%d", n, strays), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					a.Align(pods, byName)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pod")
			})
		}
	}
}
