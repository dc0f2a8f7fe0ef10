package main

import (
	"context"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/purehpa/hpa/examples/internal/cluster/clustertest"
)

// result is what a phase took. All but the memory and the latencies are
// differences between its end and its begin.
type result struct {
	Autoscalers int
	Phase, Side string
	Seconds     float64
	Syncs       float64
	// CPU has seconds of the controller, kube-apiserver, etcd, and of this
	// program, which has the metrics API.
	CPU map[string]float64
	// Allocations and AllocatedBytes are the controller's.
	Allocations, AllocatedBytes int64
	// PeakBytes and ResidentBytes are the controller's memory, the peak since it
	// was started.
	PeakBytes, ResidentBytes int64
	// Requests to the API server by verb and resource; ResponseBytes are those
	// of GET and LIST.
	Requests                              map[string]float64
	ResponseBytes                         float64
	MetricsRequests, MetricsResponseBytes int64
	Latencies                             *latencies `json:",omitempty"`
	// Shares are those of the controller's CPU time.
	Shares map[class]float64
}

// settle is the time before a phase: a period, and some more for its syncs.
const settle = syncPeriod + 5*time.Second

// getScale is the request that each sync makes once.
const getScale = "GET deployments/scale"

// sample is the state of all counters.
type sample struct {
	at                      time.Time
	cpu                     map[string]time.Duration
	objects, allocated      int64
	peak, resident          int64
	requests                requests
	metricsCount, metricLen int64
}

// meter reads the counters while one controller runs.
type meter struct {
	server  rest.Interface // the API server
	pids    map[string]int
	address string // of the controller's /debug/pprof
	metrics *metricsAPI
}

func newMeter(config *rest.Config, controller *clustertest.Process, address string, metrics *metricsAPI) (*meter, error) {
	c, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	started, err := children()
	if err != nil {
		return nil, err
	}
	return &meter{
		server: c.RESTClient(), address: address, metrics: metrics,
		pids: map[string]int{
			"controller": controller.PID(), "kube-apiserver": started["kube-apiserver"], "etcd": started["etcd"], "measure": os.Getpid(),
		},
	}, nil
}

// read reads all counters.
func (m *meter) read(ctx context.Context) (s sample, err error) {
	text, err := m.server.Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return s, err
	}
	s.requests = parseRequests(text)
	s.metricsCount, s.metricLen = m.metrics.requests.Load(), m.metrics.bytes.Load()
	if s.objects, s.allocated, err = allocations(ctx, m.address); err != nil {
		return s, err
	}
	if s.peak, s.resident, err = memory(m.pids["controller"]); err != nil {
		return s, err
	}
	s.at, s.cpu = time.Now(), map[string]time.Duration{}
	for name, pid := range m.pids {
		if s.cpu[name], err = cpuTime(pid); err != nil {
			return s, err
		}
	}
	return s, nil
}

// since returns the differences to an earlier sample.
func (s *sample) since(before *sample) *result {
	r := &result{
		Seconds:     s.at.Sub(before.at).Seconds(),
		CPU:         map[string]float64{},
		Allocations: s.objects - before.objects, AllocatedBytes: s.allocated - before.allocated,
		PeakBytes: s.peak, ResidentBytes: s.resident,
		Requests: map[string]float64{}, ResponseBytes: s.requests.bytes - before.requests.bytes,
		MetricsRequests: s.metricsCount - before.metricsCount, MetricsResponseBytes: s.metricLen - before.metricLen,
	}
	for name := range s.cpu {
		r.CPU[name] = (s.cpu[name] - before.cpu[name]).Seconds()
	}
	for key, n := range s.requests.count {
		if n -= before.requests.count[key]; n > 0 {
			r.Requests[key] = n
		}
	}
	r.Syncs = r.Requests[getScale]
	return r
}

// phase measures what run does, with a CPU profile of the span at its begin.
func (m *meter) phase(ctx context.Context, span time.Duration, run func() error) (*result, []byte, error) {
	before, err := m.read(ctx)
	if err != nil {
		return nil, nil, err
	}
	profile := make(chan error, 1)
	var text []byte
	go func() {
		var err error
		text, err = get(ctx, "http://"+m.address+"/debug/pprof/profile?seconds="+strconv.Itoa(int(span.Seconds())))
		profile <- err
	}()
	if err := run(); err != nil {
		return nil, nil, err
	}
	if err := <-profile; err != nil {
		return nil, nil, err
	}
	after, err := m.read(ctx)
	if err != nil {
		return nil, nil, err
	}
	r := after.since(&before)
	r.Shares, err = shares(text)
	return r, text, err
}

// phases measures the three phases of one side.
func (m *meter) phases(ctx context.Context, w *workload, c client.WithWatch, o *options, side string) (all []*result, err error) {
	var took *latencies
	for _, phase := range []struct {
		name string
		run  func() error
	}{
		{"still", func() error { return sleep(ctx, o.span) }},
		{"moving", func() error {
			m.metrics.moving.Store(true)
			defer m.metrics.moving.Store(false)
			return sleep(ctx, o.span)
		}},
		{"changes", func() (err error) {
			took, err = w.changes(ctx, c, o.span)
			return err
		}},
	} {
		// Until each status says what there is.
		if err := sleep(ctx, settle); err != nil {
			return nil, err
		}
		r, profile, err := m.phase(ctx, o.span, phase.run)
		if err != nil {
			return nil, err
		}
		r.Autoscalers, r.Phase, r.Side, r.Latencies = len(w.apps), phase.name, side, took
		log.Printf("%s, %s: requests %v, CPU seconds %v", side, phase.name, r.Requests, r.CPU)
		if err := o.saveProfile(r, profile); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// saveProfile saves the controller's CPU profile of a phase, if asked to.
func (o *options) saveProfile(r *result, profile []byte) error {
	if o.profiles == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(o.profiles, strings.Join(r.names(), "-")+".pprof"), profile, 0o644)
}
