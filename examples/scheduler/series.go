package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"
)

// Requests at a load balancer in each five minutes; testdata/README.md says
// whose.
//
//go:embed testdata/elb_request_count.csv
var requests []byte

// bucket is what a row of the series counts.
const bucket = 5 * time.Minute

// arrivals returns the jobs of the series that arrive from a moment on, up to
// another one: each request is one, they are spread evenly over their five
// minutes, and take 10 to 50 seconds.
func arrivals(from, to time.Time) ([]job, error) {
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
		if at.Before(from) || !at.Before(to) {
			continue
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
