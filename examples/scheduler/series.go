package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"
)

// requests are those at a load balancer, five minutes a row. See
// testdata/README.md.
//
//go:embed testdata/elb_request_count.csv
var requests []byte

// bucket is the time that a row counts.
const bucket = 5 * time.Minute

// arrivals returns a job for each request. Those of a row are spread evenly
// over its five minutes. Each takes 10 to 50 seconds.
func arrivals() ([]job, error) {
	rows, err := csv.NewReader(bytes.NewReader(requests)).ReadAll()
	if err != nil {
		return nil, err
	}
	var jobs []job
	for i, row := range rows[1:] {
		at, err := time.Parse(time.DateTime, row[0])
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+2, err)
		}
		n, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+2, err)
		}
		for k := range int(n) {
			jobs = append(jobs, job{
				arrived: at.Add(bucket * time.Duration(k) / time.Duration(n)),
				takes:   time.Duration(10+len(jobs)*17%41) * time.Second,
			})
		}
	}
	return jobs, nil
}
