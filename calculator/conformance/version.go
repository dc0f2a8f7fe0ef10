package conformance

import (
	"reflect"
	"runtime"
	"strings"

	"k8s.io/kubernetes/pkg/controller/podautoscaler"
)

// UpstreamVersion is the release that the library is compared with, such as
// "1.37.1". It is "unknown" if Kubernetes was not built from the module cache.
//
// It comes from the path of a source file, as tests have no list of modules in their
// build information.
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
