package engine

import (
	"encoding/json"
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/guarantee"
	"github.com/purehpa/hpa/calculator/lint"
	"github.com/purehpa/hpa/calculator/simulate"
	"github.com/purehpa/hpa/calculator/stage"
)

// Response is an answer. What was not asked for, or could not be computed, is
// left out.
type Response struct {
	Version int `json:"version"`
	// Problems are those of the request, the load and the flags.
	Problems []Problem `json:"problems,omitempty"`
	// Autoscalers are what can be said without a load, one for each of the
	// request's.
	Autoscalers []About `json:"autoscalers,omitempty"`
	// Load describes the load.
	Load *LoadInfo `json:"load,omitempty"`
	// Runs are the simulations, one for each autoscaler. There is none if
	// anything has a problem.
	Runs []Run `json:"runs,omitempty"`
	// Figures are the rows of a table that compares the runs.
	Figures []Figure `json:"figures,omitempty"`
	// Sync is the sync that was asked for.
	Sync *Sync `json:"sync,omitempty"`
	// Recording is the text of the recording.
	Recording string `json:"recording,omitempty"`
	// Commands are the commands that give the same answers.
	Commands []Command `json:"commands,omitempty"`
}

// Problem is something that cannot be used.
type Problem struct {
	// Part is "request", "load", "flags", "manifest" or "run".
	Part string `json:"part"`
	// Field is the path of a manifest's field, such as "spec.maxReplicas", or
	// the name of a flag.
	Field string `json:"field,omitempty"`
	// Message says what is wrong. It is the API server's text for a manifest.
	Message string `json:"message"`
}

// About is what can be said of an autoscaler without a load.
type About struct {
	// Name is what to call it.
	Name string `json:"name"`
	// File is what the commands call its files, before the dot; empty for a
	// Threshold.
	File string `json:"file,omitempty"`
	// Release is the release that it decides as.
	Release string `json:"release,omitempty"`
	// Problems are those of the manifest and of the autoscaler's flags.
	Problems []Problem `json:"problems,omitempty"`
	// Defaults are the fields that the API server fills in.
	Defaults []Default `json:"defaults,omitempty"`
	// Findings are settings that are probably mistakes.
	Findings []Finding `json:"findings,omitempty"`
	// Guarantees are what the rules guarantee, GuaranteesText the same in
	// sentences, and GuaranteesProblem why there are none.
	Guarantees        *guarantee.Guarantees `json:"guarantees,omitempty"`
	GuaranteesText    string                `json:"guaranteesText,omitempty"`
	GuaranteesProblem string                `json:"guaranteesProblem,omitempty"`
	// Object is the autoscaler of autoscaling/v2, with its defaults, in JSON.
	// It is there with Defaults.
	Object json.RawMessage `json:"object,omitempty"`
}

// Default is a field that the API server fills in.
type Default struct {
	// Field is its path, such as "spec.minReplicas".
	Field string `json:"field"`
	// Value is what it becomes.
	Value json.RawMessage `json:"value"`
}

// Finding is a setting that is probably a mistake.
type Finding struct {
	lint.Finding
	// Shows are the decisions of its case, a sentence each.
	Shows []string `json:"shows,omitempty"`
}

// LoadInfo describes a load.
type LoadInfo struct {
	// Start and End are its span, Step the usual time between values.
	Start       time.Time `json:"start"`
	End         time.Time `json:"end"`
	StepSeconds float64   `json:"stepSeconds"`
	// Values counts its values, Missing those that are missing and held over.
	Values  int `json:"values"`
	Missing int `json:"missing,omitempty"`
	// Highest is the highest value, Capacity the load that a pod can serve.
	Highest  float64 `json:"highest"`
	Capacity float64 `json:"capacity"`
}

// Run is the simulation of an autoscaler.
type Run struct {
	Name string `json:"name"`
	// Summary adds the syncs up.
	Summary *simulate.Summary `json:"summary,omitempty"`
	// Rows are the syncs.
	Rows *Rows `json:"rows,omitempty"`
}

// Figure is a row of the table that compares the runs: what examples/simulate
// prints, with one seed.
type Figure struct {
	// Name is the row's name, such as "load lost". It begins with spaces if it
	// belongs to the row above.
	Name string `json:"name"`
	// Values are those of the runs, Texts the same for people.
	Values []float64 `json:"values"`
	Texts  []string  `json:"texts"`
	// Changes say for each run after the first by how much it differs from the
	// first, such as "+12.5%"; "-" for not at all, "" where the first is 0.
	Changes []string `json:"changes,omitempty"`
}

// Sync says why one sync decided as it did.
type Sync struct {
	SyncOf
	Time time.Time `json:"time"`
	// Text is the decision in sentences, Stages the data that they are made of.
	Text   string        `json:"text"`
	Stages []stage.Stage `json:"stages"`
	// Until is when time alone first changes a stage; left out if it never
	// does.
	Until time.Time `json:"until,omitzero"`
	// Events are what the controller would emit.
	Events []Event `json:"events,omitempty"`
	// Status is the autoscaler's after the sync. Describe is what
	// `kubectl describe hpa` prints then, with the events so far.
	Status   autoscaling.HorizontalPodAutoscalerStatus `json:"status"`
	Describe string                                    `json:"describe"`
}

// Event is an event about the autoscaler.
type Event struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Command is a command line that gives the same answer.
type Command struct {
	// Does says what it prints.
	Does string `json:"does"`
	// Line is the command, for a POSIX shell.
	Line string `json:"line"`
	// Files are the files that it reads.
	Files []string `json:"files,omitempty"`
}
