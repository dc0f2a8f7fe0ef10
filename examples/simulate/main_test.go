package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/stabilize"
)

// fails runs the command, and returns the one line that it fails with.
func fails(t *testing.T, status int, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if got := run(context.Background(), args, &stdout, &stderr, false); got != status {
		t.Errorf("%q: status %d, not %d: %s", args, got, status, &stderr)
	}
	if stdout.Len() > 0 {
		t.Errorf("%q prints %s", args, &stdout)
	}
	line, rest, ended := strings.Cut(stderr.String(), "\n")
	if rest != "" || !ended {
		t.Errorf("%q does not fail in one line: %q", args, &stderr)
	}
	return line
}

// file writes a file, and returns its name.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSpans: the header says what is reported on.
func TestSpans(t *testing.T) {
	for _, tt := range []struct {
		text string
		args []string
		want string
	}{
		{text: "t,v\n2014-04-10 00:00,1\n2014-04-10 00:05,2\n2014-04-10 00:15,2\n", want: "2014-04-10 00:00 to 2014-04-10 00:25, a value each 10 min"},
		{text: "t,v\n2014-04-10,1\n2014-04-11,2\n", args: []string{"-from", "2014-04-10 12:00", "-to", "2014-04-11"}, want: "2014-04-10 12:00 to 2014-04-11 00:00, a value each 24 h 00 min"},
		{text: "t,v\n2014-04-10 00:00,1\n2014-04-10 00:05,2\n2014-04-10 00:10,2\n2014-04-10 00:20,1\n", want: "a value each 5 min, 1 missing and held over"},
		{text: `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1397088000,"1"],[1397088300,"2"]]}]}}`, want: "2014-04-10 00:00 to 2014-04-10 00:10, a value each 5 min"},
	} {
		out := command(t, append([]string{"-load", file(t, "load.csv", tt.text)}, tt.args...)...)
		if !strings.Contains(out, tt.want) {
			t.Errorf("%q: %s\nhas not %s", tt.text, out, tt.want)
		}
	}
}

const smallLoad = "t,v\n2014-04-10 00:00,100\n2014-04-10 00:30,400\n2014-04-10 01:00,100\n2014-04-10 01:30,200\n"

