package conformance

import (
	"maps"
	"sync"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	_ "k8s.io/kubernetes/pkg/features" // registers the gates
)

// gates are those that differ from the release's defaults.
var gates map[string]bool

// SetGates sets upstream's feature gates, as in kube-controller-manager's flag:
// "HPAScaleToZero=true,PodLevelResources=false". They are those of the whole
// process; set them before the first history. The error is that of the flag,
// such as an unknown gate or one that is locked.
func SetGates(list string) error {
	if list == "" {
		return nil
	}
	before := enabledGates()
	if err := utilfeature.DefaultMutableFeatureGate.Set(list); err != nil {
		return err
	}
	gates = enabledGates()
	maps.DeleteFunc(gates, func(name string, on bool) bool { return before[name] == on })
	return nil
}

// enabledGates returns all gates of the release.
func enabledGates() map[string]bool {
	all := map[string]bool{}
	for name := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		all[string(name)] = utilfeature.DefaultFeatureGate.Enabled(name)
	}
	return all
}

// hasContainers reports whether the release computes ContainerResource metrics.
// The gate is gone once they cannot be turned off.
var hasContainers = sync.OnceValue(func() bool {
	on, known := enabledGates()["HPAContainerMetrics"]
	return on || !known
})
