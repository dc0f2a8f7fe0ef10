package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/metrics"
)

// scenes are recorded states of a cluster; see testdata/dumps/README.md.
//
//go:embed testdata/dumps/*/*.json
var scenes embed.FS

const scenesRoot = "testdata/dumps"

const sceneList = `  at-maximum            more replicas than maxReplicas are needed
  disabled-down         scaling down is disabled
  down-window           the stabilization window holds the size
  external-and-failing  one of three metrics fails
  no-request            a container has no request
  object-value          a metric of a service
  pods-metric           a custom metric of the pods
  scaled-to-zero        no work, no pods
  unready-up            some pods are not ready yet
  within-tolerance      usage is near the target
`

// input is a cluster's state and the time of the decision.
type input struct {
	cluster kubejson.Cluster
	now     time.Time
	// hpas are the files of cluster.Autoscalers, for errors.
	hpas []string
	// skipped are what a folder has that is not read, and may have been meant.
	skipped []string
}

// input reads what the options name.
func (o *options) input(stdin io.Reader, note func(error)) (*input, error) {
	in := &input{now: o.now}
	in.cluster.Namespace = o.namespace
	in.cluster.Strict = o.specOnly() // of what people write
	if o.scene != "" {
		if !slices.Contains(sceneNames(), o.scene) {
			return nil, fmt.Errorf("there is no scene %q; there are %s", o.scene, strings.Join(sceneNames(), ", "))
		}
		if err := in.addFolder(scenes, path.Join(scenesRoot, o.scene), o.scene, ""); err != nil {
			return nil, err
		}
	}
	if o.dir != "" {
		err := in.addFolder(os.DirFS(o.dir), ".", o.dir, o.history)
		if n := len(in.skipped); n > 0 {
			names := strings.Join(in.skipped[:min(n, 5)], ", ")
			if n > 5 {
				names += fmt.Sprintf(" and %d more", n-5)
			}
			note(fmt.Errorf("%s: skipped %s: -dir reads JSON files", o.dir, names))
		}
		if err != nil {
			return nil, err
		}
	}
	for _, name := range o.files {
		data, err := cli.ReadFile(context.Background(), name, stdin)
		if name == "-" {
			name = "standard input"
		}
		if err := in.add(name, data, err); err != nil {
			return nil, err
		}
	}
	return in, in.complete(o)
}

// addFolder adds the JSON files of a folder but one. Errors call the folder
// name.
func (in *input) addFolder(fsys fs.FS, folder, name, except string) error {
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil {
		return unreadable(name, err)
	}
	for _, e := range entries {
		file := filepath.Join(name, e.Name())
		kind := path.Ext(file)
		if file == filepath.Clean(except) || !slices.Contains([]string{".json", ".yaml", ".yml"}, kind) {
			continue
		}
		info, err := fs.Stat(fsys, path.Join(folder, e.Name())) // of what a link leads to
		if kind != ".json" || err == nil && !info.Mode().IsRegular() {
			in.skipped = append(in.skipped, e.Name())
			continue
		}
		data, err := fs.ReadFile(fsys, path.Join(folder, e.Name()))
		if err := in.add(file, data, err); err != nil {
			return err
		}
	}
	return nil
}

// add adds the documents that were read, with err, from a file.
func (in *input) add(name string, data []byte, err error) error {
	switch {
	case err != nil:
		return unreadable(name, err)
	case len(bytes.TrimSpace(data)) == 0:
		return fmt.Errorf("%s: empty", name)
	}
	if err := in.cluster.Add(data); err != nil {
		return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "kubejson: "))
	}
	for range in.cluster.Autoscalers[len(in.hpas):] {
		in.hpas = append(in.hpas, name)
	}
	return nil
}

// key names the autoscaler.
func (in *input) key() string {
	return in.cluster.Autoscaler.Namespace + "/" + in.cluster.Autoscaler.Name
}

// complete applies the options and checks what was read.
func (in *input) complete(o *options) error {
	c, a := &in.cluster, &in.cluster.Autoscaler
	if len(c.Autoscalers) == 0 {
		return errors.New("the input has no HorizontalPodAutoscaler; kubectl get hpa NAME -o json prints it")
	}
	if err := c.Choose(o.autoscaler); err != nil {
		hint := ""
		if o.autoscaler == "" {
			hint = "; -autoscaler NAME chooses one"
		}
		return errors.New(strings.TrimPrefix(err.Error(), "kubejson: ") + hint)
	}
	if c.Version != "" && !o.releaseGiven {
		r, err := release.Parse(c.Version)
		if err != nil {
			return fmt.Errorf("%s; -release chooses one", strings.TrimPrefix(err.Error(), "release: "))
		}
		o.settings.Release = r
	}
	file := in.hpas[slices.IndexFunc(c.Autoscalers, func(b kubejson.HorizontalPodAutoscaler) bool { return b.Name == a.Name })]
	a.Namespace = c.Namespace
	a.Spec.SetDefaults()
	if err := a.Spec.Validate().Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if o.commands {
		return nil
	}
	if c.Pods == nil && !o.specOnly() && slices.ContainsFunc(a.Spec.Metrics, readsPods) {
		return errors.New("the input has no pods; -commands prints how to get them")
	}
	if o.current != nil {
		if in.cluster.Scale != nil {
			return errors.New("give -current or a scale, not both")
		}
		a.Status.CurrentReplicas = *o.current
	}
	if in.now.IsZero() {
		in.now = in.cluster.Newest()
	}
	if in.now.IsZero() && !o.specOnly() {
		return errors.New("the input has no time; give -now")
	}
	return nil
}

// readsPods reports whether a proposal by the metric depends on the pods. A
// target AverageValue of an object's or an external metric needs the scale's
// size alone.
func readsPods(m autoscaling.MetricSpec) bool {
	r := m.Resolve()
	return r.OfPods() || r.Target.Type() == metrics.ValueTarget
}

// assumption is the assumption the decision makes about the pods, or "".
func (in *input) assumption() string {
	if in.cluster.Scale != nil || len(in.cluster.Pods) == 0 {
		return ""
	}
	return fmt.Sprintf("all pods (%d) are assumed to be the target's; give the scale to check", len(in.cluster.Pods))
}

// unreadable returns err with the file's name, once.
func unreadable(name string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// sceneNames are the names of the recorded scenes.
func sceneNames() []string {
	entries, err := scenes.ReadDir(scenesRoot)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