func TestBadArguments(t *testing.T) {
	load := file(t, "load.csv", smallLoad)
	two := file(t, "two.json", `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"pod":"a"}},{"metric":{}}]}}`)
	many := file(t, "many.csv", smallLoad+"2014-04-10 02:00,many\n")
	hpa := func(text string) string { return file(t, "web.json", text) }
	const help = " (-help lists the flags)"
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"-load is missing" + help, nil},
		{`"x" is no flag` + help, []string{"-load", load, "x"}},
		{"flag provided but not defined: -lod" + help, []string{"-lod", load}},
		{"open no.csv: no such file or directory", []string{"-load", "no.csv"}},
		{many + `:6: "many" is not a number`, []string{"-load", many}},
		{two + `: 2 series: {pod="a"}, {}; exactly one is needed, such as that of sum(...), -series sum or -series LABEL=VALUE`, []string{"-load", two}},
		{"open no.json: no such file or directory", []string{"-load", load, "-hpa", "no.json"}},
		{"-hpa hpa/default.json is given twice", []string{"-load", load, "-hpa", "hpa/default.json", "-hpa", "hpa/default.json", "-hpa", "hpa/default.json"}},
		{`invalid value "soon" for flag -startup: not a time such as 30s, 20s..1m, p50:20s/p99:2m, exp:12h or none` + help, []string{"-load", load, "-startup", "soon"}},
		{`invalid value "2m..1m" for flag -startup: not a time such as 30s, 20s..1m, p50:20s/p99:2m, exp:12h or none` + help, []string{"-load", load, "-startup", "2m..1m"}},
		{`invalid value "p50:2m/p40:3m" for flag -startup: the quantiles are not in ascending order` + help, []string{"-load", load, "-startup", "p50:2m/p40:3m"}},
		{`invalid value "0" for flag -capacity: not a positive number` + help, []string{"-load", load, "-capacity", "0"}},
		{`invalid value "2" for flag -missing: not a fraction from 0 to 1` + help, []string{"-load", load, "-missing", "2"}},
		{`invalid value "a.gif" for flag -picture: not a file that ends in .svg, .png or .pdf` + help, []string{"-load", load, "-picture", "a.gif"}},
		{`invalid value "x" for flag -best: not one of lost, above, cost` + help, []string{"-load", load, "-best", "x"}},
		{`invalid value "cpu:x=1" for flag -gauge: x=1: not like memory:idle=256Mi,busy=1Gi,lag=30s` + help, []string{"-load", load, "-gauge", "cpu:x=1"}},
		{`invalid value "cpu" for flag -requests: not a list such as cpu=500m,memory=1Gi` + help, []string{"-load", load, "-requests", "cpu"}},
		{`invalid value "noon" for flag -from: not a time such as 2014-11-02 or 2014-11-02 01:30` + help, []string{"-load", load, "-from", "noon"}},
		{"-from 2014-04-09 00:00:00 is not within the load, from 2014-04-10 00:00:00 to 2014-04-10 02:00:00", []string{"-load", load, "-from", "2014-04-09"}},
		{"-to 2014-04-11 00:00:00 is not between 2014-04-10 00:00:00 and 2014-04-10 02:00:00", []string{"-load", load, "-to", "2014-04-11"}},
		{`default: scenario.syncPeriod: Invalid value: "1ns": makes more than 100000000 steps in 2h0m0s`, []string{"-load", load, "-slope", "-sync", "1ns"}},
		{"-rollout 2h0m0s is not within the report, which ends after 2h0m0s", []string{"-load", load, "-rollout", "1h", "-rollout", "2h"}},
		{`invalid value "-1s" for flag -rollout: not a duration such as 5m or 30s` + help, []string{"-load", load, "-rollout", "-1s"}},
		{"-sweep rollout: neither a flag that can vary nor a field of the spec", []string{"-load", load, "-sweep", "rollout=1h,2h"}},
		{"-rollouts 1ns: more than 1000000 rollouts", []string{"-load", load, "-rollouts", "1ns"}},
		{"-trade-off needs a -sweep" + help, []string{"-load", load, "-trade-off", "a.svg"}},
		{"-at-most needs a -sweep" + help, []string{"-load", load, "-at-most", "1"}},
		{"-picture and -rows are for single runs, not for a -sweep" + help, []string{"-load", load, "-picture", "a.svg", "-sweep", "lag=1s"}},
		{`invalid value "lag" for flag -sweep: not like startup=30s,1m,2m` + help, []string{"-load", load, "-sweep", "lag"}},
		{`invalid value "lag=1s,,2s" for flag -sweep: empty value` + help, []string{"-load", load, "-sweep", "lag=1s,,2s"}},
		{`invalid value "lag=1s,1s" for flag -sweep: 1s is given twice` + help, []string{"-load", load, "-sweep", "lag=1s,1s"}},
		{`invalid value "lag=2s" for flag -sweep: lag is swept already` + help, []string{"-load", load, "-sweep", "lag=1s", "-sweep", "lag=2s"}},
		{"-sweep lag=x: not a duration such as 5m or 30s", []string{"-load", load, "-sweep", "lag=1s,x"}},
		{"-sweep picture: neither a flag that can vary nor a field of the spec", []string{"-load", load, "-sweep", "picture=a.svg"}},
		{"-sweep scaleDown.stabilisationWindow: the spec of a HorizontalPodAutoscaler has no such field", []string{"-load", load, "-sweep", "scaleDown.stabilisationWindow=1"}},
		{"-sweep metrics[1].resource.target.averageUtilization: there is no item 1 of 1", []string{"-load", load, "-sweep", "metrics[1].resource.target.averageUtilization=1"}},
		{"-sweep maxReplicas.x: the spec of a HorizontalPodAutoscaler has no such field", []string{"-load", load, "-sweep", "maxReplicas.x=1"}},
		{`default: spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero`, []string{"-load", load, "-sweep", "scaleDown.stabilizationWindowSeconds=-1"}},
		{`averageUtilization=91: spec.metrics[0]: Invalid value: "91%": is never exceeded: a pod at its capacity has 1, and up to 1009m is tolerated`, []string{"-load", load, "-sweep", "metrics[0].resource.target.averageUtilization=90,91"}},
		{"the sweeps need more than 10000 runs", []string{"-load", load, "-sweep", "maxReplicas=" + counted(101), "-sweep", "replicas=" + counted(101)}},
		{"more than 10000 runs", []string{"-load", load, "-sweep", "replicas=" + counted(101), "-seeds", "100"}},
		{"more than 10000 runs", []string{"-load", load, "-seeds", "9223372036854775807"}},
		{`invalid value "0" for flag -seeds: not a positive number` + help, []string{"-load", load, "-seeds", "0"}},
		{"-sweep seed: neither a flag that can vary nor a field of the spec", []string{"-load", load, "-sweep", "seed=1,2"}},
	} {
		got := fails(t, cli.BadInput, tt.args...)
		if want := "simulate: " + tt.want; got != want {
			t.Errorf("%q fails with\n%s, not\n%s", tt.args, got, want)
		}
	}
	for _, tt := range []struct{ text, want string }{
		{"", ": kubejson: horizontal pod autoscaler: empty"},
		{"{}", ": kubejson: horizontal pod autoscaler: kind: missing"},
		{`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`, ": kubejson: horizontal pod autoscaler: "},
	} {
		name := hpa(tt.text)
		if got := fails(t, cli.BadInput, "-load", load, "-hpa", name); !strings.HasPrefix(got, "simulate: "+name+tt.want) {
			t.Errorf("%q fails with %s", tt.text, got)
		}
	}
	name := hpa(`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"},"maxReplicas":0}}`)
	if got := fails(t, cli.BadInput, "-load", load, "-hpa", name); !strings.HasPrefix(got, "simulate: web: [spec.maxReplicas: ") {
		t.Errorf("an invalid spec fails with %s", got)
	}
}

