package engine

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/trial"
)

// recording answers with all that an autoscaler saw.
func (q *Request) recording(r *Response, subjects []*subject, t *trial.Trial) error {
	if q.Want.Recording == nil {
		return nil
	}
	i := *q.Want.Recording
	if i < 0 || i >= len(subjects) {
		return fmt.Errorf("there is no autoscaler %d", i)
	}
	s := subjects[i]
	if s.object.Name == "" {
		return errors.New("a recording is of an autoscaler of Kubernetes, not of a threshold")
	}
	scenario, err := s.scenario(t)
	if err != nil {
		return err
	}
	var text strings.Builder
	w, err := recording.NewWriter(&text, recording.Header{
		Namespace: cmp.Or(s.object.Namespace, "default"), Name: s.object.Name, Spec: s.autoscaler.Spec, Settings: s.autoscaler.Settings, State: new(calculator.State),
	})
	if err != nil {
		return err
	}
	tapped := &tap{to: w}
	scenario.Workload = tappedWorkload{scenario.Workload, tapped}
	for _, err := range scenario.Run(&s.autoscaler) {
		if err = errors.Join(err, tapped.err); err != nil {
			return err
		}
	}
	r.Recording = text.String()
	return nil
}

// tappedWorkload is a workload whose observations are recorded.
type tappedWorkload struct {
	simulate.Workload
	tap *tap
}

func (w tappedWorkload) Plant(c *simulate.RunConfig) (p simulate.Plant, err error) {
	w.tap.Plant, err = w.Workload.Plant(c)
	return w.tap, err
}

type tap struct {
	simulate.Plant
	to  *recording.Writer
	err error
}

func (t *tap) Observe(now time.Time, obs *calculator.Observation) {
	t.Plant.Observe(now, obs)
	if t.err == nil {
		t.err = t.to.Write(replay.Sync{Time: now, Observation: obs})
	}
}
