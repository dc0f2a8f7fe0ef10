package main

import (
	"encoding/json"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kube"
	"github.com/purehpa/hpa/examples/controller/api/v1alpha1"
	"github.com/purehpa/hpa/stabilize"
)

// recall finds the state that the status has, or the one in memory if the
// status is as this controller left it. An intent that was carried out, but
// never reported, counts.
func (r *reconciler) recall(a *v1alpha1.Autoscaler, scale *autoscalingv1.Scale, m *memory) {
	raw, adopted := a.Status.State, false
	if i := a.Status.Intent; i != nil && scale != nil {
		if adopted = scale.Spec.Replicas == i.Replicas; adopted {
			raw = &i.State
		}
		a.Status.Intent = nil
	}
	if saved := text(a.Status.State); !m.known || adopted || saved != m.saved {
		m.state, m.known, m.saved = r.decodeState(a, raw), true, saved
		m.written = m.state.Clone()
		repeatLast(&m.state, time.Now())
	}
}

// decodeState returns the state. Without one, or if it cannot be read, it is
// what the rest of the status tells.
func (r *reconciler) decodeState(a *v1alpha1.Autoscaler, raw *runtime.RawExtension) calculator.State {
	var st calculator.State
	if raw == nil {
		return kube.State(&a.Status.HorizontalPodAutoscalerStatus)
	}
	if err := json.Unmarshal(raw.Raw, &st); err != nil {
		r.recorder.Event(a, corev1.EventTypeWarning, "StateLost", err.Error())
		return kube.State(&a.Status.HorizontalPodAutoscalerStatus)
	}
	return st
}

func text(raw *runtime.RawExtension) string {
	if raw == nil {
		return ""
	}
	return string(raw.Raw)
}

func encode(st *calculator.State) (*runtime.RawExtension, error) {
	raw, err := json.Marshal(st)
	return &runtime.RawExtension{Raw: raw}, err
}

// A sync that repeats the last recommendation changes only that recommendation's
// time. Such a state is not written. A controller that reads the state later assumes
// that its last recommendation was repeated until then. So after a restart a window
// may last longer, by the time in which nothing was decided, but never shorter.

// repeats reports whether a state that follows another one differs in nothing but
// repetitions of the last recommendation.
func repeats(st, before *calculator.State) bool {
	if before.Recommendations.IsEmpty() {
		return st.Equal(before)
	}
	last := lastRecommendation(before)
	for e := range st.Recommendations.All() {
		if e.Time.After(last.Time) && e.Value != last.Value {
			return false
		}
	}
	rest := *before
	rest.Recommendations = st.Recommendations
	return rest.Equal(st)
}

// repeatLast repeats the last recommendation.
func repeatLast(st *calculator.State, now time.Time) {
	if st.Recommendations.IsEmpty() {
		return
	}
	longest := stabilize.Windows{Up: stabilize.LongestWindow, Down: stabilize.LongestWindow}
	st.Recommendations.Record(now, lastRecommendation(st).Value, longest)
}

// lastRecommendation returns the newest recommendation, a zero one if there is none.
func lastRecommendation(st *calculator.State) (last stabilize.Entry) {
	for e := range st.Recommendations.All() {
		if !e.Time.Before(last.Time) {
			last = e
		}
	}
	return last
}
