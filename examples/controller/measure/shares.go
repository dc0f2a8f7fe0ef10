package main

import (
	"strings"

	"github.com/google/pprof/profile"
)

// A class is what a controller spends CPU time on.
type class string

const (
	decision  class = "decision"
	loop      class = "controller's own"
	encoding  class = "decoding and encoding"
	transport class = "requests"
	informers class = "informers and queue"
	scheduler class = "GC and scheduler"
	other     class = "other"
)

// classes are in the order of the table.
var classes = []class{decision, loop, encoding, transport, informers, scheduler, other}

// packages are the classes of packages, and of all below them. The first one that
// matches counts.
var packages = []struct {
	path  string
	class class
}{
	{"main", loop},
	{"github.com/purehpa/hpa/examples", loop},
	{"github.com/purehpa/hpa", decision},
	{"k8s.io/kubernetes/pkg/controller/podautoscaler", decision},

	{"encoding/json", encoding},
	{"google.golang.org/protobuf", encoding},
	{"github.com/json-iterator/go", encoding},
	{"sigs.k8s.io/json", encoding},
	{"k8s.io/api", encoding}, // its types decode themselves
	{"k8s.io/metrics/pkg/apis", encoding},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", encoding},
	{"k8s.io/apimachinery/pkg/runtime", encoding},

	{"net", transport},
	{"crypto", transport},
	{"golang.org/x/net", transport},
	{"k8s.io/client-go/rest", transport},
	{"k8s.io/client-go/transport", transport},

	{"k8s.io/client-go/tools/cache", informers},
	{"k8s.io/client-go/util/workqueue", informers},
	{"sigs.k8s.io/controller-runtime", informers},
}

// shares returns the share of the samples of a CPU profile that each class has.
func shares(text []byte) (map[class]float64, error) {
	p, err := profile.ParseData(text)
	if err != nil {
		return nil, err
	}
	all := map[class]float64{}
	var sum float64
	for _, s := range p.Sample {
		n := float64(s.Value[0])
		all[classify(stack(s))] += n
		sum += n
	}
	for c := range all {
		all[c] /= sum
	}
	return all, nil
}

// stack returns the functions of a sample, the innermost first.
func stack(s *profile.Sample) (functions []string) {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function != nil {
				functions = append(functions, line.Function.Name)
			}
		}
	}
	return functions
}

// classify returns the class of the innermost function that has one. What only
// helps, such as an allocation or a copy, so belongs to its caller. Stacks that
// are the runtime's throughout are the garbage collector's workers and the
// scheduler.
func classify(functions []string) class {
	found := scheduler
	for _, f := range functions {
		if strings.Contains(f, "DeepCopy") {
			continue
		}
		path := packageOf(f)
		for _, p := range packages {
			if path == p.path || strings.HasPrefix(path, p.path+"/") {
				return p.class
			}
		}
		if path != "runtime" && !strings.HasPrefix(path, "internal/runtime/") {
			found = other
		}
	}
	return found
}

// packageOf returns the package of a function as profiles name it, such as
// gopkg.in/inf%2ev0.(*Dec).Cmp.
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments have paths, too
	function, _, _ = strings.Cut(function, "(")
	slash := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + strings.ReplaceAll(name, "%2e", ".")
}
