package calculator_test

import (
	"fmt"
	"testing"
)

// BenchmarkDecide decides on one autoscaler again and again, with a usage of
// twice the target.
//
// Where the linker puts the code moves small decisions by a tenth. To compare
// two versions, take means over several layouts:
//
//	go test -c -ldflags=-randlayout=1 ./calculator
func BenchmarkDecide(b *testing.B) {
	run := func(name string, w *workload) {
		b.Run(name, func(b *testing.B) {
			w.warmUp()
			b.ReportAllocs()
			for b.Loop() {
				w.sync()
			}
		})
	}
	for _, pods := range []int{1, 10, 100, 1000} {
		for _, n := range []int{1, 3} {
			run(fmt.Sprintf("pods=%d/metrics=%d", pods, n), newWorkload(b, pods, n, 2, ""))
		}
	}
	w := newWorkload(b, 100, 3, 2, threePolicies)
	w.churn = true
	run("pods=100/metrics=3/recommendations=240/events=120/policies=3", w)
}

// BenchmarkText renders a decision of three metrics and three policies.
func BenchmarkText(b *testing.B) {
	w := newWorkload(b, 100, 3, 2, threePolicies)
	w.churn = true
	w.warmUp()
	b.ReportAllocs()
	var text []byte
	for b.Loop() {
		text, _ = w.d.AppendText(text[:0])
	}
}
