package trial

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/metrics"
)

// answer is the JSON answer of Prometheus to a range query.
type answer struct {
	Status string `json:"status"`
	Error  string `json:"error"`
	Data   struct {
		ResultType string          `json:"resultType"`
		Result     json.RawMessage `json:"result"`
	} `json:"data"`
}

// labeled is one series of an answer. Its values are not decoded if there are
// others.
type labeled struct {
	Metric map[string]string `json:"metric"`
	Values json.RawMessage   `json:"values"`
}

// decodeAnswer reads the only series of an answer.
func decodeAnswer(r io.Reader) (*Series, places, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf(": %w", err)
	}
	var a answer
	if err := unmarshal("", data, &a); err != nil {
		return nil, nil, err
	}
	switch {
	case a.Status == "error":
		return nil, nil, fmt.Errorf(": the query failed: %s", a.Error)
	case a.Status != "success":
		return nil, nil, fmt.Errorf(": status is %q; the answer of a Prometheus range query was expected", a.Status)
	case a.Data.ResultType != "matrix":
		return nil, nil, fmt.Errorf(": data.resultType is %q, not that of a range query, \"matrix\"", a.Data.ResultType)
	}
	var all []labeled
	if err := unmarshal("data.result", a.Data.Result, &all); err != nil {
		return nil, nil, err
	}
	if len(all) != 1 {
		return nil, nil, seriesError(all)
	}
	var values []any
	if err := unmarshal("data.result[0].values", all[0].Values, &values); err != nil {
		return nil, nil, err
	}
	s, place := &Series{}, func(i int) string { return fmt.Sprintf(": data.result[0].values[%d]", i) }
	for i, value := range values {
		t, v, err := sample(value)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", place(i), err)
		}
		if err := s.add(t, v); err != nil {
			return nil, nil, fmt.Errorf("%s: %w in the value before", place(i), err)
		}
	}
	return s, place, nil
}

// sample reads a value that is like [1397088000.781, "12.5"].
func sample(value any) (t time.Time, v metrics.Milli, err error) {
	pair, _ := value.([]any)
	if len(pair) == 2 {
		seconds, isNumber := pair[0].(float64)
		text, isText := pair[1].(string)
		if milli := math.Round(seconds * 1000); isNumber && isText && math.Abs(milli) <= float64(lastMilli) {
			t = time.UnixMilli(int64(milli)).UTC()
			if v, err = load(text); err != nil {
				err = fmt.Errorf("at %s: %w", clock(t), err)
			}
			return t, v, err
		}
	}
	return t, v, errors.New(`not like [1397088000, "12.5"]`)
}

// unmarshal decodes the JSON of a field, if there is any. Errors say where it is
// not as in an answer.
func unmarshal(field string, data []byte, to any) error {
	if len(data) == 0 {
		return nil
	}
	err := json.Unmarshal(data, to)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf(": byte %d: %w", syntax.Offset, err)
	case errors.As(err, &kind):
		return fmt.Errorf(": %s: unexpected %s", strings.Trim(field+"."+kind.Field, "."), kind.Value)
	}
	return err
}

// seriesError names the first few of the series.
func seriesError(all []labeled) error {
	const most = 3
	if len(all) == 0 {
		return errors.New(": no series; the query has no result")
	}
	var names []string
	for _, l := range all[:min(len(all), most)] {
		var labels []string
		for _, name := range slices.Sorted(maps.Keys(l.Metric)) {
			labels = append(labels, fmt.Sprintf("%s=%q", name, l.Metric[name]))
		}
		names = append(names, "{"+strings.Join(labels, ", ")+"}")
	}
	if len(all) > most {
		names = append(names, "...")
	}
	return fmt.Errorf(": %d series: %s; exactly one is needed, such as that of sum(...)", len(all), strings.Join(names, ", "))
}
