package metrics_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/purehpa/hpa/metrics"
)

func ExampleParseQuantity() {
	for _, s := range []string{"250m", "0.5", "1.5Gi", "12e6", "100u"} {
		q, err := metrics.ParseQuantity(s)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s is %s, %d milli-units\n", s, q, int64(q.Milli()))
	}
	// Output:
	// 250m is 250m, 250 milli-units
	// 0.5 is 500m, 500 milli-units
	// 1.5Gi is 1536Mi, 1610612736000 milli-units
	// 12e6 is 12e6, 12000000000 milli-units
	// 100u is 100u, 1 milli-units
}

func ExampleQuantityError() {
	_, err := metrics.ParseQuantity("5mm")
	var qe *metrics.QuantityError
	if errors.As(err, &qe) && qe.Problem == metrics.QuantitySuffixUnknown {
		fmt.Println(err)
	}
	// Output: metrics: quantity "5mm": unable to parse quantity's suffix
}

func ExampleQuantity() {
	type limits struct {
		CPU    metrics.Quantity `json:"cpu,omitzero"`
		Memory metrics.Quantity `json:"memory,omitzero"`
	}
	var l limits
	if err := json.Unmarshal([]byte(`{"memory": "1024Mi"}`), &l); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.CPU.IsSet(), l.Memory.IsSet(), l.Memory)

	l.CPU = metrics.MilliQuantity(250, metrics.DecimalSI)
	out, err := json.Marshal(l)
	fmt.Println(string(out), err)
	// Output:
	// false true 1Gi
	// {"cpu":"250m","memory":"1Gi"} <nil>
}

func ExampleQuantity_Float64() {
	q, err := metrics.ParseQuantity("0.075")
	fmt.Println(q.Float64(), err)
	// Output: 0.075 <nil>
}

func ExampleMilliQuantity() {
	m := metrics.Milli(1536 << 20 * 1000)
	fmt.Println(metrics.MilliQuantity(m, metrics.DecimalSI))
	fmt.Println(metrics.MilliQuantity(m, metrics.BinarySI))
	// Output:
	// 1610612736
	// 1536Mi
}

func ExampleAppendQuantity() {
	line := []byte("usage ")
	line = metrics.AppendQuantity(line, 1024*1000, metrics.BinarySI)
	fmt.Println(string(line))
	// Output: usage 1Ki
}

func ExampleParseMilli() {
	m, err := metrics.ParseMilli("1.5")
	fmt.Println(int64(m), m, err)
	// Output: 1500 1500m <nil>
}

func ExampleMustParseMilli() {
	target := metrics.AverageValue(metrics.MustParseMilli("1.5"))
	fmt.Println(target)
	// Output: 1500m per pod
}

func ExampleMustParseQuantity() {
	fmt.Println(metrics.MustParseQuantity("1024Mi"))
	// Output: 1Gi
}
