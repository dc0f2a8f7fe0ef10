package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/podgroup"
	"github.com/purehpa/hpa/stabilize/codec"
)

// Header is what a recording is of. An autoscaler whose spec changes needs
// another recording.
type Header struct {
	// Namespace and Name are those of the autoscaler.
	Namespace, Name string
	// Generation is the metadata.generation of the spec; 0 means not known.
	Generation int64
	// Spec is the autoscaler's. It must be valid and have its defaults, or
	// nothing can be decided on.
	Spec *autoscaling.HorizontalPodAutoscalerSpec
	// Settings are the release and the flags of the controller; nil means
	// Kubernetes' defaults.
	Settings *calculator.Settings
	// Status is the autoscaler's before the first sync.
	Status autoscaling.HorizontalPodAutoscalerStatus
	// State is what the controller remembers before the first sync. It is nil
	// if nobody knows: no API shows it. That of an autoscaler that was never
	// synced is new(calculator.State).
	State *calculator.State
}

// Autoscaler returns the autoscaler as it was recorded, for replay.Run. It
// shares no memory with the header, and its settings are not nil. Its state is
// that of the header, or, if that is not known, calculator.StateFromStatus of
// the status: as after a restart of the controller.
func (h Header) Autoscaler() calculator.Autoscaler {
	settings, state := calculator.DefaultSettings(), calculator.StateFromStatus(&h.Status)
	if h.Settings != nil {
		settings = *h.Settings
	}
	if h.State != nil {
		state = h.State.Clone()
	}
	return calculator.Autoscaler{Settings: &settings, Spec: h.Spec.Clone(), State: state}
}

// version is that of the format.
const version = 1

// headerJSON is a Header in JSON.
type headerJSON struct {
	Recording  int                                       `json:"recording"`
	Namespace  string                                    `json:"namespace,omitempty"`
	Name       string                                    `json:"name,omitempty"`
	Generation int64                                     `json:"generation,omitempty"`
	Spec       *autoscaling.HorizontalPodAutoscalerSpec  `json:"spec"`
	Settings   *settingsJSON                             `json:"settings,omitempty"`
	Status     autoscaling.HorizontalPodAutoscalerStatus `json:"status,omitzero"`
	State      *calculator.State                         `json:"state,omitempty"`
}

// List implements codec.Lister.
func (j *headerJSON) List(path string, n int) {
	switch path {
	case "spec.metrics":
		j.Spec = &autoscaling.HorizontalPodAutoscalerSpec{Metrics: make([]autoscaling.MetricSpec, 0, n)}
	case "status.currentMetrics":
		j.Status.CurrentMetrics = make([]autoscaling.MetricStatus, 0, n)
	case "status.conditions":
		j.Status.Conditions = make([]autoscaling.HorizontalPodAutoscalerCondition, 0, n)
	}
}

// marshal writes the header as a line.
func (h *Header) marshal(to *bytes.Buffer) (err error) {
	switch s := h.Settings; {
	case h.Spec == nil:
		return field.Required("header.spec", "")
	case s != nil && !finite(s.Tolerance):
		return field.Invalid("header.settings.tolerance", s.Tolerance, "must be a number")
	case h.Status.CurrentReplicas < 0:
		return field.Invalid("header.status.currentReplicas", h.Status.CurrentReplicas, "must not be negative")
	case h.Status.DesiredReplicas < 0:
		return field.Invalid("header.status.desiredReplicas", h.Status.DesiredReplicas, "must not be negative")
	}
	check := func(path string, t time.Time) {
		if year := t.UTC().Year(); year < 0 || year > 9999 {
			err = field.Invalid("header.status."+path, t.UTC().Format(time.RFC3339Nano), "must be in the years 0 to 9999")
		}
	}
	check("lastScaleTime", h.Status.LastScaleTime)
	for i, c := range h.Status.Conditions {
		check(fmt.Sprintf("conditions[%d].lastTransitionTime", i), c.LastTransitionTime)
	}
	if err != nil {
		return err
	}
	err = marshal(to, headerLine, headerJSON{
		Recording: version, Namespace: h.Namespace, Name: h.Name, Generation: h.Generation,
		Spec: h.Spec, Settings: settingsOf(h.Settings), Status: h.Status, State: h.State,
	})
	if e := (*field.Error)(nil); errors.As(err, &e) && strings.HasPrefix(e.Field, "state.") {
		e.Field = "header." + e.Field
		return e
	}
	return err
}

