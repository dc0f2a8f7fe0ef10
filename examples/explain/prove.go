package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/examples/internal/proof"
)

// proofOf returns what the rules of the spec do under every load, and the exit
// status.
func (o *options) proofOf(in *input) (out []byte, status int, err error) {
	a := &in.cluster.Autoscaler
	o.proof.Sync, o.proof.Startup = o.sync, o.startup
	p, err := o.proof.Prove(context.Background(), o.settings, a)
	switch {
	case errors.As(err, new(*fs.PathError)):
		return nil, cli.NotWritten, err
	case err != nil:
		return nil, cli.BadInput, err
	}
	name := strings.TrimPrefix(in.key(), "/") // a manifest may have no namespace
	if o.output == "json" {
		out, err := json.MarshalIndent(struct {
			Autoscaler string       `json:"autoscaler"`
			Proof      *proof.Proof `json:"proof"`
		}{name, p}, "", "  ")
		return append(out, '\n'), p.Status(), err
	}
	out = cli.Appendf(nil, "%s of %s %s\n\n", name, a.Spec.ScaleTargetRef.Kind, a.Spec.ScaleTargetRef.Name)
	return p.AppendText(out), p.Status(), nil
}