func counted(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprint(i))
	}
	return strings.Join(parts, ",")
}

func TestNotWritten(t *testing.T) {
	load := file(t, "load.csv", smallLoad)
	nowhere := filepath.Join(t.TempDir(), "no", "a.svg")
	for _, args := range [][]string{{"-picture", nowhere}, {"-rows", nowhere}, {"-sweep", "lag=1s,2s", "-trade-off", nowhere}} {
		got := fails(t, cli.NotWritten, append([]string{"-load", load}, args...)...)
		if !strings.HasSuffix(got, "no such file or directory") {
			t.Errorf("%q fails with %s", args, got)
		}
	}
	var stderr bytes.Buffer
	if status := run(context.Background(), []string{"-load", load}, full{}, &stderr, false); status != cli.NotWritten {
		t.Errorf("status %d of a full disk", status)
	}
}

// full is a disk that is.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestHelp(t *testing.T) {
	out := command(t, "-help")
	f := cli.NewFlagSet("simulate")
	defaults().Define(f)
	f.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(out, "-"+f.Name) {
			t.Errorf("-help does not have -%s", f.Name)
		}
	})
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	if status := run(ctx, []string{"-load", "traces/nyc_taxi.csv"}, &stdout, &stderr, true); status != interrupted || stdout.Len() > 0 {
		t.Errorf("status %d, %s", status, &stdout)
	}
	if !strings.HasSuffix(stderr.String(), "simulate: interrupted\n") {
		t.Errorf("%q", &stderr)
	}
}

// TestRows: the rows are all there, and the same whenever they are written.
func TestRows(t *testing.T) {
	load, rows := file(t, "load.csv", smallLoad), filepath.Join(t.TempDir(), "rows.csv")
	args := []string{"-load", load, "-rows", rows, "-capacity", "15", "-from", "2014-04-10 00:20", "-hpa", "hpa/default.json", "-hpa", "hpa/percent-10.json",
		"-crash-after", "exp:1h", "-missing", "0.1", "-rollouts", "1h", "-pending", "p50:1s/p99:10s", "-startup", "10s..40s", "-seeds", "3"}
	out := command(t, args...)
	first, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(first, []byte("\n")); n != 1+2*3*100*4 {
		t.Errorf("%d lines", n)
	}
	if again := command(t, args...); again != out {
		t.Errorf("not the same again:\n%s\n%s", out, again)
	}
	second, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("not the same rows again")
	}
}

