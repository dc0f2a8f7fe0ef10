package main

import (
	"hash/fnv"
	"sync"
	"time"

	"k8s.io/klog/v2"
)

// nextSync returns the time to the next sync: the next turn of the Autoscaler, or
// less if the clock alone changes the decision before that.
func nextSync(now, until time.Time, period time.Duration, key string) time.Duration {
	next := nextTurn(now, period, key)
	if !until.IsZero() {
		next = min(next, until.Sub(now))
	}
	return max(next, time.Millisecond)
}

// nextTurn returns the time to the next turn of an Autoscaler. It has one turn in
// each period. The turns of all Autoscalers are spread over the period.
func nextTurn(now time.Time, period time.Duration, key string) time.Duration {
	h := fnv.New64a()
	h.Write([]byte(key))
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
