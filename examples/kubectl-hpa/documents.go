package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/examples/internal/cli"
)

// document is an autoscaler from a file.
type document struct {
	kubejson.HorizontalPodAutoscaler
	file string
}

// problem is a document that cannot be used. Others can.
type problem struct {
	File string `json:"file,omitempty"`
	// Document is its number in the file, from 1; 0 means the whole file.
	Document   int    `json:"document,omitempty"`
	Autoscaler string `json:"autoscaler,omitempty"`
	Problem    string `json:"problem"`
}

func (p *problem) Error() string {
	var parts []string
	if p.File != "" {
		parts = append(parts, p.File)
	}
	if p.Document > 0 {
		parts = append(parts, fmt.Sprintf("document %d", p.Document))
	}
	if p.Autoscaler != "" {
		parts = append(parts, p.Autoscaler)
	}
	return strings.Join(append(parts, p.Problem), ": ")
}

// readOne reads the autoscaler of that namespace and name from a file, or else
// the one of that name without a namespace, or the only one.
func (t *tool) readOne(ctx context.Context, file, namespace, name string) (*document, error) {
	all, problems, err := t.readAll(ctx, []string{file})
	switch {
	case err != nil:
		return nil, err
	case len(all) == 1 && len(problems) == 0:
		return &all[0], nil
	}
	for _, in := range []string{namespace, ""} {
		for i := range all {
			if all[i].Namespace == in && all[i].Name == name {
				return &all[i], nil
			}
		}
	}
	switch {
	case len(problems) > 0:
		return nil, &problems[0]
	case len(all) == 0:
		return nil, fmt.Errorf("%s: %w", file, errNone)
	}
	return nil, fmt.Errorf("%s: %w %s/%s", file, errNone, namespace, name)
}

// readAll reads the autoscalers of files, folders, and standard input, which is
// "-". The error is that of the context.
func (t *tool) readAll(ctx context.Context, names []string) (all []document, problems []problem, err error) {
	for _, name := range names {
		files := []string{name}
		if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
			var unread []problem
			files, unread = manifests(name)
			problems = append(problems, unread...)
		}
		for _, file := range files {
			data, err := cli.ReadFile(ctx, file, t.In)
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			if err != nil {
				problems = append(problems, problem{File: file, Problem: err.Error()})
				continue
			}
			r := reader{file: file}
			r.read(data)
			all, problems = append(all, r.all...), append(problems, r.problems...)
		}
	}
	return all, problems, nil
}

// manifests are the files below a folder that may hold some.
func manifests(folder string) (files []string, problems []problem) {
	report := func(file, text string) { problems = append(problems, problem{File: file, Problem: text}) }
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (d.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path))) {
			return nil
		}
		info, missing := os.Stat(path) // of what a link leads to
		switch err := cmp.Or(err, missing); {
		case err != nil:
			report(path, err.Error())
		case !info.Mode().IsRegular():
			report(path, "not a regular file")
		default:
			files = append(files, path)
		}
		return nil
	})
	return files, problems
}

// reader reads the documents of a file.
type reader struct {
	file     string
	n        int // documents so far
	all      []document
	problems []problem
}

// read reads a stream of YAML or JSON documents, and of Lists in it. Documents
// of other kinds are left out.
func (r *reader) read(data []byte) {
	for in := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data))); ; {
		part, err := in.Read()
		if err != nil {
			return // it is io.EOF
		}
		documents, isJSON := jsonDocuments(part)
		if !isJSON {
			text, err := yaml.YAMLToJSON(part)
			if err != nil {
				r.n++
				r.refuse("", err, part)
				continue
			}
			documents = []json.RawMessage{text}
		}
		for _, text := range documents {
			r.n++
			before := len(r.all)
			r.add(text, header{})
			if isJSON || len(r.all) == before {
				continue
			}
			if _, err := yaml.YAMLToJSONStrict(part); err != nil { // a key is there twice
				r.refuse(key(&r.all[before].HorizontalPodAutoscaler), err, part)
				r.all = r.all[:before]
			}
		}
	}
}

// jsonDocuments returns the documents of a stream of JSON, if it is one.
func jsonDocuments(data []byte) (all []json.RawMessage, ok bool) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '{' {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for d.More() {
		var text json.RawMessage
		if d.Decode(&text) != nil {
			return nil, false
		}
		all = append(all, text)
	}
	return all, true
}

func (r *reader) refuse(autoscaler string, err error, text []byte) {
	what := strings.TrimPrefix(err.Error(), "kubejson: horizontal pod autoscaler: ")
	if bytes.Contains(text, []byte("{{")) {
		what += "; this may be a template of Helm: helm template . | kubectl hpa lint -f - reads what it renders"
	}
	r.problems = append(r.problems, problem{r.file, r.n, autoscaler, what})
}

// header is the kind of an object.
type header struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// add adds the autoscalers that an object is or has. Items of their List may
// leave out the kind.
func (r *reader) add(text json.RawMessage, list header) {
	var o struct {
		header
		Metadata struct {
			Namespace string `json:"namespace"`
			Name      string `json:"name"`
		} `json:"metadata"`
		Items []json.RawMessage `json:"items"`
	}
	const ours = "HorizontalPodAutoscaler"
	err := json.Unmarshal(text, &o)
	kind := cmp.Or(o.Kind, strings.TrimSuffix(list.Kind, "List"))
	switch {
	case err != nil && kind != ours:
	case strings.HasSuffix(o.Kind, "List"):
		for _, item := range o.Items {
			r.add(item, o.header)
		}
	case kind == ours:
		if o.Kind == "" {
			text = fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,"items":[%s]}`, list.APIVersion, list.Kind, text)
		}
		a, err := kubejson.DecodeManifest(text)
		if err != nil {
			r.refuse(strings.TrimPrefix(o.Metadata.Namespace+"/"+o.Metadata.Name, "/"), err, text)
			return
		}
		a.Spec.SetDefaults()
		r.all = append(r.all, document{a, r.file})
	}
}
