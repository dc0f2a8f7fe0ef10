package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/kubejson"
	"github.com/purehpa/hpa/calculator/release"
)

//go:embed hpa/default.json
var defaultHPA []byte

// hpa is an autoscaler as read.
type hpa struct {
	name string
	spec autoscaling.HorizontalPodAutoscalerSpec
}

// readHPAs reads the files, or the default without files.
func readHPAs(files []string) ([]hpa, error) {
	if len(files) == 0 {
		h, err := decodeHPA("default", defaultHPA)
		return []hpa{h}, err
	}
	var all []hpa
	seen := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if seen[name] {
			name = file
		}
		if seen[name] {
			return nil, fmt.Errorf("-hpa %s is given twice", file)
		}
		seen[name] = true
		h, err := decodeHPA(name, data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, h)
	}
	return all, nil
}

func decodeHPA(name string, data []byte) (hpa, error) {
	a, err := kubejson.DecodeAutoscaler(data)
	return hpa{name, a.Spec}, err
}

// rules returns the spec as the release admits it.
func (h *hpa) rules(r release.Release) (*autoscaling.HorizontalPodAutoscalerSpec, error) {
	spec := h.spec.Clone()
	if err := spec.ApplyAdmission(r).Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", h.name, err)
	}
	return spec, nil
}

// with returns the autoscaler with the field of its spec set to the value.
func (h *hpa) with(field, value string) (hpa, error) {
	text, err := json.Marshal(&h.spec)
	if err != nil {
		return hpa{}, err
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return hpa{}, err
	}
	var leaf any
	if err := json.Unmarshal([]byte(value), &leaf); err != nil {
		leaf = value // a word such as Min
	}
	steps := fieldSteps(field)
	if tree, err = set(tree, steps, leaf); err != nil {
		return hpa{}, fmt.Errorf("%s: %w", field, err)
	}
	if text, err = json.Marshal(tree); err != nil {
		return hpa{}, err
	}
	changed := hpa{name: h.name}
	if err := json.Unmarshal(text, &changed.spec); err != nil {
		return hpa{}, fmt.Errorf("%s=%s: %w", field, value, err)
	}
	// By now, a field that the spec does not have is gone.
	if text, err = json.Marshal(&changed.spec); err != nil {
		return hpa{}, err
	}
	if err := json.Unmarshal(text, &tree); err != nil {
		return hpa{}, err
	}
	if !has(tree, steps) {
		return hpa{}, fmt.Errorf("%s: the spec of a HorizontalPodAutoscaler has no such field", field)
	}
	return changed, nil
}

// fieldSteps splits a path into names of fields and numbers of list items.
func fieldSteps(field string) []string {
	field = strings.TrimPrefix(field, "spec.")
	if strings.HasPrefix(field, "scaleUp.") || strings.HasPrefix(field, "scaleDown.") {
		field = "behavior." + field
	}
	return strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' })
}

func set(tree any, steps []string, leaf any) (any, error) {
	if len(steps) == 0 {
		return leaf, nil
	}
	switch node := tree.(type) {
	case nil:
		child, err := set(nil, steps[1:], leaf)
		return map[string]any{steps[0]: child}, err
	case map[string]any:
		child, err := set(node[steps[0]], steps[1:], leaf)
		node[steps[0]] = child
		return node, err
	case []any:
		i, err := strconv.Atoi(steps[0])
		if err != nil || i < 0 || i >= len(node) {
			return nil, fmt.Errorf("there is no item %s of %d", steps[0], len(node))
		}
		node[i], err = set(node[i], steps[1:], leaf)
		return node, err
	}
	return nil, errors.New("the spec of a HorizontalPodAutoscaler has no such field")
}

func has(tree any, steps []string) bool {
	for _, step := range steps {
		switch node := tree.(type) {
		case map[string]any:
			child, ok := node[step]
			if !ok {
				return false
			}
			tree = child
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node) {
				return false
			}
			tree = node[i]
		default:
			return false
		}
	}
	return true
}
