// Package release lists the Kubernetes releases that the library reproduces,
// and how they differ.
//
// The zero [Release] is the newest one. Others are parsed from the version
// that a cluster reports:
//
//	r, err := release.Parse("v1.32.13-eks-1234567")
//	settings.Release = r
//
// A release comes with the defaults of its feature gates. [Release.With] sets
// one that an administrator changed. In text, it follows the release:
// "1.36,HPAScaleToZero=true".
//
// # Quirks
//
// What an older release does differently is a list of named quirks
// ([Release.Quirks]). The library asks for each in one place, and each has one
// row here ([Quirk.Row]): what the release does, which release changed it,
// behind which gate, and the pull request or KEP. A decision lists the quirks
// that affected it.
//
// A release is identified by its minor version. The patch releases of one minor
// version are believed to decide alike: [Release.Patch] is the one that the
// library is compared with.
package release
