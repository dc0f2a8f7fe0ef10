package podgroup

// Phase is a pod's status.phase.
type Phase uint8

// The phases. NoPhase means not reported. Only PhasePending and PhaseFailed
// change how a pod counts: pods of the other phases count by sample and
// readiness.
const (
	NoPhase Phase = iota
	PhasePending
	PhaseRunning
	PhaseSucceeded
	PhaseFailed
	PhaseUnknown
)

const phaseWords words = "Phase||Pending|Running|Succeeded|Failed|Unknown"

// ParsePhase returns the phase for Kubernetes' word. A word that Kubernetes
// 1.37 does not have gives PhaseUnknown.
func ParsePhase(s string) Phase { return Phase(phaseWords.parse(s, uint8(PhaseUnknown))) }

// String returns Kubernetes' word, such as "Running". For NoPhase it is empty.
func (p Phase) String() string { return phaseWords.of(uint8(p)) }

// MarshalText returns the text of String.
func (p Phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText parses the text of String. The error is a [*WordError].
func (p *Phase) UnmarshalText(text []byte) error { return phaseWords.unmarshal((*uint8)(p), text) }

// Readiness is the status of a pod's Ready condition.
type Readiness uint8

// The statuses. NoReadiness means that the pod has no Ready condition.
const (
	NoReadiness Readiness = iota
	ReadyTrue
	ReadyFalse
	ReadyUnknown
)

const readinessWords words = "Readiness||True|False|Unknown"

// ParseReadiness returns the readiness for Kubernetes' word. A word that
// Kubernetes does not have gives ReadyUnknown, which does not make a pod
// unready.
func ParseReadiness(s string) Readiness {
	return Readiness(readinessWords.parse(s, uint8(ReadyUnknown)))
}

// String returns Kubernetes' word, such as "True". For NoReadiness it is empty.
func (r Readiness) String() string { return readinessWords.of(uint8(r)) }

// MarshalText returns the text of String.
func (r Readiness) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText parses the text of String. The error is a [*WordError].
func (r *Readiness) UnmarshalText(text []byte) error {
	return readinessWords.unmarshal((*uint8)(r), text)
}
