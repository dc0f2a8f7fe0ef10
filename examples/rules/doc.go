// Package rules shows scaling rules under test: three manifests of a team, of
// which one keeps the team's promises, one flaps, and one is too slow. See
// README.md.
package rules
