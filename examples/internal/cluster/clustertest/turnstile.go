package clustertest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// Turnstile holds each sync of an HPA or Autoscaler, by namespace and name,
// until the test lets it begin. While all wait, no decision is under way.
type Turnstile struct {
	mu      sync.Mutex
	waiting map[string]chan struct{}
	free    map[string]bool
}

// NewTurnstile returns one that nothing waits at.
func NewTurnstile() *Turnstile {
	return &Turnstile{waiting: map[string]chan struct{}{}, free: map[string]bool{}}
}

// Pass is what a sync does first.
func (s *Turnstile) Pass(ctx context.Context, key string) error {
	open := make(chan struct{})
	s.mu.Lock()
	if s.free[key] {
		s.mu.Unlock()
		return nil
	}
	s.waiting[key] = open
	s.mu.Unlock()
	select {
	case <-open:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting[key] == open {
		delete(s.waiting, key)
	}
	return ctx.Err()
}

// ServeHTTP lets the syncs of another process pass.
func (s *Turnstile) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	_ = s.Pass(req.Context(), strings.Trim(req.URL.Path, "/")) // the client went away
}

// waits returns an error while no sync of one of the keys waits.
func (s *Turnstile) waits(keys []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		if s.waiting[key] == nil {
			return fmt.Errorf("no sync of %s", key)
		}
	}
	return nil
}

// Open lets one sync of each key begin. All of them wait.
func (s *Turnstile) Open(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		close(s.waiting[key])
		delete(s.waiting, key)
	}
}

// Free lets all syncs of the key pass from now on. A sync that waits keeps one
// of the controller's few workers, so whoever is done with an autoscaler frees
// it.
func (s *Turnstile) Free(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free[key] = true
	if open := s.waiting[key]; open != nil {
		close(open)
		delete(s.waiting, key)
	}
}
