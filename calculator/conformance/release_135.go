//go:build kubernetes135

package conformance

// UpstreamVersion is the release that the library is compared with.
const UpstreamVersion = "1.35.4"
