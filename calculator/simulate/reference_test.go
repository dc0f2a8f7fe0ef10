package simulate

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// naive is a Deployment that lives from second to second and remembers all of
// them, where everything that happens happens at whole seconds.
type naive struct {
	Deployment
	seed          uint64
	start         time.Time
	spec          *autoscaling.HorizontalPodAutoscalerSpec
	second        int
	asked, wanted int
	orders        map[int][]int
	rollouts      map[int]bool
	generation    int
	created       uint64
	pods          []*naivePod
	loads         map[int]metrics.Milli
	holds         func(n int) metrics.Milli
	// scrapes are the seconds of the metrics' first scrapes.
	scrapes []int
}

type naivePod struct {
	number, crashes uint64
	generation      int
	stage           string
	due             int
	// began is when the container began to run.
	began int
	// log is what the pod served in each second of its container's life; -1 as
	// long as it was starting.
	log map[int]metrics.Milli
	api podgroup.Pod
}

// longAgo is the second at which the first pods began.
const longAgo = -int(margin / time.Second)

func newNaive(w Deployment, b *RunConfig, holds func(int) metrics.Milli) *naive {
	n := &naive{
		Deployment: w, seed: b.Seed, start: b.Start, spec: b.Spec, asked: int(b.Replicas), wanted: int(b.Replicas),
		orders: map[int][]int{}, rollouts: map[int]bool{}, loads: map[int]metrics.Milli{}, holds: holds,
	}
	load, _ := b.Load.At(b.Start)
	n.second = longAgo
	for range n.wanted {
		n.create()
	}
	for _, p := range n.pods {
		n.move(p)
		n.move(p)
		for s := -200; s < 0; s++ {
			p.log[s] = n.share(load, n.wanted)
		}
	}
	for s := -200; s < 0; s++ {
		n.loads[s] = load
	}
	n.second = 0
	for _, p := range n.pods {
		p.due = n.crashDue(p)
	}
	for _, at := range w.Rollouts {
		n.rollouts[int(at.Sub(b.Start)/time.Second)] = true
	}
	n.settle()
	return n
}

func (n *naive) at(second int) metrics.Instant {
	return metrics.At(n.start.Add(time.Duration(second) * time.Second))
}

func (n *naive) share(load metrics.Milli, serving int) metrics.Milli {
	if serving == 0 {
		return 0
	}
	if n.Capacity > 0 {
		load = min(load, n.Capacity*metrics.Milli(serving))
	}
	return load / metrics.Milli(serving)
}

func (n *naive) seconds(what uint64, p *naivePod, d Distribution) int {
	if d == nil {
		return 0
	}
	r := NewRand(n.seed, what, p.number, p.crashes)
	return int(d.Draw(&r) / time.Second)
}

func (n *naive) crashDue(p *naivePod) int {
	if n.CrashAfter == nil {
		return math.MaxInt32
	}
	return n.second + n.seconds(drawCrash, p, n.CrashAfter)
}

func (n *naive) create() {
	n.created++
	p := &naivePod{number: n.created, generation: n.generation, stage: "pending", log: map[int]metrics.Milli{}}
	p.due = n.second + n.seconds(drawPending, p, n.Pending)
	p.api = podgroup.Pod{
		Name: fmt.Sprint("pod-", p.number), Phase: podgroup.PhasePending, Containers: n.Containers,
		StartTime: n.at(n.second), Ready: podgroup.ReadyFalse, ReadyTransition: n.at(n.second),
	}
	p.api.Resolve()
	n.pods = append(n.pods, p)
}

// move takes the pod to its next stage.
func (n *naive) move(p *naivePod) {
	switch p.stage {
	case "pending", "crashed":
		p.api.Phase = podgroup.PhaseRunning
		p.stage, p.began, p.log = "starting", n.second, map[int]metrics.Milli{}
		ready := n.second + n.seconds(drawStartup, p, n.Startup)
		for probe := int(n.ProbePeriod / time.Second); probe > 0 && (ready-n.second)%probe != 0; {
			ready++
		}
		p.due = ready
	case "starting":
		p.stage, p.api.Ready, p.api.ReadyTransition = "serving", podgroup.ReadyTrue, n.at(n.second)
		p.due = n.crashDue(p)
	case "serving":
		p.stage, p.api.Ready, p.api.ReadyTransition = "crashed", podgroup.ReadyFalse, n.at(n.second)
		p.due = n.second + n.seconds(drawRestart, p, n.Restart)
		p.crashes++
	}
}

