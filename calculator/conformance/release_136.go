//go:build kubernetes136

package conformance

// UpstreamVersion is the release that the library is compared with.
const UpstreamVersion = "1.36.3"
