package kubejson_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/kubejson"
)

// decoder is one of the functions under test, with an object that it reads.
type decoder struct {
	name     string
	document string
	kind     string
	version  string
	// item is an object, without kind and version.
	item   string
	decode func([]byte) error
}

func decoders() []decoder {
	return []decoder{
		{"autoscaler", "horizontal pod autoscaler", "HorizontalPodAutoscaler", "autoscaling/v2", `"metadata":{"name":"web"}`,
			func(b []byte) error { _, err := kubejson.DecodeAutoscaler(b); return err }},
		{"scale", "scale", "Scale", "autoscaling/v1", `"spec":{"replicas":3}`,
			func(b []byte) error { _, err := kubejson.DecodeScale(b); return err }},
		{"pods", "pods", "Pod", "v1", `"metadata":{"name":"a"}`,
			func(b []byte) error { _, err := kubejson.DecodePods(nil, b); return err }},
		{"pod metrics", "pod metrics", "PodMetrics", "metrics.k8s.io/v1beta1", `"metadata":{"name":"a"}`,
			func(b []byte) error { _, err := kubejson.DecodePodMetrics(b); return err }},
		{"custom metrics", "custom metrics", "MetricValue", "custom.metrics.k8s.io/v1beta2",
			`"metric":{"name":"qps"},"describedObject":{"kind":"Pod","name":"a"},"value":"1"`,
			func(b []byte) error { _, err := kubejson.DecodeCustomMetrics(b); return err }},
		{"external metrics", "external metrics", "ExternalMetricValue", "external.metrics.k8s.io/v1beta1", `"metricName":"queue","value":"1"`,
			func(b []byte) error { _, err := kubejson.DecodeExternalMetrics(b); return err }},
	}
}

func list(version, kind string, items ...string) string {
	return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"items":[%s]}`, version, kind, strings.Join(items, ","))
}

func object(version, kind, rest string) string {
	return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,%s}`, version, kind, rest)
}

