package recording_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// tester is a *testing.T or *rapid.T.
type tester interface {
	require.TestingT
	Helper()
	Fatalf(format string, args ...any)
}

// header is that of an autoscaler on cpu.
func header() recording.Header {
	spec := autoscaling.NewSpec(2, 10, autoscaling.ResourceUtilizationMetric("cpu", 60))
	spec.ScaleTargetRef = autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"}
	settings := calculator.DefaultSettings()
	return recording.Header{Namespace: "shop", Name: "web", Spec: &spec, Settings: &settings}
}

// write returns the recording.
func write(t tester, h recording.Header, syncs ...replay.Sync) []byte {
	t.Helper()
	var out lines
	w, err := recording.NewWriter(&out, h)
	require.NoError(t, err)
	for _, s := range syncs {
		require.NoError(t, w.Write(s))
	}
	return out.all
}

// lines is an io.Writer that wants whole lines.
type lines struct{ all []byte }

func (l *lines) Write(p []byte) (int, error) {
	if n := len(p); n == 0 || slices.Index(p, '\n') != n-1 {
		return 0, fmt.Errorf("%q is not a line", p)
	}
	l.all = append(l.all, p...)
	return len(p), nil
}

// writer returns a Writer of a recording with the header.
func writer(t tester, to *lines) *recording.Writer {
	t.Helper()
	w, err := recording.NewWriter(to, header())
	require.NoError(t, err)
	return w
}

// open returns a Reader.
func open(t tester, data []byte) *recording.Reader {
	t.Helper()
	r, err := recording.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	return r
}

// failure returns the error of reading, and the number of syncs before it.
func failure(data []byte) (syncs int, err error) {
	r, err := recording.NewReader(bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	for _, err := range r.Syncs() {
		if err != nil {
			return syncs, err
		}
		syncs++
	}
	return syncs, nil
}

// kept returns what a recording keeps of a sync.
func kept(s replay.Sync) replay.Sync {
	obs := *s.Observation
	obs.Group = nil
	obs.Pods = slices.Clone(obs.Pods)
	obs.Readings = slices.Clone(obs.Readings)
	for i := range obs.Readings {
		r := &obs.Readings[i]
		r.Samples = slices.Clone(r.Samples)
		for k := range r.Samples {
			if !r.Samples[k].Present {
				r.Samples[k] = metrics.Sample{}
			}
		}
	}
	return replay.Sync{Time: s.Time.Round(0).UTC(), Observation: &obs, WriteErr: s.WriteErr}
}

// same compares what is kept.
var same = cmp.Options{
	cmpopts.EquateEmpty(),
	cmpopts.IgnoreFields(calculator.Observation{}, "SelectorError"), // cmp takes it for an error, a nil one too
	cmp.Comparer(func(a, b error) bool {
		return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error())
	}),
	cmp.Comparer(func(a, b podgroup.Request) bool { return a.Set == b.Set && (!a.Set || a.Milli == b.Milli) }),
}

// requireSame reads the recording and compares it with the syncs that were
// written.
func requireSame(t tester, data []byte, want []replay.Sync) {
	t.Helper()
	i := 0
	for got, err := range open(t, data).Syncs() {
		require.NoError(t, err)
		require.Equal(t, want[i].Observation.SelectorError, got.Observation.SelectorError, "sync %d", i)
		require.Equal(t, ownReason(want[i].Observation.ScaleError), ownReason(got.Observation.ScaleError), "sync %d", i)
		if diff := cmp.Diff(kept(want[i]), got, same); diff != "" {
			t.Fatalf("sync %d (-written +read):\n%s\n%s", i, diff, data)
		}
		i++
	}
	require.Len(t, want, i)
}

// ownReason returns the reason and message of a scale error that has its own.
func ownReason(err error) [2]string {
	if own := new(calculator.ScaleError); errors.As(err, &own) {
		return [2]string{own.Reason, own.Message}
	}
	return [2]string{}
}

// webPods returns ready pods that request half a core.
func webPods(n int) []podgroup.Pod {
	pods := make([]podgroup.Pod, n)
	for i := range pods {
		pods[i] = podgroup.RunningPod("web-"+string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676)),
			noon.Add(-time.Hour), podgroup.Requests{CPU: podgroup.Requested(500)})
	}
	return pods
}

var errDown = errors.New("the metrics API is down")

// testing.TB is a tester, too.
var _ tester = (testing.TB)(nil)