// TestJobs: the output does not depend on how much runs at once.
func TestJobs(t *testing.T) {
	dir := t.TempDir()
	sweep := func(jobs string) (string, string) {
		plot := filepath.Join(dir, "trade-off-"+jobs+".svg")
		out := command(t, "-load", file(t, "load.csv", smallLoad), "-capacity", "20", "-hpa", "hpa/default.json", "-hpa", "hpa/window-60s.json",
			"-sweep", "scaleDown.stabilizationWindowSeconds=0,60,300", "-sweep", "startup=10s,1m,5m", "-jobs", jobs, "-trade-off", plot, "-at-most", "5%", "-best", "cost")
		data, err := os.ReadFile(plot)
		if err != nil {
			t.Fatal(err)
		}
		return out, string(data)
	}
	out, plot := sweep("1")
	for _, jobs := range []string{"2", "7"} {
		if o, p := sweep(jobs); o != out || p != plot {
			t.Errorf("-jobs %s is not the same:\n%s\n%s", jobs, out, o)
		}
	}
	if !strings.Contains(out, "of 18 lose no more than 5% of the load with any seed: ") || !strings.Contains(out, "18. ") {
		t.Errorf("%s", out)
	}
}

// TestUnits: the header says what the capacity counts.
func TestUnits(t *testing.T) {
	load := file(t, "load.csv", smallLoad)
	if out := command(t, "-load", load, "-capacity", "15"); !strings.Contains(out, "\nA pod serves 15 in the unit of the file; ") {
		t.Errorf("%s", out)
	}
	if out := command(t, "-load", load, "-capacity", "15", "-unit", "requests / 5 min"); !strings.Contains(out, "\nA pod serves 15 requests / 5 min; ") {
		t.Errorf("%s", out)
	}
}

// TestSweptFacts: the header does not have the default of what is swept.
func TestSweptFacts(t *testing.T) {
	load := file(t, "load.csv", smallLoad)
	for _, tt := range []struct{ sweep, want string }{
		{"sync=15s,1m", "\nA pod serves 15 in the unit of the file; syncs as below; seeds"},
		{"capacity=10,20", "\nCapacities as below; a sync each 15 s; seeds"},
	} {
		if out := command(t, "-load", load, "-capacity", "15", "-sweep", tt.sweep); !strings.Contains(out, tt.want) {
			t.Errorf("%s", out)
		}
	}
}

// TestMemoryNote: the output says that memory falls to nothing, where it does.
func TestMemoryNote(t *testing.T) {
	memory := file(t, "memory.json", `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{
		"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"},"maxReplicas":9,"metrics":[
		{"type":"Resource","resource":{"name":"memory","target":{"type":"Utilization","averageUtilization":60}}}]}}`)
	const note = "\nMemory in use falls to 0 with the load; -gauge memory:idle=AMOUNT keeps some.\n"
	for _, tt := range []struct {
		args []string
		want bool
	}{{nil, false}, {[]string{"-hpa", memory}, true}, {[]string{"-hpa", memory, "-gauge", "memory:idle=256Mi"}, false}} {
		out := command(t, append([]string{"-load", file(t, "load.csv", smallLoad)}, tt.args...)...)
		if strings.Contains(out, note) != tt.want {
			t.Errorf("%q: %s", tt.args, out)
		}
	}
}

// TestSpread: figures of several seeds have their range beside them, if it
// shows.
func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		all  []float64
		want spread
	}{
		{[]float64{3}, spread{3, 3, 3}},
		{[]float64{4, 3}, spread{3, 3, 4}},
		{[]float64{9, 1, 5}, spread{1, 5, 9}},
		{[]float64{9, 1, 5, 6}, spread{1, 5, 9}},
	} {
		if got := spreadOf(len(tt.all), func(i int) float64 { return tt.all[i] }); got != tt.want {
			t.Errorf("%v of %v, not %v", got, tt.all, tt.want)
		}
	}
	load := file(t, "load.csv", smallLoad)
	one := command(t, "-load", load, "-seeds", "1", "-seed", "4")
	if !strings.Contains(one, "; seed 4.\n\n") || strings.Contains(one, "range") || strings.Contains(one, "..") {
		t.Errorf("%s", one)
	}
	out := command(t, "-load", load, "-hpa", "hpa/default.json", "-hpa", "hpa/window-60s.json", "-seed", "4", "-seeds", "2")
	if !strings.Contains(out, "; seeds 4 to 5.\n") || strings.Count(out, "range") != 2 {
		t.Errorf("%s", out)
	}
	sweep := command(t, "-load", load, "-sweep", "startup=0s,1m", "-seeds", "2", "-at-most", "100")
	if strings.Count(sweep, "lowest  ") != 2 || strings.Count(sweep, "highest  ") != 2 || !strings.Contains(sweep, "2 of 2 lose no more than 100% of the load with any seed: ") {
		t.Errorf("%s", sweep)
	}
}

