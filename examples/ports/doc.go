// Package ports shows what goes wrong when the Horizontal Pod Autoscaler's
// stabilization windows and policies are written again.
//
// It has no code to import. Each file named after a mistake has a small port
// that makes it, and an example that drives the port beside a [behavior.Scaler]
// over the same proposals. The README explains the mistakes, and ends with the
// loop that replaces a port.
//
// [behavior.Scaler]: https://pkg.go.dev/github.com/purehpa/hpa/behavior#Scaler
package ports
