package trial

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
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

// maxAnswer is the most bytes of an answer that are read.
const maxAnswer = 256 << 20

// decodeAnswer reads a series of an answer, or the sum of all.
func (f *LoadFlags) decodeAnswer(b *bufio.Reader) (*points, error) {
	all, err := decodeMatrix(b)
	if err != nil {
		return nil, err
	}
	chosen, err := f.choose(all)
	if err != nil {
		return nil, err
	}
	sum := &points{place: func(int) string { return ": the sum" }, before: "the sum"}
	for _, i := range chosen {
		p, err := all[i].points(i)
		if err != nil || len(chosen) == 1 {
			return p, err
		}
		if p.list, err = p.order(f.Sort, f.Dedupe); err != nil {
			return nil, err
		}
		if err := sum.addAll(p.list); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

func decodeMatrix(r io.Reader) (all []labeled, err error) {
	data, err := io.ReadAll(io.LimitReader(r, maxAnswer+1))
	if err != nil {
		return nil, fmt.Errorf(": %w", err)
	}
	if len(data) > maxAnswer {
		return nil, fmt.Errorf(": longer than %d bytes", maxAnswer)
	}
	var a answer
	if err := unmarshal("", data, &a); err != nil {
		return nil, err
	}
	switch {
	case a.Status == "error":
		return nil, fmt.Errorf(": the query failed: %s", a.Error)
	case a.Status != "success":
		return nil, fmt.Errorf(": status is %q; the answer of a Prometheus range query was expected", a.Status)
	case a.Data.ResultType != "matrix":
		return nil, fmt.Errorf(": data.resultType is %q, not that of a range query, \"matrix\"", a.Data.ResultType)
	}
	return all, unmarshal("data.result", a.Data.Result, &all)
}

// sumOfSeries is the -series that adds them up.
const sumOfSeries = "sum"

// choose returns the indices of the series that -series asks for.
func (f *LoadFlags) choose(all []labeled) (chosen []int, err error) {
	labels := map[string]string{}
	if f.Series != "" && f.Series != sumOfSeries {
		for _, pair := range strings.Split(f.Series, ",") {
			name, value, ok := strings.Cut(pair, "=")
			if !ok {
				return nil, fmt.Errorf(": -series: %q is neither sum nor like job=web,code=200", f.Series)
			}
			labels[name] = strings.Trim(value, `"`)
		}
	}
	for i := range all {
		if all[i].has(labels) {
			chosen = append(chosen, i)
		}
	}
	if len(chosen) != 1 && (f.Series != sumOfSeries || len(chosen) == 0) {
		return nil, seriesError(all, chosen, f.Series)
	}
	return chosen, nil
}

func (l *labeled) has(labels map[string]string) bool {
	for name, value := range labels {
		if l.Metric[name] != value {
			return false
		}
	}
	return true
}

// points returns the values of the ith series.
func (l *labeled) points(i int) (*points, error) {
	var values []any
	if err := unmarshal(fmt.Sprintf("data.result[%d].values", i), l.Values, &values); err != nil {
		return nil, err
	}
	p := &points{place: func(at int) string { return fmt.Sprintf(": data.result[%d].values[%d]", i, at) }, before: "the value before"}
	for at, value := range values {
		t, v, there, err := sample(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.place(at), err)
		}
		if there {
			p.add(t, v, at)
		}
	}
	return p, nil
}

// addAll adds values in ascending order of time to those of the same times, as PromQL's
// sum does: a series without a value at a time adds nothing then.
func (p *points) addAll(list []point) error {
	var sum []point
	for len(p.list) > 0 || len(list) > 0 {
		switch {
		case len(list) == 0 || len(p.list) > 0 && p.list[0].Time.Before(list[0].Time):
			sum, p.list = append(sum, p.list[0]), p.list[1:]
			continue
		case len(p.list) > 0 && p.list[0].Time.Equal(list[0].Time):
			list[0].Load += p.list[0].Load
			p.list = p.list[1:]
		}
		if list[0].Load > largest*1000 {
			return fmt.Errorf(": the sum at %s is too large", clock(list[0].Time))
		}
		sum, list = append(sum, list[0]), list[1:]
	}
	p.list = sum
	return nil
}

// sample reads a value that is like [1397088000.781, "12.5"]. NaN is none.
func sample(value any) (t time.Time, v metrics.Milli, there bool, err error) {
	pair, _ := value.([]any)
	if len(pair) == 2 {
		seconds, isNumber := pair[0].(float64)
		text, isText := pair[1].(string)
		if ms := math.Round(seconds * 1000); isNumber && isText && math.Abs(ms) <= float64(lastMilli) {
			t = time.UnixMilli(int64(ms)).UTC()
			f, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return t, 0, false, fmt.Errorf("at %s: %q is not a number", clock(t), text)
			}
			if math.IsNaN(f) {
				return t, 0, false, nil
			}
			if v, err = milli(f, text); err != nil {
				return t, 0, false, fmt.Errorf("at %s: %w", clock(t), err)
			}
			return t, v, true, nil
		}
	}
	return t, v, false, errors.New(`not like [1397088000, "12.5"]`)
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

// seriesError names the first few of the series, or of those that -series chooses if
// there are any.
func seriesError(all []labeled, chosen []int, asked string) error {
	const most = 3
	if len(all) == 0 {
		return errors.New(": no series; the query has no result")
	}
	count := fmt.Sprintf("%d", len(all))
	if asked != "" {
		count = fmt.Sprintf("-series %s chooses %d of %d", asked, len(chosen), len(all))
	}
	if len(chosen) == 0 {
		for i := range all {
			chosen = append(chosen, i)
		}
	}
	var names []string
	for _, i := range chosen[:min(len(chosen), most)] {
		var labels []string
		for _, name := range slices.Sorted(maps.Keys(all[i].Metric)) {
			labels = append(labels, fmt.Sprintf("%s=%q", name, all[i].Metric[name]))
		}
		names = append(names, "{"+strings.Join(labels, ", ")+"}")
	}
	if len(chosen) > most {
		names = append(names, "...")
	}
	return fmt.Errorf(": %s series: %s; exactly one is needed, such as that of sum(...), -series sum or -series LABEL=VALUE", count, strings.Join(names, ", "))
}
