package conformance

import (
	"runtime/debug"
	"strings"
)

// UpstreamVersion is the release that the library is compared with, such as
// "1.37.1".
var UpstreamVersion = upstreamVersion()

func upstreamVersion() string {
	info, _ := debug.ReadBuildInfo()
	if info != nil {
		for _, m := range info.Deps {
			if m.Path == "k8s.io/kubernetes" {
				if m.Replace != nil {
					m = m.Replace
				}
				return strings.TrimPrefix(m.Version, "v")
			}
		}
	}
	return "of an unknown version"
}
