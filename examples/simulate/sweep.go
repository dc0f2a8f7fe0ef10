package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/trial"
)

// sweep is a parameter to vary.
type sweep struct {
	name   string
	values []string
}

func (o *options) addSweep(s string) error {
	name, list, ok := strings.Cut(s, "=")
	if !ok || name == "" || list == "" {
		return errors.New("not like startup=30s,1m,2m")
	}
	values := strings.Split(list, ",")
	for i, v := range values {
		if v == "" {
			return errors.New("empty value")
		}
		if slices.Contains(values[:i], v) {
			return fmt.Errorf("%s is given twice", v)
		}
	}
	for _, other := range o.sweeps {
		if other.name == name {
			return fmt.Errorf("%s is swept already", name)
		}
	}
	o.sweeps = append(o.sweeps, sweep{name, values})
	return nil
}

// setting is one value for each of the sweeps.
type setting []string

// maxRuns bounds the runs of a sweep.
const maxRuns = 10_000

// settings returns all combinations, the last sweep varying fastest.
func settings(sweeps []sweep) ([]setting, error) {
	all := []setting{nil}
	for _, s := range sweeps {
		var next []setting
		for _, before := range all {
			for _, v := range s.values {
				next = append(next, append(slices.Clone(before), v))
			}
		}
		if all = next; len(all) > maxRuns {
			return nil, fmt.Errorf("the sweeps need more than %d runs", maxRuns)
		}
	}
	return all, nil
}

// apply sets the values in the world or the autoscaler.
func (s setting) apply(sweeps []sweep, w trial.World, h hpa) (trial.World, hpa, error) {
	for i, value := range s {
		name := sweeps[i].name
		f := cli.NewFlagSet("simulate")
		w.Define(f)
		if f.Lookup(name) != nil {
			if err := f.Set(name, value); err != nil {
				return w, h, fmt.Errorf("-sweep %s=%s: %w", name, value, err)
			}
			continue
		}
		if !strings.ContainsAny(name, ".[") && name != "minReplicas" && name != "maxReplicas" {
			return w, h, fmt.Errorf("-sweep %s: neither a flag that can vary nor a field of the spec", name)
		}
		var err error
		if h, err = h.with(name, value); err != nil {
			return w, h, fmt.Errorf("-sweep %w", err)
		}
	}
	return w, h, nil
}

// label is the setting for people.
func (s setting) label(sweeps []sweep) string {
	var parts []string
	for i, v := range s {
		parts = append(parts, sweeps[i].short()+"="+v)
	}
	return strings.Join(parts, " ")
}

// short is the last part of the name.
func (s sweep) short() string {
	return s.name[strings.LastIndexAny(s.name, ".]")+1:]
}
