package main

import (
	"bytes"
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

	"github.com/purehpa/hpa/calculator/kubejson"
)

// scenes are recorded cluster states; testdata/dumps/README.md tells of what.
//
//go:embed testdata/dumps/*/*.json
var scenes embed.FS

const scenesRoot = "testdata/dumps"

const sceneList = `  at-maximum            the maximum is in the way
  disabled-down         the rules forbid to scale down
  down-window           the stabilization window holds the size
  external-and-failing  one of three metrics fails
  no-request            a container without a request
  object-value          a metric of a service
  pods-metric           a custom metric of the pods
  scaled-to-zero        no work, no pods
  unready-up            pods that are not ready yet
  within-tolerance      near enough to the target
`

// input is what is decided on.
type input struct {
	cluster kubejson.Cluster
	now     time.Time
}

// input reads what the options name.
func (o *options) input(stdin io.Reader) (*input, error) {
	in := &input{}
	// hpa is where errors about the autoscaler are.
	var hpa string
	var err error
	switch {
	case o.stream:
		hpa, err = "standard input", in.readStream(stdin, !o.lint)
	case o.dir != "":
		hpa, err = filepath.Join(o.dir, "hpa.json"), in.readFolder(os.DirFS(o.dir), o.dir)
	case o.scene != "":
		if !slices.Contains(sceneNames(), o.scene) {
			return nil, fmt.Errorf("there is no scene %q; there are %s", o.scene, strings.Join(sceneNames(), ", "))
		}
		var scene fs.FS
		if scene, err = fs.Sub(scenes, path.Join(scenesRoot, o.scene)); err == nil {
			hpa, err = path.Join(o.scene, "hpa.json"), in.readFolder(scene, o.scene)
		}
	default:
		hpa, err = o.files.hpa, in.readFiles(os.ReadFile, "", o.files)
	}
	if err != nil {
		return nil, err
	}
	return in, in.complete(o, hpa)
}

// complete fills in what the options say, and checks the autoscaler.
func (in *input) complete(o *options, hpa string) error {
	a := &in.cluster.Autoscaler
	switch {
	case a.Namespace == "":
		a.Namespace = o.namespace
	case o.namespace != "" && a.Namespace != o.namespace:
		return fmt.Errorf("%s: metadata.namespace: it is %q, -namespace is %q", hpa, a.Namespace, o.namespace)
	}
	a.Spec.SetDefaults()
	if err := a.Spec.Validate().Err(); err != nil {
		return fmt.Errorf("%s: %w", hpa, err)
	}
	if a.Status.CurrentReplicas < 0 {
		return fmt.Errorf("%s: status.currentReplicas: %d is negative", hpa, a.Status.CurrentReplicas)
	}
	if o.current != nil {
		if in.cluster.Scale != nil {
			return errors.New("give -current or a scale, not both")
		}
		a.Status.CurrentReplicas = *o.current
	}
	in.now = o.now
	if in.now.IsZero() {
		in.now = in.cluster.Newest()
	}
	if in.now.IsZero() && !o.lint {
		return errors.New("the input tells of no time; give -now")
	}
	return nil
}

// files are the names of the documents; "" for one that is not given.
type files struct {
	hpa, pods, scale, podMetrics string
	custom, external             []string
}

// readFiles reads each document as what its place says it is. The folder is for
// errors.
func (in *input) readFiles(read func(string) ([]byte, error), folder string, names files) error {
	c := &in.cluster
	documents := []struct {
		names  []string
		decode func([]byte) error
	}{
		{[]string{names.hpa}, func(b []byte) (err error) {
			c.Autoscaler, err = kubejson.DecodeAutoscaler(b)
			return err
		}},
		{[]string{names.pods}, func(b []byte) (err error) {
			c.Pods, err = kubejson.DecodePods(nil, b)
			return err
		}},
		{[]string{names.scale}, func(b []byte) error {
			s, err := kubejson.DecodeScale(b)
			c.Scale = &s
			return err
		}},
		{[]string{names.podMetrics}, func(b []byte) error {
			m, err := kubejson.DecodePodMetrics(b)
			c.PodMetrics = &m
			return err
		}},
		{names.custom, func(b []byte) error {
			m, err := kubejson.DecodeCustomMetrics(b)
			c.Custom = append(c.Custom, m)
			return err
		}},
		{names.external, func(b []byte) error {
			m, err := kubejson.DecodeExternalMetrics(b)
			c.External = append(c.External, m)
			return err
		}},
	}
	for _, document := range documents {
		for _, name := range document.names {
			if name == "" {
				continue
			}
			data, err := read(name)
			if folder != "" {
				name = filepath.Join(folder, name)
			}
			if err != nil {
				return unreadable(name, err)
			}
			if len(bytes.TrimSpace(data)) == 0 {
				return fmt.Errorf("%s: empty file", name)
			}
			if err := document.decode(data); err != nil {
				return inDocument(name, err)
			}
		}
	}
	return nil
}

// readFolder reads a folder laid out like the scenes; name is what errors call
// it.
func (in *input) readFolder(folder fs.FS, name string) error {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return unreadable(name, err)
	}
	list := files{hpa: "hpa.json", pods: "pods.json"}
	for _, e := range entries {
		switch base := e.Name(); {
		case base == "scale.json":
			list.scale = base
		case base == "podmetrics.json":
			list.podMetrics = base
		case path.Ext(base) != ".json":
		case strings.HasPrefix(base, "pods-"), strings.HasPrefix(base, "object-"):
			list.custom = append(list.custom, base)
		case strings.HasPrefix(base, "external-"):
			list.external = append(list.external, base)
		}
	}
	return in.readFiles(func(base string) ([]byte, error) { return fs.ReadFile(folder, base) }, name, list)
}

// readStream reads documents one after another, of which pods may have to be some.
func (in *input) readStream(stdin io.Reader, pods bool) error {
	const name = "standard input"
	data, err := io.ReadAll(stdin)
	if err != nil {
		return unreadable(name, err)
	}
	if err := in.cluster.Add(data); err != nil {
		return inDocument(name, err)
	}
	if in.cluster.Autoscaler.Name == "" {
		return fmt.Errorf("%s: no HorizontalPodAutoscaler", name)
	}
	if in.cluster.Pods == nil && pods {
		return fmt.Errorf("%s: no pods", name)
	}
	return nil
}

// unreadable says that a file cannot be read, naming it once.
func unreadable(name string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// inDocument says what is wrong in a document.
func inDocument(name string, err error) error {
	e := (*kubejson.Error)(nil)
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", name, err)
	}
	if document, _, ok := strings.Cut(e.Document, ","); ok || strings.HasPrefix(document, "document ") {
		name += ", " + document
	}
	if e.Path != "" {
		name += ": " + e.Path
	}
	return fmt.Errorf("%s: %s", name, e.Problem)
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