// unmarshalHeader reads what marshal writes.
func unmarshalHeader(data []byte) (h Header, err error) {
	// The version says what the rest may be.
	var v struct {
		Recording *json.Number `json:"recording"`
	}
	switch err := json.Unmarshal(data, &v); {
	case err == nil && v.Recording == nil:
		return h, codec.JSONError(headerLine, "recording", "missing: not a recording")
	case err == nil && *v.Recording != "1":
		return h, codec.JSONError(headerLine, "recording", "unknown version %.40s", *v.Recording)
	}
	var j headerJSON
	if err := new(codec.Fields).UnmarshalStrict(headerLine, data, &j); err != nil {
		return h, err
	}
	if j.Spec == nil {
		return h, codec.JSONError(headerLine, "spec", "missing")
	}
	switch s := &j.Status; {
	case s.CurrentReplicas < 0:
		return h, codec.JSONError(headerLine, "status.currentReplicas", "%d is negative", s.CurrentReplicas)
	case s.DesiredReplicas < 0:
		return h, codec.JSONError(headerLine, "status.desiredReplicas", "%d is negative", s.DesiredReplicas)
	}
	return Header{
		Namespace: j.Namespace, Name: j.Name, Generation: j.Generation,
		Spec: j.Spec, Settings: j.Settings.settings(), Status: j.Status, State: j.State,
	}, nil
}

// settingsJSON is a calculator.Settings in JSON.
type settingsJSON struct {
	Release                 release.Release      `json:"release"`
	Tolerance               float64              `json:"tolerance"`
	DownscaleStabilization  duration             `json:"downscaleStabilization"`
	CPUInitializationPeriod duration             `json:"cpuInitializationPeriod"`
	InitialReadinessDelay   duration             `json:"initialReadinessDelay"`
	CooldownUp              duration             `json:"cooldownUp,omitzero"`
	CooldownDown            duration             `json:"cooldownDown,omitzero"`
	ColdStart               calculator.ColdStart `json:"coldStart,omitempty"`
	ChooseBy                calculator.ChooseBy  `json:"chooseBy,omitempty"`
	Corrections             correction.Set       `json:"corrections,omitzero"`
	ZeroFlags               bool                 `json:"zeroFlags,omitempty"`
}

func settingsOf(s *calculator.Settings) *settingsJSON {
	if s == nil {
		return nil
	}
	return &settingsJSON{
		s.Release, s.Tolerance, duration(s.DownscaleStabilization), duration(s.CPUInitializationPeriod),
		duration(s.InitialReadinessDelay), duration(s.Cooldown.Up), duration(s.Cooldown.Down), s.ColdStart,
		s.ChooseBy, s.Corrections, s.ZeroFlags,
	}
}

func (j *settingsJSON) settings() *calculator.Settings {
	if j == nil {
		return nil
	}
	return &calculator.Settings{
		Release:                j.Release,
		Tolerance:              j.Tolerance,
		DownscaleStabilization: time.Duration(j.DownscaleStabilization),
		ReadinessSettings: podgroup.ReadinessSettings{
			CPUInitializationPeriod: time.Duration(j.CPUInitializationPeriod),
			InitialReadinessDelay:   time.Duration(j.InitialReadinessDelay),
		},
		Cooldown:    behavior.Cooldown{Up: time.Duration(j.CooldownUp), Down: time.Duration(j.CooldownDown)},
		ColdStart:   j.ColdStart,
		ChooseBy:    j.ChooseBy,
		Corrections: j.Corrections,
		ZeroFlags:   j.ZeroFlags,
	}
}

// duration is written as "5m0s".
type duration time.Duration

// MarshalText implements encoding.TextMarshaler.
func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}
