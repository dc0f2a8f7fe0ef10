//go:build kubernetes136

package conformance

import utilfeature "k8s.io/apiserver/pkg/util/feature"

// Scaling to zero is off in this release unless asked for.
var _ = func() bool {
	if err := utilfeature.DefaultMutableFeatureGate.Set("HPAScaleToZero=true"); err != nil {
		panic(err)
	}
	return true
}()

// UpstreamVersion is the release that the library is compared with.
const UpstreamVersion = "1.36.3"
