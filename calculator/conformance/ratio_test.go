package conformance

import "testing"

// BenchmarkRatio times each piece of work on both sides. To print the ratios,
// use go run ./cmd/ratio.
func BenchmarkRatio(b *testing.B) {
	for _, r := range Ratios() {
		if r.Upstream != nil {
			b.Run(r.Name+"/upstream", r.Upstream)
		}
		b.Run(r.Name+"/library", r.Library)
	}
}

// TestRatios checks that both sides do the work that they are timed for.
func TestRatios(t *testing.T) {
	for _, r := range Ratios() {
		for who, work := range map[string]func(*testing.B){"upstream": r.Upstream, "library": r.Library, "a bare pass": r.Bare} {
			if work == nil {
				continue
			}
			b := testing.B{N: 3}
			done := make(chan bool)
			go func() {
				defer close(done)
				work(&b)
			}()
			<-done
			if b.Failed() {
				t.Errorf("%s: %s fails", r.Name, who)
			}
		}
	}
}
