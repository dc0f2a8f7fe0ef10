package main

import (
	"errors"
	"math"
	"strconv"
	"time"
)

// appendTo is a flag that may be repeated.
func appendTo(list *[]string) func(string) error {
	return func(s string) error {
		if s == "" {
			return errors.New("empty")
		}
		*list = append(*list, s)
		return nil
	}
}

// fraction is a flag for a number that is not negative.
func fraction(f *float64) func(string) error {
	return func(s string) error {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("not a fraction such as 0.1")
		}
		*f = v
		return nil
	}
}

// length is a flag for a duration that is not negative.
func length(d *time.Duration) func(string) error {
	return func(s string) error {
		v, err := time.ParseDuration(s)
		if err != nil || v < 0 {
			return errors.New("not a duration such as 5m or 30s")
		}
		*d = v
		return nil
	}
}

func (o *options) setCurrent(s string) error {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n < 0 {
		return errors.New("not a number of replicas")
	}
	current := int32(n)
	o.current = &current
	return nil
}

func (o *options) setNow(s string) error {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.IsZero() {
		return errors.New("not a time in RFC 3339, such as 2026-11-20T05:16:08Z")
	}
	o.now = t.UTC()
	return nil
}

func (o *options) setOutput(s string) error {
	if s != "text" && s != "json" {
		return errors.New("not text or json")
	}
	o.output = s
	return nil
}
