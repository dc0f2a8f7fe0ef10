package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purehpa/hpa/examples/internal/cli"
)

// mapped returns the maps that the arguments ask for.
func mapped(t *testing.T, args ...string) *maps {
	t.Helper()
	o, err := parse(append([]string{"-flaps", "a.svg"}, args...))
	if err != nil {
		t.Fatal(err)
	}
	m, err := o.newMaps()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMapSizes(t *testing.T) {
	if got := mapSizes(3, 7); !slices.Equal(got, []int32{3, 4, 5, 6, 7}) {
		t.Errorf("%d", got)
	}
	for _, high := range []int32{100, 12_345, math.MaxInt32} {
		got := mapSizes(2, high)
		if len(got) != mostSizes || got[0] != 2 || got[mostSizes-1] != high || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != mostSizes {
			t.Errorf("%d", got)
		}
	}
	if got := mapSizes(5, 5); !slices.Equal(got, []int32{5}) {
		t.Errorf("%d", got)
	}
}

// TestTimes: the map has the times of the rules, and says the longest.
func TestTimes(t *testing.T) {
	dir := t.TempDir()
	draw := func(name string, args ...string) (text, picture string) {
		file := filepath.Join(dir, name)
		text = command(t, append(args, "-times", file)...)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return text, string(data)
	}
	text, fast := draw("default.svg")
	if text != "default: from 2 to 100 in 1 min 30 s, and back in 5 min 15 s\n" {
		t.Error(text)
	}
	text, slow := draw("slow.svg", "-hpa", "hpa/percent-10-in-5min.json", "-sync", "30s")
	if text != "percent-10-in-5min: from 2 to 100 in 2 h 21 min, and back in 5 min\n" {
		t.Error(text)
	}
	if fast == slow || strings.Contains(fast, "up to 3 h") || !strings.Contains(slow, "up to 3 h") {
		t.Error("the maps do not differ")
	}
	disabled := file(t, "disabled.json", strings.Replace(read(t, "hpa/percent-10.json"), `"policies"`, `"selectPolicy": "Disabled", "policies"`, 1))
	text, picture := draw("disabled.png", "-hpa", disabled)
	if text != "disabled: from 2 to 100 in never, and back in 5 min\n" || !strings.HasPrefix(picture, "\x89PNG") {
		t.Error(text)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestFlaps: waves within the tolerance turn nothing, slow ones turn the size
// twice each, and those faster than the window not at all.
func TestFlaps(t *testing.T) {
	m := mapped(t, "-hpa", "hpa/window-60s.json", "-around", "12")
	f, err := m.flapping(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if f.mean != 12_000 {
		t.Errorf("the mean is %v", f.mean)
	}
	last := flapShares - 1
	for i, period := range flapPeriods {
		if f.turns[i][0] != 0 {
			t.Errorf("±%v%% each %v: %v turns", flapShare(0), period, f.turns[i][0])
		}
		want := 2 * time.Hour.Seconds() / period.Seconds()
		switch got := f.turns[i][last]; {
		case period/2 < time.Minute && got != 0:
			t.Errorf("±%v%% each %v: %v turns", flapShare(last), period, got)
		case period/2 > time.Minute+15*time.Second && math.Abs(got-want) > 0.7:
			t.Errorf("±%v%% each %v: %v turns, not %v", flapShare(last), period, got, want)
		}
	}
	// Without a window, load within the tolerance still turns nothing, but fast
	// waves do.
	m = mapped(t, "-hpa", "hpa/window-60s.json", "-around", "12", "-horizontal-pod-autoscaler-tolerance", "0.5")
	if f, err = m.flapping(context.Background()); err != nil || f.turns[len(f.turns)-1][last] != 0 {
		t.Errorf("%v turns within tolerance, %v", f.turns[len(f.turns)-1][last], err)
	}
	var out strings.Builder
	f.write(&out, "web")
	if out.String() != "web: no wave makes the size turn\n" {
		t.Error(out.String())
	}
}

// TestTurns: changes in one direction are no turns, nor are pauses.
func TestTurns(t *testing.T) {
	var c turnCount
	for _, by := range []int32{0, 3, 0, 1, -1, 0, -2, -1, 4} {
		c.add(by)
	}
	if c.turns != 2 {
		t.Errorf("%d turns", c.turns)
	}
}

// TestWaves: both shapes of the wave have its mean, its ends and its period.
func TestWaves(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, slope := range []string{"-slope=false", "-slope"} {
		w := mapped(t, slope).wave(start, time.Hour, 1000, 4*time.Minute, 20)
		var sum, low, high int64 = 0, 1000, 1000
		const n = 240
		for i := range n { // one whole wave, after the first one
			load, _ := w.At(start.Add(4*time.Minute + time.Duration(i)*time.Second))
			sum, low, high = sum+int64(load), min(low, int64(load)), max(high, int64(load))
		}
		if mean := sum / n; mean != 1000 || low > 830 || low < 800 || high > 1200 || high < 1170 {
			t.Errorf("%s: %d, from %d to %d", slope, mean, low, high)
		}
	}
}

func TestBadMaps(t *testing.T) {
	load := file(t, "load.csv", smallLoad)
	const help = " (-help lists the flags)"
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"-load does not go with -times and -flaps" + help, []string{"-times", "a.svg", "-load", load}},
		{"-sweep does not go with -times and -flaps" + help, []string{"-flaps", "a.svg", "-sweep", "lag=1s,2s"}},
		{"-at-most does not go with -times and -flaps" + help, []string{"-flaps", "a.svg", "-at-most", "5"}},
		{"-best does not go with -times and -flaps" + help, []string{"-flaps", "a.svg", "-best", "lost"}},
		{"-from does not go with -times and -flaps" + help, []string{"-times", "a.svg", "-from", "2020-01-01"}},
		{"-rollout does not go with -times and -flaps" + help, []string{"-flaps", "a.svg", "-rollout", "1h"}},
		{"-seeds does not go with -times and -flaps" + help, []string{"-flaps", "a.svg", "-seeds", "9"}},
		{"-trade-off does not go with -times and -flaps" + help, []string{"-times", "a.svg", "-trade-off", "to.svg"}},
		{"-unit does not go with -times and -flaps" + help, []string{"-times", "a.svg", "-unit", "requests"}},
		{"-warm-up does not go with -times and -flaps" + help, []string{"-times", "a.svg", "-flaps", "b.svg", "-warm-up", "3h"}},
		{"-around needs -flaps" + help, []string{"-times", "a.svg", "-around", "5"}},
		{"-seed needs -flaps" + help, []string{"-times", "a.svg", "-seed", "2"}},
		{"-startup needs -flaps" + help, []string{"-times", "a.svg", "-startup", "1m"}},
		{"-times and -flaps are for one -hpa" + help, []string{"-times", "a.svg", "-hpa", "hpa/default.json", "-hpa", "hpa/percent-10.json"}},
		{"-around needs -flaps" + help, []string{"-around", "3", "-load", load}},
		{`invalid value "0" for flag -around: not a positive number` + help, []string{"-flaps", "a.svg", "-around", "0"}},
		{`invalid value "a.gif" for flag -flaps: not a file that ends in .svg, .png or .pdf` + help, []string{"-flaps", "a.gif"}},
		{"open no.json: no such file or directory", []string{"-times", "a.svg", "-hpa", "no.json"}},
		{`syncPeriod: Invalid value: "1ms": must be from 1s to 1h`, []string{"-times", "a.svg", "-sync", "1ms"}},
		{"-around 1e+300: not a load that can be simulated", []string{"-flaps", "a.svg", "-around", "1e300"}},
	} {
		if got, want := fails(t, cli.BadInput, tt.args...), "simulate: "+tt.want; got != want {
			t.Errorf("%q fails with\n%s, not\n%s", tt.args, got, want)
		}
	}
	nowhere := filepath.Join(t.TempDir(), "no", "a.svg")
	for _, flag := range []string{"-times", "-flaps"} {
		if got := fails(t, cli.NotWritten, flag, nowhere); !strings.HasSuffix(got, "no such file or directory") {
			t.Error(got)
		}
	}
	// Simulations that fail do so before a picture is drawn.
	if got := fails(t, cli.BadInput, "-flaps", "a.svg", "-usage", "1"); !strings.Contains(got, "is never exceeded") {
		t.Error(got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := mapped(t).flapping(ctx); err == nil {
		t.Error("an interrupt goes on")
	}
}

func TestHeat(t *testing.T) {
	h := &heat{steps: []float64{0, 1}, text: figure, beyond: "more", values: [][]float64{{0, math.NaN(), 2}}}
	var names []string
	for _, e := range h.legend() {
		names = append(names, e.name)
	}
	if !slices.Equal(names, []string{"none", "up to 1", "more"}) {
		t.Errorf("%q", names)
	}
	if shade(0, 9) != ramp[0] || shade(8, 9) != ramp[len(ramp)-1] || shade(0, 1) != ramp[0] {
		t.Error("the ramp does not go from end to end")
	}
	ticks := axis{names: make([]string, 50)}.ticks()
	if len(ticks) != mapNames || ticks[0].Value != 0.5 || ticks[mapNames-1].Value != 49.5 {
		t.Errorf("%v", ticks)
	}
}
