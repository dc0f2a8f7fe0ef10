package main

import (
	"fmt"
	"sync/atomic"
	"time"
)

// progress tells, every few seconds, how many of many are done.
type progress struct {
	done atomic.Int64
	stop chan struct{}
}

// progress begins to tell.
func (t *tool) progress(all int) *progress {
	p := &progress{stop: make(chan struct{})}
	go func() {
		tick := time.NewTicker(slowAfter)
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-tick.C:
				t.tell(fmt.Sprintf("%d of %s", p.done.Load(), count(all, "autoscaler")))
			}
		}
	}()
	return p
}

// one counts one more.
func (p *progress) one() { p.done.Add(1) }

// end ends it.
func (p *progress) end() { close(p.stop) }
