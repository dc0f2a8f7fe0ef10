package calculator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/podgroup"
)

// States, decisions and errors own what they say:
//
//   - A Decision that is used again says the same as a new one.
//   - What Decide was handed can change, before the write or after it.
//   - So can the error of a write.
//   - What earlier syncs returned, errors included, says what it said then.
//   - A status, a decision and a state can each change without the others.
func TestOwnership(t *testing.T) {
	t.Parallel()
	other := externalSpec(t, slowPolicy)
	rapid.Check(t, func(t *rapid.T) {
		o := ownership{now: noon, other: other}
		spec := drawOwnedSpec(t)
		for range rapid.IntRange(1, 4).Draw(t, "syncs") {
			if rapid.Bool().Draw(t, "another spec") {
				spec = drawOwnedSpec(t)
			}
			build := drawOwnedWorld(t, spec)
			o.handed, o.pristine = build(), build()
			o.now = o.now.Add(clockSteps().Draw(t, "step"))

			o.decide(t)
			scribbled := rapid.Bool().Draw(t, "scribble before the write")
			if scribbled {
				o.requireUnchanged(t, "by the world", o.handed.scribble)
				o.handed.writeErr = o.pristine.writeErr
			}
			o.write(t)
			latest := o.keep(t)
			o.requireUnchanged(t, "by the error of the write", func() { scribble(reflect.ValueOf(o.handed.writeErr)) })
			if !scribbled {
				o.requireUnchanged(t, "by the world", o.handed.scribble)
			}
			o.requireReturned(t)
			o.requireApart(t, latest)
		}
	})
}

// ownership is an autoscaler over several syncs, with all that they returned.
type ownership struct {
	now   time.Time
	state calculator.State
	d     calculator.Decision // used again in each sync

	handed   world // what the sync is handed
	pristine world // an equal one that stays as it is
	other    *autoscaling.HorizontalPodAutoscalerSpec
	earlier  []*returned
}

// returned is what a sync returned, and what that said then.
type returned struct {
	err    error
	status autoscaling.HorizontalPodAutoscalerStatus
	events []calculator.Event
	state  calculator.State
	said   []string
}

// decide requires that the Decision, with memory of the sync before, says what
// a new one says.
func (o *ownership) decide(t *rapid.T) {
	last, p := o.state.Clone(), &o.pristine
	calculator.DecideInto(&o.d, o.now, o.handed.settings, o.handed.spec, o.handed.obs, &o.state)
	fresh := calculator.Decide(o.now, p.settings, p.spec, p.obs, &last)
	want := everything(t, &fresh, &last, p)
	require.Equal(t, want, o.everything(t), "a Decision that is used again")
}

// write succeeds, fails or does not happen.
func (o *ownership) write(t *rapid.T) {
	switch rapid.SampledFrom([]string{"succeeds", "fails", "does not happen"}).Draw(t, "the write") {
	case "succeeds":
		o.state.Applied(o.now, &o.d)
	case "fails":
		o.state.Failed(o.now, &o.d, o.handed.writeErr)
	}
}

// keep remembers what the sync returned.
func (o *ownership) keep(t *rapid.T) *returned {
	r := &returned{
		err:    o.d.Err(),
		status: o.d.Status(&o.state),
		events: o.d.AppendEvents(nil),
		state:  o.state.Clone(),
	}
	r.said = r.says(t)
	o.earlier = append(o.earlier, r)
	return r
}

// says is all that was returned, in texts.
func (r *returned) says(t *rapid.T) []string {
	status, err := json.Marshal(r.status)
	require.NoError(t, err)
	state, err := r.state.MarshalJSON()
	require.NoError(t, err)
	return append(errorTexts(r.err), string(status), fmt.Sprint(r.events), string(state))
}

// requireUnchanged requires that the decision and the state say the same after
// a change.
func (o *ownership) requireUnchanged(t *rapid.T, by string, change func()) {
	before := o.everything(t)
	change()
	require.Equal(t, before, o.everything(t), "changed %s", by)
}

// requireReturned requires that all syncs so far have returned what they did.
func (o *ownership) requireReturned(t *rapid.T) {
	for i, r := range o.earlier {
		require.Equal(t, r.said, r.says(t), "what sync %d returned", i)
	}
}

// requireApart requires that the status, the state, its clone and the decision
// share no memory that can change.
func (o *ownership) requireApart(t *rapid.T, latest *returned) {
	require.True(t, o.state.Equal(&latest.state))
	o.requireUnchanged(t, "by a status", func() {
		status := o.d.Status(&o.state)
		scribble(reflect.ValueOf(&status))
	})

	before := o.everything(t)
	scribble(reflect.ValueOf(o.state.Conditions))
	calculator.Decide(o.now.Add(time.Minute), o.pristine.settings, o.other, wanted(3, 9), &o.state)
	require.Equal(t, before, everything(t, &o.d, &latest.state, &o.pristine), "changed by the state")
	o.state = latest.state.Clone()

	if rapid.Bool().Draw(t, "scribble over the decision") {
		scribble(reflect.ValueOf(o.d.Conditions))
		for i := range o.d.Proposals {
			scribble(reflect.ValueOf(o.d.Proposals[i].Metric.Selector))
		}
	}
	require.True(t, o.state.Equal(&latest.state), "changed by the decision")
	require.Equal(t, latest.said, latest.says(t), "changed by the decision")
}

func (o *ownership) everything(t *rapid.T) []string {
	return everything(t, &o.d, &o.state, &o.pristine)
}

// everything is all that a decision and a state say, through all their methods.
func everything(t require.TestingT, d *calculator.Decision, st *calculator.State, w *world) []string {
	appended, err := d.AppendText([]byte("before "))
	require.NoError(t, err)
	require.Equal(t, "before "+d.String(), string(appended))
	trace, err := d.MarshalJSON()
	require.NoError(t, err)
	status, err := json.Marshal(d.Status(st))
	require.NoError(t, err)
	s := []string{string(appended), string(trace), string(status), d.ReasonText(), fmt.Sprintf("%+v", d.Conditions)}
	s = append(s, errorTexts(d.Err())...)
	for _, e := range d.AppendEvents(nil) {
		s = append(s, e.String())
	}
	for i := -1; i <= len(d.Proposals); i++ {
		s = append(s, d.MetricName(i), fmt.Sprint(d.AppendVerdicts(nil, i, w.settings, w.obs)))
	}
	for i := range d.Proposals {
		s = append(s, errorTexts(d.Proposals[i].Err())...)
	}
	kept, err := st.MarshalBinary()
	require.NoError(t, err)
	text, err := st.MarshalJSON()
	require.NoError(t, err)
	return append(s, string(kept), string(text))
}

// errorTexts are the texts of an error and of the module's own errors within
// it.
func errorTexts(err error) (s []string) {
	if err == nil {
		return nil
	}
	s = append(s, err.Error())
	var (
		failure  *calculator.Failure
		selector *calculator.SelectorError
		request  *podgroup.RequestError
		unknown  *autoscaling.UnknownOperatorError
		input    *field.Error
		list     field.ErrorList
	)
	for _, target := range []any{&failure, &selector, &request, &unknown, &input, &list} {
		if errors.As(err, target) {
			s = append(s, reflect.ValueOf(target).Elem().Interface().(error).Error())
		}
	}
	return s
}
