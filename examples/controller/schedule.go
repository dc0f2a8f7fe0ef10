package main

import (
	"hash/fnv"
	"sync"
	"time"

	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// turn returns whose turns an Autoscaler has: its own, or those of its namespace if
// all of them there can have their syncs at once. Then they share an answer of the
// metrics API.
func (r *reconciler) turn(key client.ObjectKey) (name string, together bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.selectors[key.Namespace]); n < 2 || n > r.syncs {
		return key.String(), false
	}
	return key.Namespace, true
}

// mostShared is the age from which on an answer is not shared, so that a sync that is
// late asks anew.
const mostShared = time.Second

// begin notes that a sync begins. One that is not due has no others beside it. Others
// share an answer that was asked for since they were due.
func (m *memory) begin(now time.Time) {
	m.since = time.Time{}
	if m.together && !m.due.IsZero() && !now.Before(m.due) {
		m.since = m.due
		if oldest := now.Add(-mostShared); oldest.After(m.due) {
			m.since = oldest
		}
	}
	m.due = time.Time{}
}

// nextSync returns the time to the next sync, and whether that is the next turn.
// It is sooner if the clock alone changes the decision before that.
func nextSync(now, until time.Time, period time.Duration, name string) (next time.Duration, turn bool) {
	next = nextTurn(now, period, name)
	if left := until.Sub(now); !until.IsZero() && left < next {
		return max(left, time.Millisecond), false
	}
	return next, true
}

// nextTurn returns the time to the next turn of a name, more than 0. It has one turn
// in each period. The turns of all names are spread over the period.
func nextTurn(now time.Time, period time.Duration, name string) time.Duration {
	h := fnv.New64a()
	h.Write([]byte(name))
	first := int64(h.Sum64() % uint64(period))
	since := (now.UnixNano() - first) % int64(period)
	return period - time.Duration(since)
}

// lag is how late syncs begin. The zero lag is ready to use.
type lag struct {
	mu     sync.Mutex
	most   time.Duration // since the last warning
	warned time.Time
}

// observe shows how late a sync begins that was due at some time, unless that is
// zero. A sync that is late by a period stands for one that never was, which is
// worth a warning each period.
func (l *lag) observe(now, due time.Time, period time.Duration) {
	if due.IsZero() || now.Before(due) {
		return
	}
	late := now.Sub(due)
	syncLagSeconds.Observe(late.Seconds())
	l.mu.Lock()
	defer l.mu.Unlock()
	l.most = max(l.most, late)
	if l.most < period || now.Sub(l.warned) < period {
		return
	}
	klog.Warningf("Syncs begin up to %v late: there are more Autoscalers than this controller can decide on every %v. See --concurrent-horizontal-pod-autoscaler-syncs, --kube-api-qps and --watch-label-selector.", l.most.Round(time.Millisecond), period)
	l.most, l.warned = 0, now
}