func (n *naive) count(which func(*naivePod) bool) int {
	c := 0
	for _, p := range n.pods {
		if which(p) {
			c++
		}
	}
	return c
}

func live(p *naivePod) bool    { return p.stage != "leaving" }
func serving(p *naivePod) bool { return p.stage == "serving" }
func (n *naive) old(p *naivePod) bool {
	return live(p) && p.generation != n.generation
}
func (n *naive) fresh(p *naivePod) bool {
	return live(p) && p.generation == n.generation
}

// dismiss removes the pod that goes first among those.
func (n *naive) dismiss(which func(*naivePod) bool) bool {
	for _, stages := range []string{"pending", "starting crashed", "serving"} {
		for i := len(n.pods) - 1; i >= 0; i-- {
			p := n.pods[i]
			if which(p) && (p.stage == stages || stages == "starting crashed" && (p.stage == "starting" || p.stage == "crashed")) {
				p.stage, p.due, p.api.Deleted = "leaving", n.second+int(n.Grace/time.Second), true
				return true
			}
		}
	}
	return false
}

// adjust adds or removes one pod, and reports whether it did.
func (n *naive) adjust() bool {
	all := n.count(live)
	if n.count(n.old) == 0 {
		switch {
		case all < n.wanted:
			n.create()
			return true
		case all > n.wanted:
			return n.dismiss(live)
		}
		return false
	}
	surge := int(math.Ceil(float64(n.wanted)*float64(n.MaxSurge.Percent)/100)) + int(n.MaxSurge.Pods)
	unavailable := int(float64(n.wanted)*float64(n.MaxUnavailable.Percent)/100) + int(n.MaxUnavailable.Pods)
	if surge+unavailable == 0 {
		unavailable = 1
	}
	least := n.wanted - unavailable
	fresh := n.count(n.fresh)
	waiting := n.count(func(p *naivePod) bool { return n.fresh(p) && !serving(p) })
	oldIdle := func(p *naivePod) bool { return n.old(p) && !serving(p) }
	switch {
	case all > n.wanted+surge:
		return n.dismiss(func(p *naivePod) bool { return live(p) && !serving(p) }) || n.dismiss(n.old) || n.dismiss(live)
	case fresh > n.wanted:
		return n.dismiss(n.fresh)
	case fresh < n.wanted && all < n.wanted+surge:
		n.create()
		return true
	case all-least-waiting > 0 && n.count(oldIdle) > 0:
		return n.dismiss(oldIdle)
	case n.count(serving) > least:
		return n.dismiss(n.old)
	}
	return false
}

func (n *naive) settle() {
	for {
		for _, w := range n.orders[n.second] {
			n.wanted = w
		}
		delete(n.orders, n.second)
		if n.rollouts[n.second] {
			n.generation++
			delete(n.rollouts, n.second)
		}
		moved := false
		for _, p := range n.pods {
			for live(p) && p.due <= n.second {
				n.move(p)
				moved = true
			}
		}
		for n.adjust() {
			moved = true
		}
		var stay []*naivePod
		for _, p := range n.pods {
			if live(p) || p.due > n.second {
				stay = append(stay, p)
			}
		}
		n.pods = stay
		if !moved {
			return
		}
	}
}

func (n *naive) Scale(replicas int) {
	n.asked = replicas
	at := n.second + int(n.ScaleDelay/time.Second)
	n.orders[at] = append(n.orders[at], replicas)
	n.settle()
}

func (n *naive) Advance(seconds int, load Load) Performance {
	var s Performance
	var sum struct{ load, unserved, capacity, above metrics.Milli }
	target := new(big.Int) // may have no limit
	for range seconds {
		l, _ := load.At(n.start.Add(time.Duration(n.second) * time.Second))
		ready := n.count(serving)
		n.loads[n.second] = l
		for _, p := range n.pods {
			switch p.stage {
			case "serving":
				p.log[n.second] = n.share(l, ready)
			case "starting":
				p.log[n.second] = -1
			}
		}
		sum.load += l
		target.Add(target, big.NewInt(int64(n.holds(ready))))
		if n.Capacity > 0 {
			sum.capacity += n.Capacity * metrics.Milli(ready)
		}
		if most := n.Capacity * metrics.Milli(ready); l > most && (n.Capacity > 0 || ready == 0) {
			sum.unserved += l - most
			s.TimeUnserved += time.Second
		}
		if over := l - n.holds(ready); over > 0 {
			sum.above += over
			s.TimeAboveTarget += time.Second
		}
		s.PodTime += time.Duration(len(n.pods)) * time.Second
		n.second++
		n.settle()
	}
	k := metrics.Milli(seconds)
	s.Load, s.Unserved, s.Capacity, s.AboveTarget = sum.load/k, sum.unserved/k, sum.capacity/k, sum.above/k
	s.TargetLoad = metrics.Milli(target.Div(target, big.NewInt(int64(k))).Int64())
	return s
}

