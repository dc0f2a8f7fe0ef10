package conformance

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Specs in JSON as people might write them, mostly wrong ones.

type obj = map[string]any

var quantityTexts = []any{"0", "1", "-1", "10", "500m", "1Gi", "1.5", "0.1", "1n", "0.0000000001", "-0.0000000001", "12e3", "100k", "1E3", "-500m", "0Ki", "1e-9", "9223372036854775807", "10E", 5, -3, 0, 1.5, "", "abc", "1 ", " 2 ", "1Zi", nil, true, "0.05", "1.001", "1024Mi", "+5", "-0", ".5", "5."}

func jsonQuantity(r Dice) any {
	if r.Roll(3) > 0 {
		return pick(r, "1", "10", "500m", "1Gi", "1.5", "250k", "0.3")
	}
	return pick(r, quantityTexts...)
}

var oddNames = []string{"", "web", ".", "..", "a/b", "a%b", "%", "/", "a.b", "A", "queue-length", "x y", "é", "a\u0000b", "a<b>&", "\u2028", "../x", "a/b%c", "a\nb", "\"q\""}

func jsonName(r Dice) string {
	if r.Roll(3) > 0 {
		return pick(r, "web", "queue", "http-requests")
	}
	return pick(r, oddNames...)
}

var oddResources = []string{"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "hugepages-", "requests.cpu", "requests.hugepages-1Gi", "limits.memory", "pods", "storage", "foo", "", "example.com/gpu", "nvidia.com/gpu", "kubernetes.io/x", "x.kubernetes.io/y", "requests.nvidia.com/gpu", "a/b/c", "/x", "x/", "-a", "a-", "A/b", "Foo", "a b", "a<b", "é", "services.nodeports", "secrets", "configmaps", "resourcequotas", "requests.storage", "requests.ephemeral-storage", "limits.cpu", "limits.ephemeral-storage", "requests.memory", "persistentvolumeclaims", "replicationcontrollers", "services", "services.loadbalancers", "-a/b", "a..b/c", "a_b/c", "requests.foo", "hugepages-é", "cpu/", "kubernetes.io/", "a.kubernetes.io/é",
	strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 253) + "/x", strings.Repeat("a", 254) + "/x", strings.Repeat("a", 245) + "/x", strings.Repeat("a", 244) + "/x", "x/" + strings.Repeat("a", 64), "hugepages-" + strings.Repeat("b", 60), "hugepages-" + strings.Repeat("b", 53)}

var oddContainers = []string{"app", "", "a.b", "A", "-a", "a-", "a_b", "é", "0", "a b", "a..b", ".a", "app\n", "a.B", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 64) + ".b", strings.Repeat("-", 64), "a--b", "sidecar"}

var jsonVersions = []any{"apps/v1", "v1", "", "/", "/v1", "apps/", "a/b/c", "//", "a//b", "x y", "é/v1", nil}

func jsonNumber(r Dice) any {
	return pick[any](r, 0, 1, -1, 2, 5, 10, 80, 100, 3600, 3601, 3599, 1800, 1801, 1799, 2147483647, -2147483648, 300, 15, nil)
}

func jsonReference(r Dice) obj {
	o := obj{}
	if r.Roll(12) > 0 {
		o["kind"] = pick(r, "Deployment", "StatefulSet", "ReplicationController", "Ingress", "Service")
	}
	if r.Roll(10) == 0 {
		o["kind"] = jsonName(r)
	}
	if r.Roll(12) > 0 {
		o["name"] = jsonName(r)
	}
	switch r.Roll(5) {
	case 0:
		o["apiVersion"] = pick(r, jsonVersions...)
	case 1:
	default:
		o["apiVersion"] = "apps/v1"
	}
	return o
}

var labelKeys = []string{"app", "tier", "", "a b", "example.com/x", "/x", "a/b/c", "Ex/x", "-a", "a_b", strings.Repeat("k", 63), strings.Repeat("k", 64), strings.Repeat("d", 254) + "/k", "é", "zone", "a&b"}
var labelValues = []string{"web", "", "a b", "-a", "a-", "1", "A_b.c", strings.Repeat("v", 63), strings.Repeat("v", 64), "é", "a/b", "<x>"}

