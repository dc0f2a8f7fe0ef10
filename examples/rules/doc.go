// Package rules is an example of scaling rules under test: three manifests of a
// team, of which one keeps what the team promises, one flaps, and one cannot
// follow a step of load. See README.md for how to test one's own.
package rules