// shows is what the gauge makes of a load.
func (n *naive) shows(g *Gauge, load metrics.Milli) metrics.Milli {
	unit := g.LoadUnit
	if unit == 0 {
		unit = 1000
	}
	return g.Idle + g.PerLoad*load/unit
}

func (n *naive) Observe() calculator.Observation {
	obs := calculator.Observation{SpecReplicas: int32(n.asked), StatusReplicas: int32(n.count(live))}
	for _, p := range n.pods {
		obs.Pods = append(obs.Pods, p.api)
	}
	for i := range n.spec.Metrics {
		metric := n.spec.Metrics[i].Resolve()
		var g *Gauge
		for j := range n.Gauges {
			if n.Gauges[j].Metric == metric.Name && n.Gauges[j].Container == metric.Container {
				g = &n.Gauges[j]
			}
		}
		obs.Readings = append(obs.Readings, n.reading(i, g, n.spec.Metrics[i].Type == autoscaling.ExternalMetricSourceType))
	}
	return obs
}

func (n *naive) reading(index int, g *Gauge, whole bool) calculator.Reading {
	scrape, number := n.second-int(g.Lag/time.Second), uint64(0)
	if period := int(g.Period / time.Second); period > 0 {
		k, first := -1000, n.scrapes[index]
		for first+(k+1)*period <= scrape {
			k++
		}
		scrape, number = first+k*period, uint64(k)
	} else {
		number = uint64(n.at(scrape))
	}
	window := max(int(g.Window/time.Second), 1)
	if whole {
		var sum metrics.Milli
		for s := scrape - window; s < scrape; s++ {
			sum += n.shows(g, n.loads[s])
		}
		return calculator.Reading{Values: []metrics.Milli{sum / metrics.Milli(window)}}
	}
	var r calculator.Reading
	for _, p := range n.pods {
		var sum, count metrics.Milli
		for s := scrape - window; s < scrape; s++ {
			served, ok := p.log[s]
			switch {
			case !ok:
				continue
			case served < 0:
				sum += g.Starting
			default:
				sum += n.shows(g, served)
			}
			count++
		}
		rand := NewRand(n.seed, drawSample, uint64(index), number, p.number)
		if count == 0 || p.stage == "crashed" || p.stage == "leaving" || g.MissingRate > 0 && float64(rand.Uint64()) <= g.MissingRate*(1<<64) {
			r.Samples = append(r.Samples, metrics.Sample{})
			continue
		}
		r.Samples = append(r.Samples, metrics.Sample{
			Value:   sum / count,
			Time:    n.at(scrape),
			Window:  min(g.Window, time.Duration(scrape-p.began)*time.Second),
			Present: true,
		})
	}
	return r
}

// wholeSeconds draws from Min to Max seconds.
type wholeSeconds struct{ Min, Max int }

func (d wholeSeconds) Draw(r *Rand) time.Duration {
	return time.Duration(d.Min+int(r.Below(uint64(d.Max-d.Min+1)))) * time.Second
}

func someSeconds(t *rapid.T, name string, least, most int) Distribution {
	if rapid.Bool().Draw(t, name+"?") {
		return nil
	}
	d := wholeSeconds{Min: rapid.IntRange(least, most).Draw(t, name+"min")}
	d.Max = rapid.IntRange(d.Min, most).Draw(t, name+"max")
	return d
}

func duration(t *rapid.T, name string, of ...int) time.Duration {
	return time.Duration(rapid.SampledFrom(of).Draw(t, name)) * time.Second
}

