package metrics_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/purehpa/hpa/metrics"
)

// soundQuantity checks the invariants of every quantity.
func soundQuantity(t *testing.T, q metrics.Quantity) {
	t.Helper()
	if !q.IsSet() || q.String() == "" {
		t.Fatalf("not set: %#v", q)
	}
	if math.IsNaN(q.Float64()) || q != q {
		t.Fatalf("float %v", q.Float64())
	}
	if m, f := q.Milli(), q.Float64(); q.Sign() > 0 != (m > 0) || q.Sign() < 0 != (m < 0) || q.Sign() > 0 != (f > 0) || q.Sign() < 0 != (f < 0) {
		t.Fatalf("sign %v, milli %v, float %v", q.Sign(), m, f)
	}
	again, err := metrics.ParseQuantity(q.String())
	if err != nil {
		t.Fatal(err)
	}
	if third, err := metrics.ParseQuantity(again.String()); err != nil || third.String() != again.String() {
		t.Fatalf("%#v, third %#v, %v", again, third, err)
	}
	if again.Milli() != q.Milli() || again.Sign() != q.Sign() {
		t.Fatalf("%#v, again %#v", q, again)
	}
	data, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	var decoded metrics.Quantity
	if err := json.Unmarshal(data, &decoded); err != nil || decoded != again {
		t.Fatalf("%#v, decoded %#v, %v", again, decoded, err)
	}
}

func soundQuantityError(t *testing.T, err error) {
	t.Helper()
	var qe *metrics.QuantityError
	if !errors.As(err, &qe) || qe.Problem < metrics.QuantityMalformed || qe.Problem > metrics.QuantityExponentRange {
		t.Fatalf("error %v", err)
	}
	if len(err.Error()) > 400 {
		t.Fatalf("error of %d bytes", len(err.Error()))
	}
}

func FuzzParseQuantity(f *testing.F) {
	for _, r := range recordedQuantities(f) {
		f.Add(r.Text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := metrics.ParseQuantity(s)
		if err != nil {
			soundQuantityError(t, err)
			if q.IsSet() {
				t.Fatalf("%v with %v", q, err)
			}
			return
		}
		soundQuantity(t, q)
	})
}

func FuzzQuantityUnmarshalJSON(f *testing.F) {
	for _, s := range []string{"null", "1", `"1"`, `" 1.5Gi "`, `"`, `""`, "", "{}", "1e400", "-0", `"1\t"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var q metrics.Quantity
		if err := q.UnmarshalJSON(data); err != nil {
			soundQuantityError(t, err)
			return
		}
		if string(data) == "null" {
			if q.IsSet() {
				t.Fatal("set")
			}
			return
		}
		soundQuantity(t, q)
	})
}

func FuzzQuantityUnmarshalText(f *testing.F) {
	for _, s := range []string{"", "1", "1.5Gi", " 1", "null"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var q metrics.Quantity
		if err := q.UnmarshalText(text); err != nil {
			soundQuantityError(t, err)
			return
		}
		if len(text) > 0 {
			soundQuantity(t, q)
		}
	})
}