func labelKey(r Dice) string {
	if r.Roll(3) > 0 {
		return pick(r, "app", "tier", "zone", "env")
	}
	return pick(r, labelKeys...)
}
func labelValue(r Dice) string {
	if r.Roll(3) > 0 {
		return pick(r, "web", "db", "")
	}
	return pick(r, labelValues...)
}

func jsonSelector(r Dice) obj {
	o := obj{}
	if r.Roll(3) > 0 {
		m := obj{}
		for range r.Roll(4) {
			m[labelKey(r)] = labelValue(r)
		}
		o["matchLabels"] = m
	}
	if r.Roll(2) > 0 {
		l := []any{}
		for range r.Roll(3) {
			e := obj{"key": labelKey(r), "operator": pick(r, "In", "NotIn", "Exists", "DoesNotExist", "In", "", "Gt", "in", "a\"b", "é\u0001")}
			if r.Roll(4) > 0 {
				v := []any{}
				for range r.Roll(3) {
					v = append(v, labelValue(r))
				}
				e["values"] = v
			}
			l = append(l, e)
		}
		o["matchExpressions"] = l
	}
	return o
}

func jsonIdentifier(r Dice) obj {
	o := obj{}
	if r.Roll(15) > 0 {
		o["name"] = jsonName(r)
	}
	if r.Roll(3) == 0 {
		o["selector"] = jsonSelector(r)
	}
	return o
}

func jsonTarget(r Dice, typ string) obj {
	o := obj{"type": typ}
	switch typ {
	case "Utilization":
		o["averageUtilization"] = pick[any](r, 50, 80, 100)
	case "Value":
		o["value"] = jsonQuantity(r)
	case "AverageValue":
		o["averageValue"] = jsonQuantity(r)
	}
	if r.Roll(6) == 0 {
		o["type"] = pick[any](r, "", "Utilization", "Value", "AverageValue", "Bogus", "utilization", "a<b", nil)
	}
	if r.Roll(8) == 0 {
		delete(o, pick(r, "type", "value", "averageValue", "averageUtilization"))
	}
	if r.Roll(6) == 0 {
		switch r.Roll(3) {
		case 0:
			o["value"] = jsonQuantity(r)
		case 1:
			o["averageValue"] = jsonQuantity(r)
		default:
			o["averageUtilization"] = jsonNumber(r)
		}
	}
	return o
}

func jsonMetric(r Dice) obj {
	o := obj{}
	add := func(t string) string {
		switch t {
		case "Object":
			o["object"] = obj{"describedObject": jsonReference(r), "metric": jsonIdentifier(r), "target": jsonTarget(r, pick(r, "Value", "AverageValue"))}
		case "Pods":
			o["pods"] = obj{"metric": jsonIdentifier(r), "target": jsonTarget(r, "AverageValue")}
		case "External":
			o["external"] = obj{"metric": jsonIdentifier(r), "target": jsonTarget(r, pick(r, "Value", "AverageValue"))}
		case "Resource":
			n := pick(r, "cpu", "memory")
			if r.Roll(4) == 0 {
				n = pick(r, oddResources...)
			}
			o["resource"] = obj{"name": n, "target": jsonTarget(r, pick(r, "Utilization", "AverageValue"))}
		case "ContainerResource":
			n, c := pick(r, "cpu", "memory"), "app"
			if r.Roll(2) == 0 {
				n = pick(r, oddResources...)
			}
			if r.Roll(3) == 0 {
				c = pick(r, oddContainers...)
			}
			o["containerResource"] = obj{"name": n, "container": c, "target": jsonTarget(r, pick(r, "Utilization", "AverageValue"))}
		}
		return t
	}
	all := []string{"Object", "Pods", "External", "Resource", "ContainerResource"}
	o["type"] = add(pick(r, all...))
	for r.Roll(10) == 0 {
		add(pick(r, all...))
	}
	switch r.Roll(25) {
	case 0:
		o["type"] = pick[any](r, "", "Bogus", nil, "resource", "a<b")
	case 1:
		o["type"] = pick(r, all...)
	case 2:
		delete(o, pick(r, "object", "pods", "resource", "external", "containerResource", "type"))
	}
	return o
}

