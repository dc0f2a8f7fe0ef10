package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator/simulate"
)

// rowLog writes rows as CSV. Loads are in the file's values.
type rowLog struct{ w *bufio.Writer }

func newRowLog(w io.Writer) *rowLog {
	l := &rowLog{bufio.NewWriter(w)}
	fmt.Fprintln(l.w, "rules,seed,time,current_replicas,desired_replicas,proposed_replicas,stabilization,limit,pods,ready,"+
		"load,unserved,capacity,target_load,seconds_unserved,seconds_above_target,pod_seconds")
	return l
}

func (l *rowLog) add(name string, seed uint64, r *simulate.Row) {
	fmt.Fprintf(l.w, "\"%s\",%d,%s,%d,%d,%d,%v,%v,%d,%d,%v,%v,%v,%v,%v,%v,%v\n", strings.ReplaceAll(name, `"`, `""`), seed, r.Time.UTC().Format(time.RFC3339Nano),
		r.CurrentReplicas, r.DesiredReplicas, r.Proposed, r.Stabilization, r.Limit, r.Pods, r.Ready,
		float64(r.Load)/1000, float64(r.Unserved)/1000, float64(r.Capacity)/1000, float64(r.TargetLoad)/1000,
		r.TimeUnserved.Seconds(), r.TimeAboveTarget.Seconds(), r.PodTime.Seconds())
}

func (l *rowLog) close() error { return l.w.Flush() }
