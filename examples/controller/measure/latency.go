package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// latencies are the times from a change of load to the change of size,
// in nanoseconds as JSON.
type latencies struct {
	P50, P99, Max time.Duration
	// Missing is how many changes of size never came.
	Missing int
}

// arrivals notes when Deployments are first asked for wantReplicas.
type arrivals struct {
	mu  sync.Mutex
	all map[client.ObjectKey]time.Time
}

// watchArrivals watches until the context ends.
func watchArrivals(ctx context.Context, c client.WithWatch) (*arrivals, error) {
	w, err := c.Watch(ctx, new(appsv1.DeploymentList))
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, w.Stop)
	r := &arrivals{all: map[client.ObjectKey]time.Time{}}
	go func() {
		for e := range w.ResultChan() {
			if d, ok := e.Object.(*appsv1.Deployment); ok && *d.Spec.Replicas == wantReplicas {
				r.note(client.ObjectKeyFromObject(d), time.Now())
			}
		}
	}()
	return r, nil
}

func (r *arrivals) note(key client.ObjectKey, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.all[key]; !known {
		r.all[key] = at
	}
}

func (r *arrivals) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.all)
}

// double doubles the load of each app once, at its own time within the span,
// and returns when. The times are the same on each call.
func (w *workload) double(ctx context.Context, span time.Duration) (map[client.ObjectKey]time.Time, error) {
	r := rand.New(rand.NewPCG(1, 2))
	after := make([]time.Duration, len(w.apps))
	for i := range after {
		after[i] = time.Duration(r.Int64N(int64(span)))
	}
	slices.Sort(after)
	changed := map[client.ObjectKey]time.Time{}
	start := time.Now()
	for i, n := range r.Perm(len(w.apps)) {
		if err := sleep(ctx, time.Until(start.Add(after[i]))); err != nil {
			return nil, err
		}
		a := w.apps[n]
		changed[client.ObjectKey{Namespace: a.namespace, Name: a.name}] = time.Now()
		a.load.Store(2 * targetLoad)
	}
	return changed, nil
}

// changes doubles all loads, waits for the sizes, and returns how long they
// took.
func (w *workload) changes(ctx context.Context, c client.WithWatch, span time.Duration) (*latencies, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	seen, err := watchArrivals(ctx, c)
	if err != nil {
		return nil, err
	}
	changed, err := w.double(ctx, span)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(2 * syncPeriod); seen.count() < len(changed) && time.Now().Before(deadline); {
		if err := sleep(ctx, 20*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return seen.since(changed)
}

// since returns the times from the changes of load to those of size.
func (r *arrivals) since(changed map[client.ObjectKey]time.Time) (*latencies, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var took []time.Duration
	for key, at := range r.all {
		if changed[key].IsZero() || at.Before(changed[key]) {
			return nil, fmt.Errorf("%s scaled before its load changed", key)
		}
		took = append(took, at.Sub(changed[key]))
	}
	slices.Sort(took)
	return &latencies{
		P50: percentile(took, 50), P99: percentile(took, 99), Max: percentile(took, 100),
		Missing: len(changed) - len(took),
	}, nil
}

// percentile returns the least of the sorted durations that p percent of them do
// not exceed, or 0 if there are none.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*p+99)/100-1]
}

// sleep waits, unless the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
