package ports

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
)

// port decides on the size at each sync. The ports of the examples are wrong,
// each in the way that its comment says.
type port interface {
	// size returns the size to change to.
	size(now time.Time, current, desired int32) int32
	// applied records a change once it was written.
	applied(now time.Time, from, to int32)
}

// entry is a recommendation, or the pods of a scale event.
type entry struct {
	time     time.Time
	replicas int32
}

// sum returns the pods of the events younger than the period.
func sum(events []entry, now time.Time, period int32) (pods int32) {
	cutoff := now.Add(-time.Duration(period) * time.Second)
	for _, e := range events {
		if e.time.After(cutoff) {
			pods += e.replicas
		}
	}
	return pods
}

// kubernetes is a Scaler. At a restart it forgets everything, as
// kube-controller-manager does.
type kubernetes struct {
	scaler behavior.Scaler
	bounds behavior.Bounds
}

// like returns Kubernetes with the rules of a spec.behavior in JSON.
func like(spec string) *kubernetes {
	rules := new(behavior.Behavior)
	if err := json.Unmarshal([]byte(spec), rules); err != nil {
		panic(err)
	}
	rules.SetDefaults()
	return &kubernetes{
		scaler: behavior.Scaler{Behavior: rules, DownscaleStabilization: 5 * time.Minute},
		bounds: behavior.Bounds{Min: 1, Max: 200},
	}
}

func (k *kubernetes) size(now time.Time, current, desired int32) int32 {
	step := k.scaler.Step(now, behavior.Change{Current: current, Desired: desired}, k.bounds)
	if step.Err != nil {
		panic(step.Err)
	}
	return step.Replicas
}

func (k *kubernetes) applied(now time.Time, from, to int32) { k.scaler.Applied(now, from, to) }

func (k *kubernetes) restart() {
	k.scaler.Recommendations.Reset()
	k.scaler.Events = behavior.Events{}
}

// sync is one sync of a course, or several alike.
type sync struct {
	desired int32
	// times is how many such syncs there are in a row; 0 is 1.
	times int
	// fails reports whether writes of the size fail.
	fails bool
	// restart reports whether the controllers restart before it.
	restart bool
}

// column is a port beside others, with the size of its own workload.
type column struct {
	name string
	port port
	size int32
}

// beside returns a port and Kubernetes as columns.
func beside(p port, k *kubernetes) []column {
	return []column{{name: "port", port: p}, {name: "Kubernetes", port: k}}
}

// run drives the columns from a size at noon. It prints the sizes after the
// first sync, and after each one with a note or where a number differs from the
// row above.
func run(every time.Duration, size int32, columns []column, syncs ...sync) {
	header := "time      proposed"
	for i := range columns {
		columns[i].size = size
		header += "  " + columns[i].name
	}
	fmt.Println(header)
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	var above string
	for _, s := range syncs {
		for range max(s.times, 1) {
			row := fmt.Sprintf("  %8d", s.desired)
			for i := range columns {
				c := &columns[i]
				c.sync(now, s)
				row += fmt.Sprintf("  %*d", len(c.name), c.size)
			}
			if note := s.note(); note != "" || row != above {
				fmt.Println(strings.TrimRight(now.Format(time.TimeOnly)+row+"  "+note, " "))
			}
			above = row
			now = now.Add(every)
		}
	}
}

// sync does one sync.
func (c *column) sync(now time.Time, s sync) {
	if p, ok := c.port.(interface{ restart() }); ok && s.restart {
		p.restart()
	}
	to := c.port.size(now, c.size, s.desired)
	if to != c.size && !s.fails {
		c.port.applied(now, c.size, to)
		c.size = to
	}
}

func (s sync) note() string {
	switch {
	case s.fails:
		return "writes fail"
	case s.restart:
		return "restart"
	}
	return ""
}