// TestPlantIsTheNaiveOne holds a Deployment against the naive one, through
// changes of size, crashes, rollouts and a load that changes.
func TestPlantIsTheNaiveOne(t *testing.T) {
	spec := testSpec(t, `"metrics":[
		{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":60}}},
		{"type":"Pods","pods":{"metric":{"name":"rps"},"target":{"type":"AverageValue","averageValue":"10"}}},
		{"type":"External","external":{"metric":{"name":"queue"},"target":{"type":"AverageValue","averageValue":"30"}}}]`)
	begin := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		var load LoadSeries
		for at := 0; at < 200; at += rapid.IntRange(1, 60).Draw(t, "hold") {
			load = append(load, LoadPoint{begin.Add(time.Duration(at) * time.Second), metrics.Milli(rapid.IntRange(0, 150_000).Draw(t, "load"))})
		}
		w := Deployment{
			Capacity:       metrics.Milli(rapid.SampledFrom([]int{0, 7_001, 15_000}).Draw(t, "capacity")),
			Containers:     []podgroup.Container{{Name: "app", Requests: podgroup.Requests{CPU: podgroup.Requested(500)}}},
			Pending:        someSeconds(t, "pending", 0, 20),
			Startup:        someSeconds(t, "startup", 0, 40),
			ProbePeriod:    duration(t, "probe", 0, 3, 10),
			ScaleDelay:     duration(t, "delay", 0, 1, 20),
			Grace:          duration(t, "grace", 0, 1, 25),
			CrashAfter:     someSeconds(t, "crash", 5, 100),
			Restart:        someSeconds(t, "restart", 0, 20),
			MaxSurge:       Extent{int32(rapid.IntRange(0, 2).Draw(t, "surge")), int32(rapid.SampledFrom([]int{0, 25, 100}).Draw(t, "surge%"))},
			MaxUnavailable: Extent{int32(rapid.IntRange(0, 2).Draw(t, "unavailable")), int32(rapid.SampledFrom([]int{0, 25, 50}).Draw(t, "unavailable%"))},
		}
		for _, at := range rapid.SliceOfNDistinct(rapid.IntRange(0, 150), 0, 2, rapid.ID).Draw(t, "rollouts") {
			w.Rollouts = append(w.Rollouts, begin.Add(time.Duration(at)*time.Second))
		}
		if len(w.Rollouts) == 2 && w.Rollouts[1].Before(w.Rollouts[0]) {
			w.Rollouts[0], w.Rollouts[1] = w.Rollouts[1], w.Rollouts[0]
		}
		for _, name := range []string{"queue", "rps", "cpu"} {
			w.Gauges = append(w.Gauges, Gauge{
				Metric:      name,
				Idle:        metrics.Milli(rapid.IntRange(0, 50).Draw(t, name+"idle")),
				PerLoad:     metrics.Milli(rapid.IntRange(0, 900).Draw(t, name+"perLoad")),
				LoadUnit:    metrics.Milli(rapid.SampledFrom([]int{0, 1, 15_000}).Draw(t, name+"unit")),
				Starting:    metrics.Milli(rapid.IntRange(0, 900).Draw(t, name+"starting")),
				Period:      duration(t, name+"period", 0, 7, 15, 30),
				Lag:         duration(t, name+"lag", 0, 1, 20),
				Window:      duration(t, name+"window", 0, 1, 15, 60),
				MissingRate: rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(t, name+"missing"),
			})
		}
		b := &RunConfig{Start: begin, Load: load, Replicas: int32(rapid.IntRange(1, 12).Draw(t, "replicas")), Seed: rapid.Uint64().Draw(t, "seed"), Spec: spec, Settings: &calculator.Settings{Tolerance: 0.1}}
		plant, err := w.Plant(b)
		require.NoError(t, err)
		reference := newNaive(w, b, plant.(*pods).holds)
		for i := range plant.(*pods).meters {
			m := &plant.(*pods).meters[i]
			first := rapid.IntRange(0, 30).Draw(t, "scrape")
			m.first = metrics.At(begin.Add(time.Duration(first) * time.Second))
			reference.scrapes = append(reference.scrapes, first)
		}
		period := rapid.IntRange(1, 20).Draw(t, "period")
		now := begin
		for range rapid.IntRange(1, 200/period).Draw(t, "syncs") {
			var obs calculator.Observation
			plant.Observe(now, &obs)
			want := reference.Observe()
			want.Group = obs.Group
			if !reflect.DeepEqual(want, obs) { // which is found sooner than a difference
				if diff := cmp.Diff(want, obs, cmpopts.IgnoreFields(calculator.Observation{}, "Group"), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("at %v (-naive +got):\n%s", now.Sub(begin), diff)
				}
			}
			require.True(t, obs.Group.PreparedFrom(obs.Pods))
			if rapid.IntRange(0, 4).Draw(t, "scale?") == 0 {
				size := int32(rapid.IntRange(0, 15).Draw(t, "size"))
				plant.Scale(now, size)
				reference.Scale(int(size))
			}
			now = now.Add(time.Duration(period) * time.Second)
			if diff := cmp.Diff(reference.Advance(period, load), plant.Advance(now, load)); diff != "" {
				t.Fatalf("until %v (-naive +got):\n%s", now.Sub(begin), diff)
			}
		}
	})
}
