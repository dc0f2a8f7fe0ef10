package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	defaults "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
)

// TestRecordedVectors plays the recorded vectors to upstream's controller
// again.
func TestRecordedVectors(t *testing.T) {
	for _, name := range []string{"kubernetes-1.37.1.jsonl.gz", "kubernetes-1.37.1-seed2.jsonl.gz"} {
		t.Run(name, func(t *testing.T) {
			syncs := 0
			for line := range bytes.Lines(recorded(t, name)) {
				var v Vector
				var wants struct{ Steps []struct{ Want any } }
				if err := errors.Join(json.Unmarshal(line, &v), json.Unmarshal(line, &wants)); err != nil {
					t.Fatal(err)
				}
				bubble(t, func() {
					play(t, &v, func(i int) any { return wants.Steps[i].Want })
				})
				if syncs += len(v.Steps); t.Failed() {
					return
				}
			}
			t.Log(syncs, "syncs")
			if syncs < 500 {
				t.Error("too few syncs:", syncs)
			}
		})
	}
}

func recorded(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.Open("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	plain, err := unzipped(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// play compares with want, since decoding and encoding a status can change it.
func play(t *testing.T, v *Vector, want func(int) any) {
	flags, err := v.Config.flags()
	if err != nil {
		t.Error(err)
	}
	hpa := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: Name, Namespace: Namespace}, Spec: *v.Spec.DeepCopy()}
	defaults.SetObjectDefaults_HorizontalPodAutoscaler(hpa)
	if want, got := marshal(v.DefaultedSpec), marshal(&hpa.Spec); want != got {
		t.Errorf("%s: defaulted spec\nrecorded: %s\nnow:      %s", v.Name, want, got)
	}
	up := NewUpstream(flags)
	for i := range v.Steps {
		recorded := &v.Steps[i]
		time.Sleep(time.Until(recorded.Now))
		s, err := recorded.step()
		if err != nil {
			t.Error(err)
			return
		}
		a := up.Sync(hpa, s)
		got := s.vector(&a)
		var now any
		if err := json.Unmarshal([]byte(marshal(got.Want)), &now); err != nil {
			t.Error(err)
		}
		if !reflect.DeepEqual(want(i), now) {
			t.Errorf("%s, step %d\nrecorded: %s\nnow:      %s", v.Name, i, marshal(want(i)), marshal(now))
			return
		}
	}
}

// TestVectorsFileIsGenerated records the file in the root's testdata again.
func TestVectorsFileIsGenerated(t *testing.T) {
	lines := bytes.Split(bytes.TrimSpace(recorded(t, "kubernetes-1.37.1-seed2.jsonl.gz")), []byte("\n"))
	if testing.Short() {
		lines = lines[:20]
	}
	for i, line := range lines {
		var now bytes.Buffer
		enc := json.NewEncoder(&now)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(Record(t, 2, uint64(i))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytes.TrimSpace(now.Bytes()), line) {
			t.Fatalf("vector %d\nfile: %s\nnow:  %s", i, line, now.Bytes())
		}
	}
}
