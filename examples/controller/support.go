package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/metrics/pkg/client/custom_metrics"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/purehpa/hpa/calculator"
)

// recorder is an events.EventRecorder as kube.RecordEvents wants it.
type recorder struct{ events.EventRecorder }

func (r recorder) Event(object runtime.Object, eventtype, reason, message string) {
	const longest = 1024 // or the API server drops the event
	r.Eventf(object, nil, eventtype, reason, "Scale", "%s", cut(message, longest))
}

// cut returns the first n bytes of a text, without a rune that they split.
func cut(text string, n int) string {
	return strings.ToValidUTF8(text[:min(n, len(text))], "")
}

// invalidator makes the custom metrics client ask again which versions there
// are.
type invalidator struct {
	versions custom_metrics.AvailableAPIsGetter
	period   time.Duration
}

func (i invalidator) Start(ctx context.Context) error {
	custom_metrics.PeriodicallyInvalidate(i.versions, i.period, ctx.Done())
	return nil
}

// cacheSynced is a probe that answers once the cache has what the cluster has.
func cacheSynced(mgr ctrl.Manager) healthz.Checker {
	return func(req *http.Request) error {
		ctx, cancel := context.WithTimeout(req.Context(), time.Second)
		defer cancel()
		if !mgr.GetCache().WaitForCacheSync(ctx) {
			return errors.New("the cache is not synced")
		}
		return nil
	}
}

var (
	decisions = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "purehpa_decisions_total",
		Help: "Syncs that came to a decision, by outcome.",
	}, []string{"namespace", "name", "action"})
	failures = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "purehpa_errors_total",
		Help: "Syncs with an error, be it one that a decision could be made in spite of.",
	}, []string{"namespace", "name"})
	currentReplicas = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "purehpa_current_replicas",
		Help: "The size before the last sync.",
	}, []string{"namespace", "name"})
	desiredReplicas = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "purehpa_desired_replicas",
		Help: "The size that the last sync asked for, or would have in a dry run.",
	}, []string{"namespace", "name"})
	syncSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "purehpa_sync_duration_seconds",
		Help:    "The time of a sync.",
		Buckets: prometheus.ExponentialBuckets(0.001, 2, 15),
	})
	syncLagSeconds = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "purehpa_sync_lag_seconds",
		Help:    "How late syncs begin. More than the sync period: there are too many Autoscalers for this controller.",
		Buckets: prometheus.ExponentialBuckets(0.001, 2, 18),
	})
)

func init() {
	metrics.Registry.MustRegister(decisions, failures, currentReplicas, desiredReplicas, syncSeconds, syncLagSeconds)
}

// count shows the decision to Prometheus.
func count(key client.ObjectKey, d *calculator.Decision) {
	if d.Err() != nil {
		failures.WithLabelValues(key.Namespace, key.Name).Inc()
	}
	if d.Zone == calculator.NoZone {
		return
	}
	action := "none"
	switch {
	case d.Outcome == calculator.OutcomeNotWritten:
		action = "failed"
	case d.Outcome == calculator.OutcomePending:
		action = "dry_run"
	case d.DesiredReplicas > d.CurrentReplicas:
		action = "scale_up"
	case d.DesiredReplicas < d.CurrentReplicas:
		action = "scale_down"
	}
	decisions.WithLabelValues(key.Namespace, key.Name, action).Inc()
	currentReplicas.WithLabelValues(key.Namespace, key.Name).Set(float64(d.CurrentReplicas))
	desiredReplicas.WithLabelValues(key.Namespace, key.Name).Set(float64(d.DesiredReplicas))
}

// uncount forgets an Autoscaler that is gone.
func uncount(key client.ObjectKey) {
	labels := prometheus.Labels{"namespace": key.Namespace, "name": key.Name}
	for _, v := range []interface {
		DeletePartialMatch(prometheus.Labels) int
	}{decisions, failures, currentReplicas, desiredReplicas} {
		v.DeletePartialMatch(labels)
	}
}
