package conformance

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/release"
)

// World is an autoscaler and its target.
type World struct {
	dice  Dice
	mood  Mood
	wide  bool // has what vectors cannot record
	exact bool // moments are whole seconds

	flags Flags
	raw   *autoscalingv2.HorizontalPodAutoscalerSpec
	hpa   *autoscalingv2.HorizontalPodAutoscaler
	// tolerances are those of the spec's rules, which not all releases know.
	tolerances tolerances
	size       int32
	pods       []*corev1.Pod
	// shape has a bit for each kind of container and request that pods have.
	shape        int
	zeroRequests bool
}

// Report counts the syncs of one history or many.
type Report struct {
	// Histories and Syncs count what was run, Agreed the syncs that agree in
	// everything.
	Histories, Syncs, Agreed int64
	// Deviated counts the others by the name of the deviation.
	Deviated map[string]int64
	// Specs counts the specs that were created, and Refused those of them that
	// the API server refused.
	Specs, Refused int64
	// Named counts the syncs and the specs in which the newest release differs,
	// by the quirks that explain them, and Alone those that a single quirk
	// explains. Unseen counts the syncs for which the library names a
	// difference that an API client does not see.
	Named, Alone map[string]int64
	Unseen       int64
	// Corrected counts what corrections change, by their names, if that is
	// asked for.
	Corrected map[string]Corrected
	// Failure is the first unexplained difference, or nil.
	Failure *Failure
}

// Add adds another report; the earlier failure stays.
func (r *Report) Add(s *Report) {
	r.Histories += s.Histories
	r.Syncs += s.Syncs
	r.Agreed += s.Agreed
	r.Specs += s.Specs
	r.Refused += s.Refused
	r.Unseen += s.Unseen
	r.addCorrected(s)
	addTo(&r.Deviated, s.Deviated)
	addTo(&r.Named, s.Named)
	addTo(&r.Alone, s.Alone)
	if r.Failure == nil || s.Failure != nil && s.Failure.History < r.Failure.History {
		r.Failure = s.Failure
	}
}

func addTo(counts *map[string]int64, more map[string]int64) {
	for name, n := range more {
		count(counts, name, n)
	}
}

func count(counts *map[string]int64, name string, n int64) {
	if *counts == nil {
		*counts = map[string]int64{}
	}
	(*counts)[name] += n
}

func (r *Report) deviated(name string, n int64) { count(&r.Deviated, name, n) }

// named counts what a difference of the release explains.
func (r *Report) named(d release.Quirk, alone bool) {
	count(&r.Named, d.String(), 1)
	if alone {
		count(&r.Alone, d.String(), 1)
	}
}

// Failure is a sync in which the answers differ and nothing explains it.
type Failure struct {
	// Seed and History say which history it is, Sync which of its syncs.
	Seed, History uint64
	Sync          int
	Differences   []Difference
	// Input is all that the sync saw.
	Input string
}

func (f *Failure) Error() string {
	text := fmt.Sprintf("sync %d:\n", f.Sync)
	for _, d := range f.Differences {
		text += d.String() + "\n"
	}
	return text
}

// Kind is what differs, without indices.
func (f *Failure) Kind() string {
	var paths []string
	for _, d := range f.Differences {
		if p := indices.ReplaceAllString(d.Path, ""); !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	return strings.Join(paths, ", ")
}

var indices = regexp.MustCompile(`\[\d+\]`)

// Histories runs the histories first to first+n-1 of a seed, each in a bubble
// of its own with a clock of its own.
func Histories(t *testing.T, seed, first, n uint64) *Report {
	report := &Report{}
	for i := first; i < first+n; i++ {
		r := History(t, Random(seed, i))
		if r.Failure == nil {
			r.Add(Admission(Random(seed+1<<32, i)))
		}
		if r.Failure != nil {
			r.Failure.Seed, r.Failure.History = seed, i
		}
		report.Add(r)
		if report.Failure != nil {
			break
		}
	}
	return report
}

// CorrectEach has [Histories] decide with each correction alone, too, in each
// sync that agrees.
var CorrectEach bool

// History runs one history, as the dice say.
func History(t *testing.T, dice Dice) *Report {
	report := &Report{Histories: 1}
	bubble(t, func() {
		w := &World{dice: dice, wide: true}
		w.run(report)
	})
	return report
}

// bubble calls f with a clock that only time.Sleep moves. It passes on a panic.
func bubble(t *testing.T, f func()) {
	var thrown any
	synctest.Test(t, func(*testing.T) {
		defer func() { thrown = recover() }()
		f()
	})
	if thrown != nil {
		panic(thrown)
	}
}

// begin draws what stays the same throughout a history.
func (w *World) begin() {
	d := w.dice
	if w.wide {
		switch d.Roll(24) {
		case 21:
			w.mood = Huge
		case 22:
			w.mood = Negative
		case 23:
			w.mood = Broken
		}
	}
	w.flags = drawFlags(d)
	if one(d, 2) {
		w.shape = 1 << d.Roll(5)
		if one(d, 2) {
			w.shape = d.Roll(32)
		}
	}
	w.zeroRequests = one(d, 150) && w.wide
	w.raw, w.tolerances = w.drawSpec()
	w.hpa = &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: Name, Namespace: Namespace}}
	w.setSpec()
	w.size = int32(d.Roll(12))
	if w.wide && one(d, 16) {
		w.scaledToZero()
	}
	if w.mood == Huge && one(d, 2) {
		w.size = pick[int32](d, 1<<30, math.MaxInt32, 1<<30-1, 1e6)
	}
}

