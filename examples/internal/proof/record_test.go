package proof

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/prove"
	"github.com/purehpa/hpa/calculator/recording"
	"github.com/purehpa/hpa/calculator/replay"
)

// A recording, decided on again, leads to the sizes of its course.
func TestRecordings(t *testing.T) {
	all := []string{"", "-settled-within 0s", "-added-at-most 0/1m -carried-within 10h -removed-at-most 0/5m", "-carried-within 0s"}
	for _, of := range []struct {
		name string
		a    *kubejson.HorizontalPodAutoscaler
		args []string
	}{
		{"utilization", utilization(1, 3), all},
		{"slow", slow(4), all},
		{"queue", queue(3), []string{"", "-carried-within 0s"}},
	} {
		a := of.a
		for _, args := range of.args {
			t.Run(of.name+" "+args, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "web.rec")
				p := proved(t, a, append(strings.Fields(args), "-record", file)...)
				files := 0
				for i := range p.answers {
					if x := &p.answers[i]; x.course != nil {
						files++
						sameSizes(t, a, x)
					}
				}
				require.NotZero(t, files)
				entries, err := os.ReadDir(filepath.Dir(file))
				require.NoError(t, err)
				require.Len(t, entries, files)
				require.Equal(t, files, strings.Count(string(p.AppendText(nil)), "\nRecorded in "))

				_, err = parsed(t, append(strings.Fields(args), "-record", file)...).Prove(t.Context(), calculator.DefaultSettings(), a)
				require.ErrorContains(t, err, "-record "+strings.TrimSuffix(file, ".rec"))
				require.ErrorContains(t, err, ": file already exists")
			})
		}
	}
}

// The settings are recorded, too.
func TestRecordedSettings(t *testing.T) {
	settings := calculator.DefaultSettings()
	settings.Tolerance, settings.DownscaleStabilization = 0.5, 3*time.Minute
	a := utilization(1, 3)
	p, err := parsed(t, "-record", filepath.Join(t.TempDir(), "web.rec")).Prove(t.Context(), settings, a)
	require.NoError(t, err)
	for i := range p.answers {
		if x := &p.answers[i]; x.course != nil {
			require.Equal(t, settings, *sameSizes(t, a, x).Settings)
		}
	}
}

func sameSizes(t *testing.T, a *kubejson.HorizontalPodAutoscaler, x *answer) recording.Header {
	t.Helper()
	file, err := os.Open(x.file)
	require.NoError(t, err)
	defer file.Close()
	r, err := recording.NewReader(file)
	require.NoError(t, err)
	h := r.Header()
	require.Equal(t, a.Name, h.Name)
	require.NotEmpty(t, h.Namespace)
	require.NotNil(t, h.State)

	type sizes struct {
		at            string
		before, after int32
	}
	var want, got []sizes
	require.NoError(t, x.course.Timeline.Run(func(s *prove.Sync) bool {
		want = append(want, sizes{s.Now.String(), s.Size, s.After})
		return true
	}))
	recorded := h.Autoscaler()
	for answers, err := range replay.Run(r.Syncs(), &recorded) {
		require.NoError(t, err)
		require.Equal(t, h.Namespace, answers.Sync.Observation.Namespace)
		got = append(got, sizes{answers.Sync.Time.String(), answers.Sync.Observation.SpecReplicas, answers.Size(0)})
	}
	require.Equal(t, want, got)
	return h
}
