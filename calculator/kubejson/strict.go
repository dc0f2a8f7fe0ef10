package kubejson

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize/codec"
)

// manifest is an autoscaler of which the spec counts. A status may be that of a
// newer Kubernetes.
type manifest struct {
	APIVersion string                                  `json:"apiVersion"`
	Kind       string                                  `json:"kind"`
	Metadata   json.RawMessage                         `json:"metadata"`
	Spec       autoscaling.HorizontalPodAutoscalerSpec `json:"spec"`
	Status     json.RawMessage                         `json:"status"`
}

// strict returns the error of the first field of autoscalers that the API
// server refuses with strict validation.
func (in items) strict() error {
	var fields codec.Fields
	for _, text := range elements(in.text) {
		var e *codec.Error
		if errors.As(fields.Exact("", text, reflect.TypeFor[manifest]()), &e) {
			path := e.Path
			if path != "" {
				path = "." + path
			}
			return errorAt(in.path()+path, "%s", e.Problem).in(autoscalerDocument.name)
		}
		in.first++
	}
	return nil
}
