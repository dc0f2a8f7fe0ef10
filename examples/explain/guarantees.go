package main

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/examples/internal/cli"
)

const guaranteesUsage = `Guarantees:
  -sync DURATION    the sync period of the controller (15s)
  -startup DURATION the time until a new pod is ready and its metrics count; 0s if
                    that is before the next sync (30s)
  -o text|json      the numbers for people or for machines (text)

`

// defaultStartup is the startup of a pod if none is given, as in
// examples/simulate.
const defaultStartup = 30 * time.Second

// guaranteesOf returns what the rules of the spec guarantee.
func (o *options) guaranteesOf(in *input) ([]byte, error) {
	a := &in.cluster.Autoscaler
	g, err := guarantee.Compute(&o.settings, &a.Spec, o.sync, o.startup)
	if err != nil {
		return nil, err
	}
	name := strings.TrimPrefix(in.key(), "/") // a manifest may have no namespace
	if o.output == "json" {
		out, err := json.MarshalIndent(struct {
			Autoscaler string               `json:"autoscaler"`
			Guarantees guarantee.Guarantees `json:"guarantees"`
		}{name, g}, "", "  ")
		return append(out, '\n'), err
	}
	out := cli.Appendf(nil, "%s of %s %s\n\n", name, a.Spec.ScaleTargetRef.Kind, a.Spec.ScaleTargetRef.Name)
	return g.AppendText(out), nil
}
