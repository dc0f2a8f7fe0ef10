package conformance

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"
	"pgregory.net/rapid"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

// TestParsedSelectorProperty compares the parser of selectors, and what they
// match, with package labels.
func TestParsedSelectorProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		checkParsedSelector(rt, selectorText().Draw(rt, "text"))
	})
}

// FuzzParsedSelector parses any text.
func FuzzParsedSelector(f *testing.F) {
	for _, s := range []string{"", "app=web", "app=web,tier in (a,b),!x", "a notin (,),b!=,c", "in in (in)", "n>1,m<-2", "a,,b", "a==b c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkParsedSelector(t, s) })
}

// selectorText draws tokens, which are often in an order that is a selector.
func selectorText() *rapid.Generator[string] {
	name := rapid.SampledFrom([]string{"a", "b", "c", "in", "notin", "1", "2", "-1", "x/y", "-", "é", strings.Repeat("a", 64)})
	space := rapid.SampledFrom([]string{"", "", " ", "\t\r\n"})
	token := rapid.OneOf(name, rapid.SampledFrom([]string{"=", "==", "!=", "!", "(", ")", ",", ">", "<", "in", "notin", "x in (", "),"}))
	list := rapid.Map(rapid.SliceOfN(rapid.OneOf(name, rapid.Just("")), 0, 4), func(l []string) string { return "(" + strings.Join(l, ",") + ")" })
	requirement := rapid.Custom(func(rt *rapid.T) string {
		s := space.Draw(rt, "space")
		key, operator := name.Draw(rt, "key"), rapid.SampledFrom([]string{"=", "==", "!=", ">", "<", "in", "notin", "", "!"}).Draw(rt, "operator")
		switch operator {
		case "":
			return s + key + s
		case "!":
			return "!" + s + key
		case "in", "notin":
			return key + " " + operator + s + list.Draw(rt, "values")
		}
		return key + s + operator + s + rapid.OneOf(name, rapid.Just("")).Draw(rt, "value")
	})
	return rapid.OneOf(
		rapid.Map(rapid.SliceOfN(requirement, 0, 4), func(l []string) string { return strings.Join(l, ",") }),
		rapid.Map(rapid.SliceOfN(token, 0, 9), func(l []string) string { return strings.Join(l, "") }),
		rapid.Map(rapid.SliceOfN(token, 0, 9), func(l []string) string { return strings.Join(l, " ") }),
	)
}

// checkParsedSelector compares one text. Upstream reads a NUL byte as an end,
// or not at all.
func checkParsedSelector(t fataler, s string) {
	t.Helper()
	if strings.ContainsRune(s, 0) {
		return
	}
	theirs, theirErr := labels.Parse(s)
	ours, err := autoscaling.ParseLabelSelector(s)
	if (err == nil) != (theirErr == nil) || err != nil && err.Error() != theirErr.Error() {
		t.Fatalf("%q: %v, upstream %v", s, err, theirErr)
	}
	if err != nil {
		return
	}
	for _, set := range labelSets {
		if got, want := ours.Matches(set), theirs.Matches(set); got != want {
			t.Fatalf("%q matches %v: %t, upstream %t", s, set, got, want)
		}
	}
}

// labelSets are sets of the labels that selectorText names, with each value.
var labelSets = func() (sets []labels.Set) {
	values := []string{"absent", "", "a", "b", "in", "1", "2"}
	for i := range values {
		for j := range values {
			for k := range values {
				set := labels.Set{}
				for key, value := range map[string]string{"a": values[i], "b": values[j], "in": values[k], "1": values[j]} {
					if value != "absent" {
						set[key] = value
					}
				}
				sets = append(sets, set)
			}
		}
	}
	return sets
}()