// scaledToZero gives the autoscaler the condition that a release from 1.36 on
// left.
func (w *World) scaledToZero() {
	c := autoscalingv2.HorizontalPodAutoscalerCondition{
		Type: "ScaledToZero", Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: time.Now().Truncate(time.Second)},
		Reason: "ScaledToZero", Message: "the HPA controller scaled the workload to zero",
	}
	if one(w.dice, 4) {
		c.Status, c.Reason, c.Message = corev1.ConditionFalse, "NotScaledToZero", "the HPA controller did not scale the workload to zero"
	}
	w.hpa.Status.Conditions = append(w.hpa.Status.Conditions, c)
	if !one(w.dice, 4) {
		w.size = 0
	}
}

func (w *World) setSpec() {
	w.hpa.Spec = *w.raw.DeepCopy()
	defaults.SetObjectDefaults_HorizontalPodAutoscaler(w.hpa)
}

// changeBounds changes only the bounds.
func (w *World) changeBounds() {
	w.raw = w.raw.DeepCopy()
	low := w.dice.Roll(8)
	if low == 0 && !readsElsewhere(w.raw.Metrics) {
		low = 1
	}
	w.raw.MinReplicas = ptr(int32(low))
	w.raw.MaxReplicas = max(w.raw.MaxReplicas+int32(w.dice.Roll(3))-1, int32(max(low, 1)))
	if w.raw.MaxReplicas < 0 {
		w.raw.MaxReplicas = math.MaxInt32
	}
}

// readsElsewhere reports whether the metrics allow a size of zero.
func readsElsewhere(list []autoscalingv2.MetricSpec) bool {
	for i := range list {
		if list[i].Object != nil || list[i].External != nil {
			return true
		}
	}
	return false
}

// advance lets time pass until the next sync.
func (w *World) advance() {
	d := w.dice
	step := 15 * time.Second
	switch d.Roll(10) {
	case 5:
		step = 30 * time.Second
	case 6:
		step = pick(d, 60*time.Second, 45*time.Second, 90*time.Second)
	case 7:
		step = time.Duration(1+d.Roll(90)) * time.Second
	case 8:
		step = pick(d, w.flags.DownscaleStabilization, 5*time.Minute, 30*time.Minute, time.Hour)
	case 9:
		if !w.exact {
			step = pick(d, 0, 1, time.Millisecond, 14*time.Second+999999999, 15*time.Second+1, 16*time.Second+d1)
		}
	}
	time.Sleep(step)
}

const d1 = 123456789 * time.Nanosecond

// inspect sees each step, upstream's answer and the library's, in a test.
var inspect func(*Library, *Step, *Answer)

