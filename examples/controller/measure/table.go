package main

import (
	"fmt"
	"io"
	"strings"
)

// columns are those of the first table.
var columns = []struct {
	name  string
	value func(*result) string
}{
	{"syncs/s", func(r *result) string { return number(r.Syncs/r.Seconds, 1) }},
	{"needed", func(r *result) string { return number(float64(r.Autoscalers)/syncPeriod.Seconds(), 1) }},
	{"seconds", func(r *result) string { return number(r.Seconds, 0) }},
	{"controller CPU s", func(r *result) string { return number(r.CPU["controller"], 2) }},
	{"API server CPU s", func(r *result) string { return number(r.CPU["kube-apiserver"], 2) }},
	{"etcd CPU s", func(r *result) string { return number(r.CPU["etcd"], 2) }},
	{"CPU ms/sync", func(r *result) string { return number(1e3*r.CPU["controller"]/r.Syncs, 2) }},
	{"allocations/sync", func(r *result) string { return number(float64(r.Allocations)/r.Syncs, 0) }},
	{"KB allocated/sync", func(r *result) string { return number(float64(r.AllocatedBytes)/1e3/r.Syncs, 1) }},
	{"memory MB", func(r *result) string { return number(float64(r.ResidentBytes)/1e6, 0) }},
	{"peak MB", func(r *result) string { return number(float64(r.PeakBytes)/1e6, 0) }},
	{"requests/sync", func(r *result) string { return number(r.sum("")/r.Syncs, 2) }},
	{"of these writes", func(r *result) string { return number((r.sum("")-r.sum("GET ")-r.sum("LIST "))/r.Syncs, 2) }},
	{"KB read/sync", func(r *result) string { return number(r.ResponseBytes/1e3/r.Syncs, 2) }},
	{"metrics requests/sync", func(r *result) string { return number(float64(r.MetricsRequests)/r.Syncs, 2) }},
	{"metrics KB/sync", func(r *result) string { return number(float64(r.MetricsResponseBytes)/1e3/r.Syncs, 2) }},
	{"p50 s", latency(2, func(l *latencies) float64 { return l.P50.Seconds() })},
	{"p99 s", latency(2, func(l *latencies) float64 { return l.P99.Seconds() })},
	{"max s", latency(2, func(l *latencies) float64 { return l.Max.Seconds() })},
	{"never", latency(0, func(l *latencies) float64 { return float64(l.Missing) })},
}

// latency is a column that is empty where there are no latencies.
func latency(digits int, value func(*latencies) float64) func(*result) string {
	return func(r *result) string {
		if r.Latencies == nil {
			return ""
		}
		return number(value(r.Latencies), digits)
	}
}

// sum is how many requests of a verb there were, or of all.
func (r *result) sum(verb string) (n float64) {
	for key, count := range r.Requests {
		if strings.HasPrefix(key, verb) {
			n += count
		}
	}
	return n
}

func number(v float64, digits int) string { return fmt.Sprintf("%.*f", digits, v) }

// writeTables writes what the phases took, and what the CPU time went to.
func writeTables(w io.Writer, all []*result) {
	head := []string{"autoscalers", "phase", "side"}
	for _, c := range columns {
		head = append(head, c.name)
	}
	writeHead(w, head)
	for _, r := range all {
		row := r.names()
		for _, c := range columns {
			row = append(row, c.value(r))
		}
		writeRow(w, row)
	}
	fmt.Fprintln(w)
	writeShares(w, all)
}

// writeShares writes the shares of the controller's CPU time, in percent.
func writeShares(w io.Writer, all []*result) {
	head := []string{"autoscalers", "phase", "side"}
	for _, c := range classes {
		head = append(head, string(c)+" %")
	}
	writeHead(w, head)
	for _, r := range all {
		row := r.names()
		for _, c := range classes {
			row = append(row, number(100*r.Shares[c], 0))
		}
		writeRow(w, row)
	}
}

func (r *result) names() []string { return []string{fmt.Sprint(r.Autoscalers), r.Phase, r.Side} }

// writeHead writes the first row, and the alignment: numbers to the right.
func writeHead(w io.Writer, head []string) {
	writeRow(w, head)
	align := make([]string, len(head))
	for i := range align {
		align[i] = "---:"
		if i == 1 || i == 2 {
			align[i] = "---"
		}
	}
	writeRow(w, align)
}

func writeRow(w io.Writer, cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
