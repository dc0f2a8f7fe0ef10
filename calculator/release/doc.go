// Package release names the Kubernetes releases that the library decides as, and
// how they differ.
//
// The zero [Release] is the newest one. Others are parsed from what a cluster
// says of itself:
//
//	r, err := release.Parse("v1.32.13-eks-1234567")
//	settings.Release = r
//
// A release comes with the defaults of its feature gates. [Release.With] sets one
// that an administrator changed. In text, it follows the release:
// "1.36,HPAScaleToZero=true".
//
// # Differences
//
// What an older release does otherwise is a list of named differences
// ([Release.Differences]). Each has one place in the library that asks for it, and
// one row here ([Difference.Row]): what the release does, since which release that
// is past, behind which gate, and the pull request or KEP that changed it. A
// decision says which of them mattered to it.
//
// Releases are known by their minor version. Patch releases of one minor version
// decide alike, as far as is known: [Release.Patch] is the one that the library is
// compared with.
package release