// run runs both controllers through one history.
func (w *World) run(report *Report) {
	d := w.dice
	time.Sleep(3 * time.Minute)
	if one(d, 4) {
		time.Sleep(time.Duration(d.Roll(1000)) * time.Millisecond)
	}
	w.begin()
	if w.mood == Broken {
		w.runBroken(report)
		return
	}
	up, lib := NewUpstream(w.flags), NewLibrary(w.flags)
	fail := func(sync int, list []Difference, s *Step) {
		report.Failure = &Failure{Sync: sync, Differences: list, Input: w.describe(s)}
	}
	if err := lib.SetSpec(w.raw, 0, w.tolerances); err != nil {
		fail(0, []Difference{{Path: "spec", Upstream: "decodes", Library: err.Error()}}, nil)
		return
	}
	if err := lib.Restart(w.hpa); err != nil {
		fail(0, []Difference{{Path: "status", Upstream: "decodes", Library: err.Error()}}, nil)
		return
	}
	n := 1 + d.Roll(14)
	if one(d, 30) {
		n = 60
	}
	for sync := range n {
		if sync > 0 {
			w.advance()
			switch r := d.Roll(30); r {
			case 26, 27, 28:
				if r == 28 {
					w.raw, w.tolerances = w.drawSpec()
				} else {
					w.changeBounds()
				}
				w.setSpec()
				w.hpa.Generation++
				if err := lib.SetSpec(w.raw, w.hpa.Generation, w.tolerances); err != nil {
					fail(sync, []Difference{{Path: "spec", Upstream: "decodes", Library: err.Error()}}, nil)
					return
				}
			case 29:
				up.Restart()
				if err := lib.Restart(w.hpa); err != nil {
					fail(sync, []Difference{{Path: "restart", Upstream: "reads its status", Library: err.Error()}}, nil)
					return
				}
			}
		}
		s := w.drawStep(time.Now())
		a := up.Sync(w.hpa, s)
		newest := lib.asNewest()
		before := &Library{state: lib.state.Clone(), status: lib.status}
		lib.Sync(s)
		if inspect != nil {
			inspect(lib, s, &a)
		}
		report.Syncs++
		empty := a.dropEmptyCondition()
		list := lib.compare(&a, s)
		if len(list) == 0 && (sync == 0 || sync&7 == 3) {
			list = lib.compareJSON(&a)
		}
		v := lib.explain(list, lib.compareHistory(up, s.Now), s)
		switch {
		case len(v.unexplained) > 0:
			fail(sync, v.unexplained, s)
			return
		case v.name != "":
			report.deviated(v.name, 1)
		case empty:
			report.deviated(EmptyCondition, 1)
		default:
			report.Agreed++
			if list := newest.contrast(&a, s, lib, report); list != nil {
				fail(sync, list, s)
				return
			}
			if CorrectEach {
				if list := lib.corrected(&a, s, before, report); list != nil {
					fail(sync, list, s)
					return
				}
			}
		}
		if v.diverged {
			// From here on, both remember different things.
			return
		}
		w.size = a.Size
	}
}

// runBroken decides on an invalid spec: the library returns an error and
// changes nothing. Upstream panics or answers nonsense.
func (w *World) runBroken(report *Report) {
	lib := NewLibrary(w.flags)
	w.breakSpec(&w.hpa.Spec)
	err := lib.takeSpec(&w.hpa.Spec, w.tolerances)
	if w.hpa.Spec.MinReplicas == nil {
		w.hpa.Spec.MinReplicas = ptr[int32](1)
	}
	w.hpa.Spec.MaxReplicas = max(w.hpa.Spec.MaxReplicas, 0)
	s := w.plainStep(time.Now())
	report.Syncs++
	var list []Difference
	if err != nil {
		list = append(list, Difference{"spec", -1, "decodes", err.Error()})
	}
	before := lib.state.Clone()
	dec := lib.Sync(s)
	switch err := dec.Err().(type) {
	case *field.Error, field.ErrorList:
	default:
		list = append(list, Difference{"error of an invalid spec", -1, "undefined", fmt.Sprintf("%T: %v", err, err)})
	}
	if !lib.state.Equal(&before) || dec.Rescale {
		list = append(list, Difference{"state after an invalid spec", -1, "undefined", "changed"})
	}
	if len(list) > 0 {
		report.Failure = &Failure{Differences: list, Input: w.describe(s)}
		return
	}
	report.deviated(InvalidInput, 1)
}

// plainStep returns a step that does not depend on the spec.
func (w *World) plainStep(now time.Time) *Step {
	// A size that metrics decide on, if the bounds leave one.
	size := max(1, *w.hpa.Spec.MinReplicas)
	s := &Step{Now: now, SpecReplicas: size, StatusReplicas: size, Selector: selector}
	s.Pods = []*corev1.Pod{w.drawPod(podNames[0], now, true)}
	s.Readings = make([]Reading, len(w.hpa.Spec.Metrics))
	for i := range s.Readings {
		s.Readings[i] = Reading{Time: now, Samples: []Sample{{Pod: podNames[0], Value: 100, Time: now}}, Values: []int64{100}}
	}
	return s
}

// describe returns all that a sync sees, in JSON.
func (w *World) describe(s *Step) string {
	if s == nil {
		s = &Step{}
	}
	return marshal(struct {
		ScaleError, UpdateError, ReadingErrors string
		Flags                                  Flags
		Spec                                   *autoscalingv2.HorizontalPodAutoscalerSpec
		Status                                 *autoscalingv2.HorizontalPodAutoscalerStatus `json:"statusAfter"`
		Step                                   *Step
	}{fmt.Sprint(s.ScaleError), fmt.Sprint(s.UpdateError), s.errors(), w.flags, &w.hpa.Spec, &w.hpa.Status, s})
}

// errors returns the errors of the readings, which JSON lacks.
func (s *Step) errors() string {
	var list []error
	for i := range s.Readings {
		list = append(list, s.Readings[i].Err)
	}
	return fmt.Sprint(list)
}
