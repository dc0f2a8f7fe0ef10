package podgroup

// Query says what to count.
type Query struct {
	// ReadinessSettings apply if Resource is CPU.
	ReadinessSettings
	// Resource is the resource that the samples measure, such as CPU or
	// Memory. It is "" if the metric is not of a resource.
	Resource string
	// Container is the container whose request counts; "" is the whole pod.
	Container string
	// Requests asks for the requests of Resource too. Pods without one show
	// in Tally.NoRequest.
	Requests bool
	// Options reproduce older releases, or correct Kubernetes.
	Options
	// MissingPercent is the usage assumed for a missing pod in
	// Tally.MissingShare, in percent of its request.
	MissingPercent int32
}