func jsonRules(r Dice) any {
	o := obj{}
	if r.Roll(2) == 0 {
		o["stabilizationWindowSeconds"] = jsonNumber(r)
	}
	if r.Roll(2) == 0 {
		o["selectPolicy"] = pick[any](r, "Max", "Min", "Disabled", "Max", "Min", "Disabled", "Bogus", "max", nil, "é<")
	}
	if r.Roll(2) == 0 {
		o["tolerance"] = jsonQuantity(r)
	}
	if r.Roll(3) > 0 {
		l := []any{}
		for range r.Roll(4) {
			p := obj{"type": pick(r, "Pods", "Percent"), "value": pick[any](r, 1, 5, 100), "periodSeconds": pick[any](r, 15, 60, 1800)}
			if r.Roll(4) == 0 {
				switch r.Roll(4) {
				case 0:
					p["type"] = pick[any](r, "", "Bogus", "pods", nil)
				case 1:
					p["value"] = jsonNumber(r)
				case 2:
					p["periodSeconds"] = jsonNumber(r)
				default:
					delete(p, pick(r, "type", "value", "periodSeconds"))
				}
			}
			l = append(l, p)
		}
		o["policies"] = l
	}
	if r.Roll(20) == 0 {
		return pick[any](r, nil, obj{})
	}
	return o
}

func jsonSpec(r Dice) obj {
	o := obj{"scaleTargetRef": jsonReference(r), "maxReplicas": pick[any](r, 5, 10, 100)}
	if r.Roll(6) == 0 {
		o["maxReplicas"] = jsonNumber(r)
	}
	if r.Roll(2) == 0 {
		o["minReplicas"] = pick[any](r, 0, 1, 2, 5)
	}
	if r.Roll(6) == 0 {
		o["minReplicas"] = jsonNumber(r)
	}
	if r.Roll(8) > 0 {
		l := []any{}
		for range r.Roll(4) {
			l = append(l, jsonMetric(r))
		}
		o["metrics"] = l
	}
	if r.Roll(2) == 0 {
		b := obj{}
		if r.Roll(4) > 0 {
			b["scaleUp"] = jsonRules(r)
		}
		if r.Roll(4) > 0 {
			b["scaleDown"] = jsonRules(r)
		}
		o["behavior"] = b
	}
	return o
}

// cleanSpec returns a spec that is likely valid.
func cleanSpec(r Dice) []byte {
	o := obj{"scaleTargetRef": obj{"kind": "Deployment", "name": "web", "apiVersion": "apps/v1"}, "maxReplicas": 5 + r.Roll(100)}
	if r.Roll(2) == 0 {
		o["minReplicas"] = 1 + r.Roll(5)
	}
	var l []any
	for range r.Roll(4) {
		l = append(l, jsonMetric(r))
	}
	if l != nil {
		o["metrics"] = l
	}
	if r.Roll(2) == 0 {
		o["behavior"] = obj{"scaleUp": jsonRules(r), "scaleDown": jsonRules(r)}
	}
	b, _ := json.Marshal(o)
	return b
}

// jsonMutate changes the tree somewhere.
func jsonMutate(r Dice, v any) any {
	switch t := v.(type) {
	case obj:
		if len(t) == 0 || r.Roll(12) == 0 {
			return jsonJunk(r)
		}
		ks := slices.Sorted(maps.Keys(t))
		k := ks[r.Roll(len(ks))]
		if r.Roll(10) == 0 {
			delete(t, k)
			return t
		}
		t[k] = jsonMutate(r, t[k])
		return t
	case []any:
		if len(t) == 0 || r.Roll(8) == 0 {
			return jsonJunk(r)
		}
		i := r.Roll(len(t))
		t[i] = jsonMutate(r, t[i])
		return t
	}
	return jsonJunk(r)
}

func jsonJunk(r Dice) any {
	return pick[any](r, nil, 0, -1, 1.5, "", "x", true, []any{}, obj{}, jsonNumber(r), jsonName(r), pick(r, quantityTexts...), int64(1)<<40, "1", []any{nil}, []any{obj{}}, pick(r, oddResources...), pick(r, labelKeys...))
}

func randomSpec(r Dice) []byte {
	if r.Roll(4) == 0 {
		return cleanSpec(r)
	}
	t := jsonSpec(r)
	if r.Roll(3) == 0 {
		for range 1 + r.Roll(2) {
			jsonMutate(r, t)
		}
	}
	b, err := json.Marshal(t)
	if err != nil {
		panic(err)
	}
	return b
}
