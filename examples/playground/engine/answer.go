package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/trial"
)

// Answer returns the answer to a request, both in JSON.
func Answer(request []byte) []byte {
	q, err := decode(request)
	r := Response{Version: Version}
	if err != nil {
		r.Problems = []Problem{{Part: "request", Message: err.Error()}}
	} else {
		r = q.Answer()
	}
	text, err := json.Marshal(&r)
	if err != nil { // a number that JSON does not have
		text, _ = json.Marshal(&Response{Version: Version, Problems: []Problem{{Part: "request", Message: err.Error()}}})
	}
	return text
}

func decode(text []byte) (*Request, error) {
	q := new(Request)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(q)
	var more any
	switch {
	case err != nil:
	case d.Decode(&more) != io.EOF:
		err = errors.New("there is more than one request")
	case q.Version != Version:
		err = fmt.Errorf("version %d is not known; this engine has %d", q.Version, Version)
	case len(q.Autoscalers) > MaxAutoscalers:
		err = fmt.Errorf("%d autoscalers are more than %d", len(q.Autoscalers), MaxAutoscalers)
	case len(q.Load) > MaxLoad:
		err = fmt.Errorf("the load has %d bytes, more than %d", len(q.Load), MaxLoad)
	}
	return q, err
}

// Answer returns the answer to a request.
func (q *Request) Answer() Response {
	r := Response{Version: Version}
	subjects := make([]*subject, len(q.Autoscalers))
	valid := true
	for i := range q.Autoscalers {
		s := q.subject(i)
		s.tell(&q.Want)
		subjects[i], r.Autoscalers = s, append(r.Autoscalers, s.About)
		valid = valid && len(s.Problems) == 0
	}
	flags, problems, _ := q.flags(nil)
	r.Problems = problems
	if q.Load == "" || len(problems) > 0 {
		return r
	}
	series, err := flags.Load.Decode(strings.NewReader(q.Load))
	if err != nil {
		r.Problems = append(r.Problems, Problem{Part: "load", Message: strings.TrimLeft(err.Error(), ": ")})
		return r
	}
	t, err := flags.Trial(series)
	if err != nil {
		r.Problems = append(r.Problems, Problem{Part: "load", Message: err.Error()})
		return r
	}
	r.Load = loadInfo(series, t)
	if n := t.End.Sub(t.Begin) / flags.Sync; n > MaxSyncs {
		r.Problems = append(r.Problems, Problem{Part: "load", Message: fmt.Sprintf("%d syncs are more than %d: cut the load, or sync less often", n, MaxSyncs)})
		return r
	}
	if valid {
		q.simulate(&r, subjects, t)
	}
	return r
}

// flags returns the flags of the request and then those of an autoscaler, which
// are of the controller alone, and what is wrong with the former and with the
// latter.
func (q *Request) flags(own map[string]string) (f *trial.Flags, problems, ownProblems []Problem) {
	f = trial.Defaults()
	f.WarmUp = 0 // nothing is simulated that is not shown
	all, controller := cli.NewFlagSet(""), cli.NewFlagSet("")
	f.Define(all)
	cli.Settings(controller, &f.Settings)
	problems = setAll(all, q.Flags, "there is no such flag")
	return f, problems, setAll(controller, own, "there is no such flag of the controller")
}

// setAll sets flags by their names, and returns what is wrong with them.
func setAll(set *flag.FlagSet, values map[string]string, unknown string) (problems []Problem) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		err := set.Set(name, values[name])
		switch {
		case set.Lookup(name) == nil:
			err = errors.New(unknown)
		case err == nil:
			continue
		}
		problems = append(problems, Problem{"flags", name, fmt.Sprintf("%q: %v", values[name], err)})
	}
	return problems
}

func loadInfo(s *trial.Series, t *trial.Trial) *LoadInfo {
	return &LoadInfo{
		Start: t.Reported, End: t.End, StepSeconds: s.Step.Seconds(),
		Values: len(s.LoadSeries), Missing: len(s.Missing),
		Highest: units(s.Highest()), Capacity: units(t.Capacity),
	}
}

// simulate runs the autoscalers.
func (q *Request) simulate(r *Response, subjects []*subject, t *trial.Trial) {
	var runs []Run
	var summaries []simulate.Summary
	for _, s := range subjects {
		scenario, err := s.scenario(t)
		if err == nil && (q.Want.Summary || q.Want.Rows) {
			var run Run
			run, err = s.run(&scenario, q.Want.Rows)
			runs = append(runs, run)
			if err == nil {
				summaries = append(summaries, *run.Summary)
			}
		}
		if err != nil {
			r.Problems = append(r.Problems, Problem{Part: "run", Field: s.Name, Message: err.Error()})
			return
		}
	}
	r.Runs = runs
	if q.Want.Summary {
		r.Figures = figures(summaries)
	}
	for _, of := range []func(*Response, []*subject, *trial.Trial) error{q.sync, q.recording} {
		if err := of(r, subjects, t); err != nil {
			r.Problems = append(r.Problems, Problem{Part: "run", Message: err.Error()})
		}
	}
	if q.Want.Commands {
		r.Commands = q.commands(subjects)
	}
}

// scenario returns what the subject is simulated in.
func (s *subject) scenario(t *trial.Trial) (simulate.Scenario, error) {
	return t.Scenario(&s.flags.World, s.autoscaler.Spec)
}

// change is by how much a value differs from the first.
func change(v, first float64) string {
	if first == 0 && v != 0 {
		return ""
	}
	return trial.ChangeText(trial.Change(v, first))
}

func figures(summaries []simulate.Summary) (all []Figure) {
	for _, m := range trial.Measures() {
		f := Figure{Name: m.Name}
		for i := range summaries {
			v := m.Of(&summaries[i])
			f.Values, f.Texts = append(f.Values, v), append(f.Texts, m.Text(v))
			if i > 0 {
				f.Changes = append(f.Changes, change(v, f.Values[0]))
			}
		}
		all = append(all, f)
	}
	return all
}