// TestBins: a picture shows sizes that there were.
func TestBins(t *testing.T) {
	from := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	b := newBins(from, from.Add(2*binCount*time.Minute), time.Minute)
	for i, size := range []int32{2, 10, 10, 3} {
		b.add(&simulate.Row{Time: from.Add(time.Duration(i) * time.Minute), DesiredReplicas: size})
	}
	if got, want := []extremes{b.cells[0].size, b.cells[1].size}, []extremes{{2, 10, 10}, {3, 10, 3}}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// TestFormats: a picture of each format, of any number of runs.
func TestFormats(t *testing.T) {
	load := file(t, "load.csv", smallLoad)
	for ext, magic := range map[string]string{".svg": "<?xml", ".png": "\x89PNG", ".pdf": "%PDF"} {
		name := filepath.Join(t.TempDir(), "picture"+ext)
		command(t, "-load", load, "-picture", name)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(data), magic) {
			t.Errorf("%s begins with %.8q", ext, data)
		}
	}
}

// TestSlowerStartsLoseMore on the shipped loads, each in full.
func TestSlowerStartsLoseMore(t *testing.T) {
	for _, args := range [][]string{
		{"-load", "traces/elb_request_count.csv", "-capacity", "15"},
		{"-load", "traces/elb_request_count.csv", "-capacity", "15", "-slope"},
		{"-load", "traces/elb_request_count.csv", "-capacity", "15", "-hpa", "hpa/window-60s.json"},
		{"-load", "traces/nyc_taxi.csv", "-capacity", "1000", "-sync", "60s"},
	} {
		t.Run(strings.Join(args[1:], " "), func(t *testing.T) {
			t.Parallel()
			if testing.Short() {
				t.Skip("long")
			}
			o, err := parse(append(args, "-sweep", "startup=30s,1m,2m,4m,8m", "-seeds", "3"))
			if err != nil {
				t.Fatal(err)
			}
			p, err := o.plan()
			if err != nil {
				t.Fatal(err)
			}
			results, err := p.run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range results[1:] {
				if r.lost.median <= results[i].lost.median {
					t.Errorf("%s does not lose more than %s", r.label, results[i].label)
				}
			}
		})
	}
}

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, 200)
	p.add(50)
	p.end()
	if got := out.String(); !strings.HasPrefix(got, "\r[#######.......................]  25%") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("%q", got)
	}
	for _, tt := range []struct {
		done, total int64
		want        string
	}{
		{0, 100, "[..............................]   0%"},
		{50, 100, "[###############...............]  50%, 30s left"},
		{100, 100, "[##############################] 100%"},
		{101, 100, "[##############################] 100%"},
		{0, 0, "[##############################] 100%"},
	} {
		if got := bar(tt.done, tt.total, 30*time.Second); got != tt.want {
			t.Errorf("%q, not %q", got, tt.want)
		}
	}
	var none *progress
	none.add(1)
	none.end()
}

func TestFigure(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{figure(0.05), "0.05"}, {figure(-2), "-2"}, {figure(1e13), "1e+13"}, {figure(12500), "12,500"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, not %q", tt.got, tt.want)
		}
	}
}

