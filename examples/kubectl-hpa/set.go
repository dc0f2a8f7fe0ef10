package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/examples/internal/cli"
	"github.com/purehpa/hpa/stabilize/codec"
)

const setUsage = `A change, PATH=VALUE, any number of times. A path of the spec is that of its JSON, such as
spec.maxReplicas, spec.behavior.scaleDown.stabilizationWindowSeconds or
spec.metrics[0].resource.target.averageUtilization; the index after the last one adds an item.
The value is JSON, or plain text if it is not JSON; null removes. The flags of kube-controller-manager
are settings.tolerance, .downscaleStabilization, .cpuInitializationPeriod,
.initialReadinessDelay and .release.`

// settingsFlags are the flags by what --set calls them.
var settingsFlags = map[string]string{
	"tolerance":               "horizontal-pod-autoscaler-tolerance",
	"downscaleStabilization":  "horizontal-pod-autoscaler-downscale-stabilization",
	"cpuInitializationPeriod": "horizontal-pod-autoscaler-cpu-initialization-period",
	"initialReadinessDelay":   "horizontal-pod-autoscaler-initial-readiness-delay",
	"release":                 "release",
}

// setAll changes a spec and settings by all texts of --set. The spec gets its
// defaults, and is one that the API server accepts.
func setAll(spec *autoscaling.HorizontalPodAutoscalerSpec, settings *calculator.Settings, texts []string) error {
	for _, text := range texts {
		if err := setOne(spec, settings, text); err != nil {
			return fmt.Errorf("--set %s", err)
		}
	}
	spec.SetDefaults()
	if err := spec.ApplyAdmission(settings.Release).Err(); err != nil {
		return fmt.Errorf("the API server refuses that: %w", err)
	}
	return nil
}

func setOne(spec *autoscaling.HorizontalPodAutoscalerSpec, settings *calculator.Settings, text string) error {
	path, value, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("%s: give PATH=VALUE", text)
	}
	var err error
	if name, ok := strings.CutPrefix(path, "settings."); ok {
		err = setFlag(settings, name, value)
	} else if inside, ok := strings.CutPrefix(path, "spec."); ok {
		err = setField(spec, inside, value)
	} else {
		err = errors.New("a path begins with spec or settings")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// setFlag sets a flag of kube-controller-manager.
func setFlag(settings *calculator.Settings, name, value string) error {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	cli.Settings(flags, settings)
	if settingsFlags[name] == "" {
		return errors.New("there is no such flag")
	}
	return flags.Set(settingsFlags[name], value)
}

// setField sets a field of the spec in its JSON.
func setField(spec *autoscaling.HorizontalPodAutoscalerSpec, path, text string) error {
	data, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	steps, err := parsePath(path)
	if err != nil {
		return err
	}
	value := parseValue(text)
	document, err := set(parseValue(string(data)), steps, value)
	if err != nil {
		return err
	}
	if data, err = json.Marshal(document); err != nil {
		return err
	}
	var changed autoscaling.HorizontalPodAutoscalerSpec
	if err := new(codec.Fields).UnmarshalStrict("spec", data, &changed); err != nil {
		if problem := (*codec.Error)(nil); errors.As(err, &problem) {
			return errors.New(problem.Problem)
		}
		return err
	}
	*spec = changed
	return nil
}

// parseValue returns the value of JSON, or the text itself if it is not JSON.
func parseValue(text string) (value any) {
	if !json.Valid([]byte(text)) {
		return text
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&value) // it is valid
	return value
}

// parsePath returns the names and indexes of a path.
func parsePath(path string) (steps []any, err error) {
	for part := range strings.SplitSeq(path, ".") {
		name, indexes, _ := strings.Cut(part, "[")
		if name == "" {
			return nil, errors.New("a name is missing in the path")
		}
		steps = append(steps, name)
		for indexes != "" {
			var text string
			var ok bool
			if text, indexes, ok = strings.Cut(indexes, "]"); !ok {
				return nil, errors.New("a bracket is not closed")
			}
			i, err := strconv.ParseUint(text, 10, 16)
			if err != nil {
				return nil, fmt.Errorf("%q is no index", text)
			}
			steps = append(steps, int(i))
			indexes = strings.TrimPrefix(indexes, "[")
		}
	}
	return steps, nil
}

// errAbsent is for a null that changes nothing, and is likely to be meant for
// another path.
var errAbsent = errors.New("it is not set anyway")

// set returns the node with the value at the steps below it.
func set(node any, steps []any, value any) (any, error) {
	if len(steps) == 0 {
		return value, nil
	}
	if i, ok := steps[0].(int); ok {
		return setItem(node, i, steps[1:], value)
	}
	fields, ok := node.(map[string]any)
	if !ok && node != nil {
		return nil, fmt.Errorf("what %q should be in is no object", steps[0])
	}
	if fields == nil {
		fields = map[string]any{}
	}
	name := steps[0].(string)
	if _, ok := fields[name]; value == nil && !ok {
		return nil, errAbsent
	}
	below, err := set(fields[name], steps[1:], value)
	if err != nil {
		return nil, err
	}
	fields[name] = below
	if below == nil {
		delete(fields, name)
	}
	return fields, nil
}

func setItem(node any, i int, steps []any, value any) (any, error) {
	items, ok := node.([]any)
	if !ok && node != nil {
		return nil, fmt.Errorf("what item %d should be in is no list", i)
	}
	if i > len(items) {
		return nil, fmt.Errorf("there is no item %d: the list has %d", i, len(items))
	}
	if i == len(items) {
		if value == nil {
			return nil, errAbsent
		}
		items = append(items, nil)
	}
	below, err := set(items[i], steps, value)
	if err != nil {
		return nil, err
	}
	if items[i] = below; below == nil {
		items = append(items[:i], items[i+1:]...)
	}
	return items, nil
}
