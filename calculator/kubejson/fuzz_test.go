package kubejson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/podgroup"
)

// fuzz runs a decoder on the recorded documents of that name and on malformed
// ones. It says whether it decoded.
func fuzz(f *testing.F, pattern string, decode func(*testing.T, []byte) error) {
	for _, data := range scenes(f, pattern) {
		f.Add(data)
		f.Add(data[:len(data)/2])
		f.Add(bytes.Replace(data, []byte(`"metadata": {`), []byte(`"metadata": [`), 1))
	}
	for _, d := range decoders() {
		f.Add([]byte(object(d.version, d.kind, d.item)))
		f.Add([]byte(list("v1", "List", object(d.version, d.kind, d.item), "null")))
	}
	f.Add([]byte(`{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","metadata":{"name":"\ud800"}},{}]}x`))
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		err := decode(t, data)
		if !bytes.Equal(before, data) {
			t.Fatal("the input was changed")
		}
		if err == nil {
			return
		}
		var e *kubejson.Error
		var strict *kubejson.StrictError
		if !errors.As(err, &strict) && !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
		if text := err.Error(); strict == nil && len(text) > 1000 || strings.ContainsFunc(text, unicode.IsControl) {
			t.Fatalf("%d bytes: %q", len(text), text)
		}
	})
}

func FuzzDecodePods(f *testing.F) {
	fuzz(f, "pods.json", func(t *testing.T, data []byte) error {
		dst := append(make([]podgroup.Pod, 0, 4), podgroup.Pod{Name: "before"})
		pods, err := kubejson.DecodePods(dst, data)
		if len(pods) == 0 || pods[0].Name != "before" || err != nil && len(pods) != 1 {
			t.Fatal("the pods that were there are not")
		}
		for i := range pods {
			if _, err := pods[i].Request("cpu", ""); err != nil && err.Error() == "" {
				t.Fatal("no text")
			}
		}
		return err
	})
}

func FuzzDecodeAutoscaler(f *testing.F) {
	fuzz(f, "hpa.json", func(t *testing.T, data []byte) error {
		a, err := kubejson.DecodeAutoscaler(data)
		if err != nil {
			return err
		}
		if _, err := json.Marshal(a.Spec); err != nil {
			t.Fatal(err)
		}
		state := a.State()
		if _, err := state.MarshalBinary(); err != nil {
			t.Fatal(err)
		}
		if _, err := state.MarshalJSON(); err != nil {
			t.Fatal(err)
		}
		for _, when := range []time.Time{a.CreationTime, a.Status.LastScaleTime} {
			if when.Location() != time.UTC {
				t.Fatal(when)
			}
		}
		return nil
	})
}

// A strict Cluster and DecodeManifest read the same.
func FuzzDecodeManifest(f *testing.F) {
	f.Add([]byte(applied))
	f.Add([]byte(strings.Replace(applied, "/v2", "/v1", 1)))
	f.Add([]byte(object("autoscaling/v1", "HorizontalPodAutoscaler", `"metadata":{"name":"web","annotations":{"autoscaling.alpha.kubernetes.io/metrics":"[{\"pods\":{}}]"}}`)))
	fuzz(f, "hpa.json", func(t *testing.T, data []byte) error {
		a, err := kubejson.DecodeManifest(data)
		c := kubejson.Cluster{Strict: true}
		if added := c.Add(data); err == nil && (added != nil || !reflect.DeepEqual(a, c.Autoscaler)) {
			t.Fatal(added)
		}
		if err != nil {
			return err
		}
		if _, err := json.Marshal(a.Spec); err != nil {
			t.Fatal(err)
		}
		if lenient, err := kubejson.DecodeAutoscaler(data); err == nil && !reflect.DeepEqual(a, lenient) {
			t.Fatal("read differently without strict validation")
		}
		return nil
	})
}

func FuzzDecodeScale(f *testing.F) {
	fuzz(f, "scale.json", func(t *testing.T, data []byte) error {
		s, err := kubejson.DecodeScale(data)
		if s.SpecReplicas < 0 || s.StatusReplicas < 0 {
			t.Fatal(s)
		}
		return err
	})
}

func FuzzDecodePodMetrics(f *testing.F) {
	fuzz(f, "podmetrics.json", func(t *testing.T, data []byte) error {
		m, err := kubejson.DecodePodMetrics(data)
		requireAligned(t, m.Reading(somePods(), "cpu", ""))
		requireAligned(t, m.Reading(somePods(), "memory", "app"))
		return err
	})
}

func FuzzDecodeCustomMetrics(f *testing.F) {
	fuzz(f, "[po]*-*.json", func(t *testing.T, data []byte) error {
		m, err := kubejson.DecodeCustomMetrics(data)
		requireAligned(t, m.PodsReading(somePods(), "qps"))
		r := m.ObjectReading(autoscaling.CrossVersionObjectReference{Kind: "Service", Name: "front"}, "hits")
		if (r.Err == nil) != (len(r.Values) == 1) {
			t.Fatal(r)
		}
		return err
	})
}

func FuzzDecodeExternalMetrics(f *testing.F) {
	fuzz(f, "external-*.json", func(t *testing.T, data []byte) error {
		m, err := kubejson.DecodeExternalMetrics(data)
		if r := m.Reading("queue_depth"); (r.Err == nil) != (len(r.Values) > 0) {
			t.Fatal(r)
		}
		return err
	})
}

// What Add decodes can be decided on, whatever it is.
func FuzzAdd(f *testing.F) {
	fuzz(f, "*.json", func(t *testing.T, data []byte) error {
		var c kubejson.Cluster
		if err := c.Add(data); err != nil {
			if c.Namespace != "" || c.Autoscalers != nil || c.Pods != nil || c.Scale != nil || c.PodMetrics != nil || c.Custom != nil || c.External != nil || c.Autoscaler.Name != "" {
				t.Fatal("it was changed")
			}
			return err
		}
		obs := c.Observation()
		if len(obs.Readings) != len(c.Autoscaler.Spec.Metrics) {
			t.Fatal("not one reading for each metric")
		}
		settings, state := calculator.DefaultSettings(), c.Autoscaler.State()
		c.Autoscaler.Spec.SetDefaults()
		obs = c.Observation()
		d := calculator.Decide(c.Newest(), &settings, &c.Autoscaler.Spec, &obs, &state)
		if err := d.Err(); err != nil && err.Error() == "" {
			t.Fatal("no text")
		}
		return nil
	})
}

func somePods() []podgroup.Pod { return []podgroup.Pod{{Name: "a"}, {Name: "web-bb7d55ddf-6b26v"}} }

func requireAligned(t *testing.T, r calculator.Reading) {
	if r.Err == nil && len(r.Samples) != 2 || r.Err != nil && r.Samples != nil {
		t.Fatal(r)
	}
}