// TestTicks: times on axes are round, and few enough to be read.
func TestTicks(t *testing.T) {
	from := time.Date(2014, 11, 1, 17, 23, 0, 0, time.UTC)
	for _, span := range []time.Duration{time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour, 72 * time.Hour, 14 * 24 * time.Hour, 215 * 24 * time.Hour, 2000 * 24 * time.Hour} {
		ticks := ticksOfTime(9, true)(float64(from.Unix()), float64(from.Add(span).Unix()))
		if len(ticks) > 9 || len(ticks) < 1 {
			t.Errorf("%d ticks over %v", len(ticks), span)
		}
		for _, tick := range ticks {
			if tick.Label == "" {
				t.Errorf("no label over %v", span)
			}
		}
	}
	for _, tt := range []struct {
		low, high float64
		n         int
		want      string
	}{{0, 73, 5, "0 20 40 60"}, {0, 1, 5, "0 0.2 0.4 0.6 0.8 1"}, {38660, 38860, 5, "38,700 38,750 38,800 38,850"}, {5, 5, 3, "5"}} {
		var labels []string
		for _, v := range roundTicks(tt.low, tt.high, tt.n) {
			labels = append(labels, figure(v))
		}
		if got := strings.Join(labels, " "); got != tt.want {
			t.Errorf("%s, not %s", got, tt.want)
		}
	}
}

// TestStripsAreAsDarkAsLong: the ink of a strip is the share of the time, up to
// the next shade, however many syncs a column has.
func TestStripsAreAsDarkAsLong(t *testing.T) {
	from := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	const perColumn = 50
	b := newBins(from, from.Add(perColumn*binCount*time.Minute), time.Minute)
	for i := range perColumn * binCount {
		r := simulate.Row{Time: from.Add(time.Duration(i) * time.Minute), Span: time.Minute}
		if i%2 == 0 {
			r.Stabilization = stabilize.ScaleDownStabilized
		} else {
			r.Stabilization = stabilize.NotStabilized
		}
		if i >= perColumn*binCount/2 {
			r.Limit = behavior.TooManyReplicas
		}
		if i%perColumn == 7 {
			r.Unserved, r.TimeUnserved = 1, 30*time.Second
		}
		b.add(&r)
	}
	pl := plot.New()
	pl.X.Min, pl.X.Max, pl.Y.Min, pl.Y.Max = b.at(0), b.at(binCount), -6, 0
	var c recorder.Canvas
	strips{b, 1}.Plot(draw.NewCanvas(&c, 800, 60), pl)
	inks := map[vg.Length]float64{} // by the place of the strip
	var fill color.NRGBA
	for _, a := range c.Actions {
		switch a := a.(type) {
		case *recorder.SetColor:
			fill = color.NRGBAModel.Convert(a.Color).(color.NRGBA)
		case *recorder.Fill:
			x0, x1 := a.Path[0].Pos, a.Path[2].Pos
			full := ink
			if x0.Y < 15 {
				full = loss
			}
			inks[x0.Y] += float64(x1.X-x0.X) / 800 * float64(255-fill.G) / float64(255-full.G)
		}
	}
	var places []vg.Length
	for at := range inks {
		places = append(places, at)
	}
	slices.Sort(places)
	if len(places) != 3 {
		t.Fatalf("%v", inks)
	}
	for i, want := range []float64{0.01, 0.5, 0.5} { // from below: loss, maximum, window
		if got := inks[places[i]]; got < want-0.01 || got > want+1.0/shades+0.01 {
			t.Errorf("strip %d: a share of %.3f is ink, not %v", i, got, want)
		}
	}
}

// The load of a pipe, compressed or not, is that of a file, and a unit in it is shown.
func TestStandardInput(t *testing.T) {
	var text strings.Builder
	text.WriteString("\"Time\",\"web\"\n")
	for i := range 60 {
		fmt.Fprintf(&text, "2014-04-10 00:%02d:00,%d.%dK req/s\n", i, 1+i%3, i%10)
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write([]byte(text.String())); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	simulated := func(name string, content []byte, stdin bool) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		load := file
		if stdin {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			defer func(before *os.File) { os.Stdin = before }(os.Stdin)
			os.Stdin, load = f, "-"
		}
		var stdout, stderr bytes.Buffer
		if status := run(context.Background(), []string{"-load", load, "-capacity", "500", "-seeds", "1"}, &stdout, &stderr, false); status != cli.OK {
			t.Fatal(&stderr)
		}
		return stdout.String()
	}
	want := simulated("load.csv", []byte(text.String()), false)
	if !strings.Contains(want, "A pod serves 500 req/s") {
		t.Error(want)
	}
	want = strings.Replace(want, "load.csv", "standard input", 1)
	if got := simulated("a", []byte(text.String()), true); got != want {
		t.Error(got)
	}
	if got := simulated("b", zipped.Bytes(), true); got != want {
		t.Error(got)
	}
}
