package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"
)

// requests are those of all clients of a connection.
type requests struct {
	ctx context.Context
	// metricsTimeout is how long one autoscaler's metrics may take; 0 is for
	// ever.
	metricsTimeout time.Duration
	// givesUp reports whether a metrics API that once did not answer in time is
	// not asked again.
	givesUp atomic.Bool
	// slow is told, once, what does not answer for a while.
	slow func(what string)

	mu     sync.Mutex
	hung   map[string]error
	warned map[string]bool
}

// slowAfter is how long a request may take without a word.
const slowAfter = 3 * time.Second

// transport is that of one client.
type transport struct {
	*requests
	next http.RoundTripper
}

// RoundTrip ends requests of clients that take no context, those for versions
// and for two of the metrics APIs, with the command's.
func (r *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	what := apiOf(req.URL.Path)
	if err := r.gaveUp(what); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	stop := context.AfterFunc(r.ctx, func() { cancel(context.Cause(r.ctx)) })
	warn := time.AfterFunc(slowAfter, func() { r.warn(what) })
	resp, err := r.next.RoundTrip(req.WithContext(ctx))
	warn.Stop()
	if err != nil {
		stop()
		cancel(nil)
		r.failed(what, err)
		return nil, err
	}
	resp.Body = &body{resp.Body, func() { stop(); cancel(nil) }}
	return resp, nil
}

// WrappedRoundTripper lets clients find whom to tell of a request that is
// cancelled.
func (r *transport) WrappedRoundTripper() http.RoundTripper { return r.next }

// body lets go of a request's context once it is read.
type body struct {
	io.ReadCloser
	done func()
}

func (b *body) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}

// metricsAPIs end so.
const metricsAPIs = "metrics.k8s.io"

// apiOf returns the group of a path, or what is asked of the core.
func apiOf(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts) > 1 && parts[0] == "apis" {
		return parts[1]
	}
	return "the API server"
}

func (r *requests) gaveUp(what string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hung[what]
}

func (r *requests) failed(what string, err error) {
	late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
	if !late || !r.givesUp.Load() || !strings.HasSuffix(what, metricsAPIs) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hung == nil {
		r.hung = map[string]error{}
	}
	r.hung[what] = err
}

// warn says once that there is no answer yet.
func (r *requests) warn(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.warned[what] && r.slow != nil {
		if r.warned == nil {
			r.warned = map[string]bool{}
		}
		r.warned[what] = true
		r.slow(fmt.Sprintf("waiting for %s", what))
	}
}

// forMetrics returns the config of clients of metrics APIs, none of whose requests
// takes longer.
func (r *requests) forMetrics(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	if r.metricsTimeout > 0 && (config.Timeout == 0 || config.Timeout > r.metricsTimeout) {
		config.Timeout = r.metricsTimeout
	}
	return config
}

// metricsContext ends when the metrics of an autoscaler have taken too long.
func (r *requests) metricsContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if r == nil || r.metricsTimeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, r.metricsTimeout)
}
