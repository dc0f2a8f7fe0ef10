package kubejson

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

// Choose makes the autoscaler of that name the one to decide for; "" stands for
// the only one. On an error, which is an *Error, c is unchanged. Call it after
// the last Add.
func (c *Cluster) Choose(name string) error {
	var names []string
	for i := range c.Autoscalers {
		names = append(names, c.Autoscalers[i].Name)
	}
	i, problem := slices.Index(names, name), ""
	switch {
	case len(names) == 0:
		problem = "not found in the documents"
	case name == "" && len(names) == 1:
		i = 0
	case name == "":
		problem = fmt.Sprintf("there are %d: %s", len(names), some(names))
	case i < 0:
		problem = fmt.Sprintf("there is no %s among %s", quote(name), some(names))
	}
	if problem != "" {
		return errorAt("", "%s", problem).in(autoscalerDocument.name)
	}
	after := *c
	after.Autoscaler = c.Autoscalers[i]
	if err := after.check(); err != nil {
		return err
	}
	*c = after
	return nil
}

// check says which documents do not belong together.
func (c *Cluster) check() *Error {
	names := make([]string, len(c.Autoscalers))
	for i := range names {
		names[i] = c.Autoscalers[i].Name
	}
	slices.Sort(names)
	for i, name := range names[min(1, len(names)):] {
		if name == names[i] {
			return errorAt(".metadata.name", "%s is the name of another autoscaler, too", quote(name)).in(autoscalerDocument.name)
		}
	}
	if c.Scale == nil {
		return nil
	}
	if name, target := c.Scale.Name, c.Autoscaler.Spec.ScaleTargetRef.Name; name != target && name != "" && target != "" {
		return errorAt(".metadata.name", "%s, but the autoscaler's target is %s", quote(name), quote(target)).in(scaleDocument.name)
	}
	// Observation reports a selector that cannot be parsed.
	selector, err := autoscaling.ParseLabelSelector(c.Scale.Selector)
	if err != nil {
		return nil
	}
	var others []string
	labels := map[string]string{}
	for i := range c.Pods {
		name := c.Pods[i].Name
		if l := c.labels[name]; l != "" {
			if l.into(labels); !selector.Matches(labels) {
				others = append(others, name)
			}
		}
	}
	if len(others) == 0 {
		return nil
	}
	are := "are"
	if len(others) == 1 {
		are = "is"
	}
	return errorAt("", "%d of %d %s not selected by the scale's selector %s: %s",
		len(others), len(c.Pods), are, quote(c.Scale.Selector), some(others)).in(podDocument.name)
}

// some returns the first names, quoted.
func some(names []string) string {
	const most = 5
	var quoted []string
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, quote(name))
	}
	if more := len(names) - most; more > 0 {
		quoted = append(quoted, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(quoted, ", ")
}
