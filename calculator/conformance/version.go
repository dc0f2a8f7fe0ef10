package conformance

import (
	"reflect"
	"runtime"
	"strings"
	"sync"

	"k8s.io/kubernetes/pkg/controller/podautoscaler"

	"github.com/purehpa/hpa/calculator/release"
)

// UpstreamVersion is the release that the library is compared with, such as
// "1.37.1". It is "unknown" if Kubernetes was not built from the module cache.
//
// It comes from the path of a source file, as tests have no list of modules in
// their build information.
var UpstreamVersion = upstreamVersion()

func upstreamVersion() string {
	pc := reflect.ValueOf(podautoscaler.NewReplicaCalculator).Pointer()
	file, _ := runtime.FuncForPC(pc).FileLine(pc)
	_, rest, _ := strings.Cut(file, "k8s.io/kubernetes@v")
	version, _, found := strings.Cut(rest, "/")
	if !found {
		return "unknown"
	}
	return version
}

// Release returns upstream's release, with the gates of [SetGates].
var Release = sync.OnceValue(func() release.Release {
	r := release.MustParse(UpstreamVersion)
	for _, gate := range release.Gates() {
		on, set := gates[string(gate)]
		if !set {
			continue // others do not concern a decision
		}
		var err error
		if r, err = r.With(gate, on); err != nil {
			panic(err) // upstream took it
		}
	}
	return r
})
