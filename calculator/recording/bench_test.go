package recording_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// course returns what 40 syncs of n pods see, as kubectl and metrics-server
// give it. Pods are scraped in turns, on whole seconds, over windows of about
// the time between scrapes.
func course(n int, scrape time.Duration, rollout bool) []replay.Sync {
	const syncs = 40
	pods := webPods(n)
	var list []replay.Sync
	for i := range syncs {
		now := noon.Add(time.Duration(i) * calculator.SyncPeriod)
		if rollout {
			pods = rolled(pods, i, now)
		}
		obs := &calculator.Observation{Namespace: "shop", SpecReplicas: int32(n), StatusReplicas: int32(n), Pods: pods}
		var r calculator.Reading
		for k := range pods {
			phase := time.Duration(k*7919%int(scrape/time.Second)) * time.Second
			at := now.Add(-phase).Truncate(scrape).Add(phase)
			seed := int64(k)*7919 + at.Unix()*104729
			r.Samples = append(r.Samples, metrics.NewSample(metrics.Milli(200+seed%200), at, scrape+time.Duration(seed%997-498)*time.Millisecond))
		}
		obs.Readings = []calculator.Reading{r}
		list = append(list, replay.Sync{Time: now.Add(time.Duration(i*1_234_567) * time.Nanosecond), Observation: obs})
	}
	return list
}

// rolled returns the pods after another fortieth of a rollout: some became
// ready, some are new in place of others.
func rolled(pods []podgroup.Pod, i int, now time.Time) []podgroup.Pod {
	next := append([]podgroup.Pod(nil), pods...)
	each := max(len(pods)/40, 1)
	for k := range next {
		switch p := &next[k]; {
		case k/each == i:
			*p = podgroup.RunningPod("new-"+p.Name, now, podgroup.Requests{CPU: podgroup.Requested(600)})
			p.Ready, p.StartTime = podgroup.ReadyFalse, metrics.At(now)
		case k/each == i-1:
			p.Ready, p.ReadyTransition = podgroup.ReadyTrue, metrics.At(now)
		}
	}
	return next
}

// The bytes of a sync after the first one.
func BenchmarkSize(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		for _, c := range []struct {
			name    string
			scrape  time.Duration
			rollout bool
		}{{"scrape=15s", 15 * time.Second, false}, {"scrape=60s", time.Minute, false}, {"rollout", 15 * time.Second, true}} {
			syncs := course(n, c.scrape, c.rollout)
			b.Run(fmt.Sprintf("pods=%d/%s", n, c.name), func(b *testing.B) {
				var data []byte
				for b.Loop() {
					data = write(b, header(), syncs...)
				}
				first := write(b, header(), syncs[0])
				b.ReportMetric(float64(len(first)), "B/first")
				b.ReportMetric(float64(len(data)-len(first))/float64(len(syncs)-1), "B/sync")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(syncs)), "ns/sync")
			})
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, n := range []int{10, 1000} {
		data := write(b, header(), course(n, 15*time.Second, false)...)
		b.Run(fmt.Sprintf("pods=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if syncs, err := failure(data); syncs != 40 || err != nil {
					b.Fatal(syncs, err)
				}
			}
		})
	}
}
