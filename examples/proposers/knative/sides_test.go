package knative

import (
	"cmp"
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"knative.dev/serving/pkg/apis/autoscaling"
	"knative.dev/serving/pkg/apis/autoscaling/v1alpha1"
	"knative.dev/serving/pkg/autoscaler/metrics"
	"knative.dev/serving/pkg/autoscaler/scaling"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/examples/proposers"
	"github.com/purehpa/hpa/examples/proposers/internal/reference"
	hpametrics "github.com/purehpa/hpa/metrics"
)

// sides are the library's side and Knative's, of one application.
type sides struct {
	now, latest time.Time
	ready       int
	// restarted reports that Knative is in a panic since the wall clock's now.
	restarted bool

	w         proposers.Windows
	load      proposers.Load
	reference reference.Windows

	key       types.NamespacedName
	metric    string
	collector *metrics.MetricCollector
	scaler    scaling.UniScaler
}

// ReadyCount and NotReadyCount are Knative's view of the pods.
func (s *sides) ReadyCount() (int, error)    { return s.ready, nil }
func (s *sides) NotReadyCount() (int, error) { return 0, nil }

// begin is before any wall clock: Knative takes a scaler that starts with more
// than one pod for one in a panic, since the wall clock's now.
var begin = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func newSides(t *testing.T, dice *rand.Rand) *sides {
	w := randomWindows(dice)
	s := &sides{
		now:    begin.Add(time.Duration(dice.Int64N(int64(time.Hour)))),
		ready:  dice.IntN(2),
		w:      w,
		key:    types.NamespacedName{Namespace: "shop", Name: "web"},
		metric: pick(dice, autoscaling.Concurrency, autoscaling.RPS),
	}
	s.reference.Windows = w
	if dice.IntN(4) == 0 {
		s.ready = 2 + dice.IntN(20)
		s.restarted, s.load.PanicReplicas = true, int32(s.ready)
	}
	// It would ask the pods once a second. Without anybody to ask, it takes
	// what is recorded.
	nobody := func(*v1alpha1.Metric, *zap.SugaredLogger) (metrics.StatsScraper, error) { return nil, nil }
	s.collector = metrics.NewMetricCollector(nobody, zap.NewNop().Sugar())
	require.NoError(t, s.collector.CreateOrUpdate(&v1alpha1.Metric{
		ObjectMeta: metav1.ObjectMeta{Namespace: s.key.Namespace, Name: s.key.Name},
		Spec:       v1alpha1.MetricSpec{StableWindow: w.Stable, PanicWindow: w.Panic, ScrapeTarget: "pods"},
	}))
	target := float64(w.Target) / 1000
	s.scaler = scaling.New(context.Background(), s.key.Namespace, s.key.Name, s.collector, s, &scaling.DeciderSpec{
		ScalingMetric:       s.metric,
		TargetValue:         target,
		TotalValue:          target / 0.7,
		TargetBurstCapacity: pick(dice, -1.0, 0, 211),
		MaxScaleUpRate:      w.MaxScaleUpRate,
		MaxScaleDownRate:    cmp.Or(w.MaxScaleDownRate, 2),
		Reachable:           w.MaxScaleDownRate != 0,
		PanicThreshold:      w.PanicThreshold,
		StableWindow:        w.Stable,
		ActivationScale:     w.ActivationScale,
	})
	return s
}

func randomWindows(dice *rand.Rand) proposers.Windows {
	w := proposers.DefaultWindows(pick(dice, 100, 200, 700, 1000, 10_000, 70_000, 1+hpametrics.Milli(dice.Int64N(100_000))))
	if dice.IntN(3) > 0 { // else Knative's defaults
		w.Stable = time.Duration(pick(dice, 1, 6, 30, 60, 61, 1+dice.IntN(600), 3600)) * time.Second
		w.Panic = min(w.Stable, time.Duration(1+dice.Int64N(int64(w.Stable/time.Second)))*time.Second)
	}
	w.PanicThreshold = pick(dice, 1.1, 1.5, 2, 2, 2, 3.3, 10)
	w.MaxScaleUpRate = pick(dice, 1.1, 1.5, 2, 10, 1000, 1000)
	w.MaxScaleDownRate = pick(dice, 0, 1.1, 2, 2, 2, 10)
	w.ActivationScale = pick[int32](dice, 0, 1, 2, 5)
	return w
}

func pick[T any](dice *rand.Rand, from ...T) T { return from[dice.IntN(len(from))] }

// advance moves the clock: mostly on by about as long as Knative waits, and
// sometimes back, or to a boundary. Further back than a stable window, Knative
// waits until the clock is there again.
func (s *sides) advance(dice *rand.Rand) {
	defer func() {
		if least := s.latest.Add(-s.w.Stable); s.now.Before(least) {
			s.now = least
		} else if s.now.After(s.latest) {
			s.latest = s.now
		}
	}()
	const sec = time.Second
	switch dice.IntN(10) {
	case 0:
		s.now = s.now.Add(pick(dice, 0, 1, sec-1, sec+1, s.w.Panic, s.w.Panic-1, s.w.Stable, s.w.Stable-1, s.w.Stable+1, s.w.Stable+sec, -1, -sec, -s.w.Panic, -s.w.Stable))
	case 1:
		s.now = s.now.Add(time.Duration(dice.Int64N(int64(s.w.Stable) + 1)))
	case 2:
		if at := s.load.PanicSeen.Add(s.w.Stable + time.Duration(dice.IntN(3)-1)); at.After(s.now) && at.Before(s.now.Add(time.Hour)) {
			s.now = at
		}
	case 3, 4, 5:
		s.now = s.now.Add(sec)
	default:
		s.now = s.now.Add(2*sec + time.Duration(dice.Int64N(int64(sec/5))))
	}
}

// record gives both sides the same load: nothing, a little, multiples of the
// target, or anything.
func (s *sides) record(dice *rand.Rand) {
	for range dice.IntN(4) {
		load := pick(dice, 0, dice.Int64N(10), dice.Int64N(20)*int64(s.w.Target), dice.Int64N(20)*int64(s.w.Target), dice.Int64N(1_000_000))
		s.w.Record(s.now, hpametrics.Milli(load), &s.load)
		s.reference.Record(s.now, load)
		value := float64(load) / 1000
		s.collector.Record(s.key, s.now, metrics.Stat{AverageConcurrentRequests: value, RequestCount: value})
	}
}

// propose proposes. Knative's panic of the start lasts until the load begins
// one.
func (s *sides) propose() (calculator.Proposed, error) {
	if s.restarted {
		calm := s.load.Clone()
		calm.PanicSeen = time.Time{}
		s.w.Propose(s.now, int32(s.ready), &calm)
		s.restarted = calm.PanicSeen.IsZero()
		s.load.PanicSeen = s.now
	}
	return s.w.Propose(s.now, int32(s.ready), &s.load)
}

// averages returns Knative's.
func (s *sides) averages(t *testing.T) (stable, panicked float64) {
	ask := s.collector.StableAndPanicConcurrency
	if s.metric == autoscaling.RPS {
		ask = s.collector.StableAndPanicRPS
	}
	stable, panicked, err := ask(s.key, s.now)
	require.NoError(t, err)
	return stable, panicked
}

// settle lets pods come and go: to the size, part of the way, or for no reason.
func (s *sides) settle(dice *rand.Rand, size int) {
	switch dice.IntN(8) {
	case 0:
		s.ready = dice.IntN(30)
	case 1, 2:
		s.ready = min(size, 200)
	default:
		s.ready += (min(size, 200) - s.ready) / 2
	}
}
