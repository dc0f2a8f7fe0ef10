package stage

import (
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// Float is a number whose JSON is a string where JSON has no number: "NaN",
// "Infinity" or "-Infinity".
type Float float64

// MarshalJSON returns the number or the string.
func (f Float) MarshalJSON() ([]byte, error) {
	switch v := float64(f); {
	case math.IsNaN(v):
		return []byte(`"NaN"`), nil
	case math.IsInf(v, 0):
		return strconv.AppendQuote(nil, infinity(v)), nil
	default:
		return json.Marshal(v)
	}
}

// UnmarshalJSON reads what MarshalJSON returns.
func (f *Float) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"NaN"`:
		*f = Float(math.NaN())
	case `"Infinity"`:
		*f = Float(math.Inf(1))
	case `"-Infinity"`:
		*f = Float(math.Inf(-1))
	default:
		return json.Unmarshal(data, (*float64)(f))
	}
	return nil
}

func infinity(v float64) string {
	if v < 0 {
		return "-Infinity"
	}
	return "Infinity"
}

// Seconds is a duration whose JSON is a number of seconds.
type Seconds time.Duration

// MarshalJSON returns the seconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(s).Seconds()) }

// UnmarshalJSON reads seconds. A duration that does not fit is the nearest that
// does.
func (s *Seconds) UnmarshalJSON(data []byte) error {
	var v float64
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	switch v = math.Round(v * float64(time.Second)); {
	case v >= math.MaxInt64:
		*s = math.MaxInt64
	case v <= math.MinInt64:
		*s = math.MinInt64
	default:
		*s = Seconds(v)
	}
	return nil
}