func TestAccepted(t *testing.T) {
	for _, d := range decoders() {
		t.Run(d.name, func(t *testing.T) {
			for _, doc := range []string{
				object(d.version, d.kind, d.item),
				"\n\t" + object(d.version, d.kind, d.item) + "\n\n",
				list(d.version, d.kind+"List", "{"+d.item+"}"),
				list(d.version, d.kind+"List", object(d.version, d.kind, d.item)),
				list("v1", "List", object(d.version, d.kind, d.item)),
				list("v1", "List", "{"+d.item+"}"),
				fmt.Sprintf(`{"a":[{}],"ITEMS":[{%s}],"metadata":{"items":[7]},"kind":"List","apiVersion":"v1"}`, d.item),
				object(d.version, d.kind, d.item+`,"unknown":[{}],"another":null`),
			} {
				require.NoError(t, d.decode([]byte(doc)), doc)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for _, d := range decoders() {
		good := object(d.version, d.kind, d.item)
		kinds := fmt.Sprintf("%s, %sList or List", d.kind, d.kind)
		tests := []struct {
			name, doc, path, problem string
		}{
			{"nothing", "", "", "empty"},
			{"space", " \n\t ", "", "empty"},
			{"YAML", "apiVersion: v1\nkind: List\n", "", `not JSON, at line 1, column 1: it begins with "apiVersion: v1"`},
			{"an error of kubectl", "\r\nError from server (NotFound): horizontalpodautoscalers.autoscaling \"web\" not found\r\n", "",
				`not JSON, at line 2, column 1: it begins with "Error from server (NotFound): horizontal"...`},
			{"truncated", good[:len(good)-1], "", "cut short: the JSON value does not end"},
			{"truncated early", good[:9], "", "cut short: the JSON value does not end"},
			{"garbage after it", good + "\n x", "", "more after the end of the JSON value, at line 1, column " + fmt.Sprint(len(good)+1)},
			{"another after it", good + good, "", "more after the end of the JSON value, at line 1, column " + fmt.Sprint(len(good)+1)},
			{"a list of JSON", "[" + good + "]", "", "found a list where an object was expected"},
			{"a number", "12", "", "found 12 where an object was expected"},
			{"a string", `"x"`, "", `found "x" where an object was expected`},
			{"a truth", `true`, "", `found true where an object was expected`},
			{"null", "null", "kind", "missing; " + kinds + " was expected"},
			{"no kind", fmt.Sprintf(`{"apiVersion":%q,%s}`, d.version, d.item), "kind", "missing; " + kinds + " was expected"},
			{"no version", fmt.Sprintf(`{"kind":%q,%s}`, d.kind, d.item), "apiVersion", "missing; "},
			{"kind of another type", `{"kind":{}}`, "kind", "found an object where a string was expected"},
			{"wrong kind", object("v1", "Service", d.item), "kind", `wrong kind "Service"; ` + kinds + " was expected"},
			{"wrong list kind", list("v1", "ServiceList"), "kind", `wrong kind "ServiceList"; `},
			{"long wrong kind", object("v1", strings.Repeat("Service", 100), d.item), "kind", `wrong kind "ServiceServiceServiceServiceServiceServi"...; `},
			{"wrong version", object(d.version+"alpha9", d.kind, d.item), "apiVersion", fmt.Sprintf("wrong version %q", short(d.version+"alpha9"))},
			{"wrong version of a list", list("v2", d.kind+"List"), "apiVersion", `wrong version "v2"; `},
			{"wrong version of a List", list("v2", "List"), "apiVersion", `wrong version "v2"; v1 is supported`},
			{"items of another type", fmt.Sprintf(`{"apiVersion":%q,"kind":"%sList","items":"x"}`, d.version, d.kind), "items", `found "x" where a list was expected`},
			{"an item of another type", list("v1", "List", good, "7"), "items[1]", `found 7 where an object was expected`},
			{"wrong kind of an item", list("v1", "List", good, object("v1", "Service", d.item)), "items[1].kind", `wrong kind "Service"; ` + d.kind + " was expected"},
			{"wrong version of an item", list("v1", "List", good, object("v9", d.kind, d.item)), "items[1].apiVersion", `wrong version "v9"; `},
			{"wrong type in an item", list(d.version, d.kind+"List", "{"+d.item+"}", `{"metadata":[],"metricName":[]}`), "items[1].met", `found a list where `},
			{"wrong type under a key of another case", object(d.version, d.kind, `"METADATA":[],"METRICNAME":[]`), "MET", "found a list where"},
			{"wrong type hidden by a second key", `{"kind":3,"kind":"X"}`, "kind", "found 3 where a string was expected"},
			{"depth", strings.Repeat("[", 20000), "", "not JSON, at line 1, column 10001: "},
		}
		for _, tt := range tests {
			t.Run(d.name+"/"+tt.name, func(t *testing.T) {
				err := d.decode([]byte(tt.doc))
				requireError(t, err)
				var e *kubejson.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, d.document, e.Document)
				require.True(t, strings.HasPrefix(e.Path, tt.path) && (tt.path != "" || e.Path == ""), "path %q", e.Path)
				require.Contains(t, e.Problem, tt.problem)
			})
		}
	}
}

func short(s string) string {
	if len(s) > 40 {
		return s[:40]
	}
	return s
}

// requireError requires one bounded line that names its package.
func requireError(t *testing.T, err error) {
	t.Helper()
	require.Error(t, err)
	var e *kubejson.Error
	require.True(t, errors.As(err, &e), "%T", err)
	text := err.Error()
	require.True(t, strings.HasPrefix(text, "kubejson: "+e.Document+": "), text)
	require.Less(t, len(text), 500)
	require.NotEmpty(t, e.Problem)
	require.Equal(t, -1, strings.IndexFunc(text, unicode.IsControl), text)
}

func TestErrorText(t *testing.T) {
	require.EqualError(t, &kubejson.Error{Document: "pods", Problem: "empty"}, "kubejson: pods: empty")
	require.EqualError(t, &kubejson.Error{Document: "pods", Path: "items[3].kind", Problem: "missing"}, "kubejson: pods: items[3].kind: missing")
}
