package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/purehpa/hpa/calculator/kubejson"
)

// document is an autoscaler from a file.
type document struct {
	kubejson.HorizontalPodAutoscaler
	file string
}

// readOne reads the autoscaler of that namespace and name from a file, or else
// the one of that name without a namespace, or the only one.
func (t *tool) readOne(file, namespace, name string) (*document, error) {
	all, err := t.readAll([]string{file})
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, fmt.Errorf("%s: %w", file, errNone)
	case len(all) == 1:
		return &all[0], nil
	}
	for _, in := range []string{namespace, ""} {
		for i := range all {
			if all[i].Namespace == in && all[i].Name == name {
				return &all[i], nil
			}
		}
	}
	return nil, fmt.Errorf("%s: %w %s/%s", file, errNone, namespace, name)
}

// readAll reads the autoscalers of files, folders, and standard input, which is
// "-".
func (t *tool) readAll(names []string) (all []document, err error) {
	for _, name := range names {
		files := []string{name}
		if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
			if files, err = manifests(name); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			data, err := t.readFile(file)
			if err != nil {
				return nil, err
			}
			found, err := autoscalers(file, data)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

// manifests are the files below a folder that may hold some.
func manifests(folder string) (files []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)) {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

func (t *tool) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(t.In)
	}
	return os.ReadFile(name)
}

// autoscalers returns those of a stream of YAML or JSON documents, and of Lists
// in it. Documents of other kinds are left out.
func autoscalers(file string, data []byte) (all []document, err error) {
	d := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for n := 1; ; n++ {
		var u unstructured.Unstructured
		switch err := d.Decode(&u.Object); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%s: document %d: %w", file, n, err)
		case len(u.Object) == 0:
			continue
		}
		found, err := fromObject(&u)
		if err != nil {
			return nil, fmt.Errorf("%s: document %d: %w", file, n, err)
		}
		for _, a := range found {
			all = append(all, document{a, file})
		}
	}
}

// ofObject returns the autoscalers that an object is or has.
func fromObject(u *unstructured.Unstructured) (all []kubejson.HorizontalPodAutoscaler, err error) {
	if u.IsList() {
		err = u.EachListItem(func(item runtime.Object) error {
			found, err := fromObject(item.(*unstructured.Unstructured))
			all = append(all, found...)
			return err
		})
		return all, err
	}
	if u.GetKind() != "HorizontalPodAutoscaler" {
		return nil, nil
	}
	if v := u.GetAPIVersion(); v != "autoscaling/v2" {
		return nil, fmt.Errorf("%s: apiVersion %s is not read; kubectl convert, or kubectl get hpa.v2.autoscaling -o yaml, prints autoscaling/v2", u.GetName(), v)
	}
	text, err := u.MarshalJSON()
	if err != nil {
		return nil, err
	}
	a, err := kubejson.DecodeAutoscaler(text)
	a.Spec.SetDefaults()
	return []kubejson.HorizontalPodAutoscaler{a}, err
}
