package engine

import "encoding/json"

// Version is the version of requests. A change that gives an old request
// another meaning gets a new one; new fields do not.
const Version = 1

// Limits of a request.
const (
	// MaxLoad is the most bytes of a load.
	MaxLoad = 64 << 20
	// MaxManifest is the most bytes of a manifest, the API server's limit for a
	// request.
	MaxManifest = 3 << 20
	// MaxSyncs is the most syncs of a run: 17 days of a sync every 15 seconds.
	MaxSyncs = 100_000
	// MaxAutoscalers is the most autoscalers of a request.
	MaxAutoscalers = 4
)

// Request is a question. Fields that are left out have their zero values.
type Request struct {
	// Version is 1.
	Version int `json:"version"`
	// Autoscalers are compared on the same load, with the same random numbers.
	Autoscalers []Autoscaler `json:"autoscalers"`
	// Load is a CSV file, or the answer of a range query to Prometheus. Without
	// one, nothing is simulated.
	Load string `json:"load,omitempty"`
	// Flags are those of the load, the pods, the metrics and the controller.
	Flags map[string]string `json:"flags,omitempty"`
	// Want is what to compute.
	Want Want `json:"want"`
}

// Autoscaler is what decides: an autoscaler of Kubernetes or a Threshold.
type Autoscaler struct {
	// Name is what to call it; empty means its metadata.name.
	Name string `json:"name,omitempty"`
	// Manifest is a HorizontalPodAutoscaler as it is applied, of
	// autoscaling/v2 or autoscaling/v1.
	Manifest json.RawMessage `json:"manifest,omitempty"`
	// Threshold is the alternative to a Manifest.
	Threshold *Threshold `json:"threshold,omitempty"`
	// Flags are those of the controller that differ from the request's, such as
	// another release. Pods and metrics are the same for all autoscalers.
	Flags map[string]string `json:"flags,omitempty"`
}

// Want is what to compute. The zero Want asks only what is wrong.
type Want struct {
	// Defaults asks for the fields that the API server fills in.
	Defaults bool `json:"defaults,omitempty"`
	// Findings asks for settings that are probably mistakes.
	Findings bool `json:"findings,omitempty"`
	// Guarantees asks what the rules guarantee, whatever the load is.
	Guarantees bool `json:"guarantees,omitempty"`
	// Summary asks for the figures of each run.
	Summary bool `json:"summary,omitempty"`
	// Rows asks for the syncs of each run.
	Rows bool `json:"rows,omitempty"`
	// Sync asks why one sync decided as it did.
	Sync *SyncOf `json:"sync,omitempty"`
	// Recording asks for the syncs of the autoscaler with this index, in the
	// format of package recording.
	Recording *int `json:"recording,omitempty"`
	// Commands asks for the commands that give the same answers.
	Commands bool `json:"commands,omitempty"`
}

// SyncOf is a sync of a run.
type SyncOf struct {
	// Autoscaler is the index of the autoscaler, Sync that of the sync, both
	// from 0.
	Autoscaler int `json:"autoscaler"`
	Sync       int `json:"sync"`
}

// Threshold is what an autoscaler is often taken for: it adds pods above one
// utilization of cpu and removes them below another, each change by a fixed
// number and not before a cooldown has passed.
type Threshold struct {
	// MinReplicas and MaxReplicas bound the size.
	MinReplicas int32 `json:"minReplicas"`
	MaxReplicas int32 `json:"maxReplicas"`
	// Above and Below are utilizations of cpu in percent, exclusive.
	Above int32 `json:"above"`
	Below int32 `json:"below"`
	// Add and Remove are numbers of pods.
	Add    int32 `json:"add"`
	Remove int32 `json:"remove"`
	// UpSeconds and DownSeconds are the seconds after any change of size in
	// which the size does not rise, or does not fall.
	UpSeconds   int32 `json:"upSeconds"`
	DownSeconds int32 `json:"downSeconds"`
}
