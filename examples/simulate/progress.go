package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// progress draws a bar on a terminal. A nil *progress draws nothing.
type progress struct {
	mu          sync.Mutex
	w           io.Writer
	done, total int64
	begun, last time.Time
}

func newProgress(w io.Writer, total int64) *progress {
	return &progress{w: w, total: total, begun: time.Now()}
}

// add counts rows that are done.
func (p *progress) add(n int64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	if now := time.Now(); now.Sub(p.last) >= 100*time.Millisecond {
		p.last = now
		fmt.Fprint(p.w, "\r"+bar(p.done, p.total, now.Sub(p.begun))+"\x1b[K")
	}
}

// end clears the bar.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.last.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// bar returns the bar, at most 60 columns wide.
func bar(done, total int64, took time.Duration) string {
	const width = 30
	share := 1.0
	if total > 0 {
		share = min(float64(done)/float64(total), 1)
	}
	filled := int(share * width)
	line := fmt.Sprintf("[%s%s] %3.0f%%", strings.Repeat("#", filled), strings.Repeat(".", width-filled), 100*share)
	if share > 0.02 && share < 1 {
		left := time.Duration(float64(took) * (1 - share) / share)
		line += fmt.Sprintf(", %v left", left.Round(time.Second))
	}
	return line
}
