package kubejson

import (
	"time"

	"github.com/purehpa/hpa/calculator"
)

// Autoscaler is a HorizontalPodAutoscaler.
type Autoscaler struct {
	// Namespace and Name are those of metadata.
	Namespace, Name string
	// Generation is metadata.generation; 0 if there is none.
	Generation int64
	// CreationTime is metadata.creationTimestamp; the zero time.Time if there
	// is none.
	CreationTime time.Time
	// Spec is the spec as it stands: what the API server gives has its
	// defaults, for what a person wrote there is calculator.Spec.SetDefaults.
	// It need not be valid.
	Spec calculator.Spec
	// Status is the status that the last sync left.
	Status calculator.Status
}

type autoscaler struct {
	Metadata objectMeta       `json:"metadata"`
	Spec     calculator.Spec  `json:"spec"`
	Status   autoscalerStatus `json:"status"`
}

type autoscalerStatus struct {
	ObservedGeneration *int64                    `json:"observedGeneration"`
	LastScaleTime      time.Time                 `json:"lastScaleTime"`
	CurrentReplicas    int32                     `json:"currentReplicas"`
	DesiredReplicas    int32                     `json:"desiredReplicas"`
	CurrentMetrics     []calculator.MetricStatus `json:"currentMetrics"`
	Conditions         []condition               `json:"conditions"`
}

type condition struct {
	Type               calculator.ConditionType   `json:"type"`
	Status             calculator.ConditionStatus `json:"status"`
	LastTransitionTime time.Time                  `json:"lastTransitionTime"`
	Reason             string                     `json:"reason"`
	Message            string                     `json:"message"`
	ObservedGeneration *int64                     `json:"observedGeneration"`
}

func autoscalerDocument() *document {
	return &document{name: "horizontal pod autoscaler", kind: "HorizontalPodAutoscaler", versions: []string{"autoscaling/v2"}}
}

// DecodeAutoscaler reads a HorizontalPodAutoscaler of autoscaling/v2, as
// `kubectl get hpa NAME -o json` prints it, or a list of exactly one. The error
// is an *Error.
func DecodeAutoscaler(data []byte) (Autoscaler, error) {
	d := autoscalerDocument()
	items, list, err := decode[autoscaler](d, data)
	if err != nil {
		return Autoscaler{}, err
	}
	if len(items) != 1 {
		return Autoscaler{}, d.errorf("items", "%d autoscalers; one was expected", len(items))
	}
	meta, path := &items[0].Metadata, itemPath(list, 0)
	if meta.Name == "" {
		return Autoscaler{}, d.errorf(join(path, "metadata.name"), "missing")
	}
	return Autoscaler{
		Namespace:    meta.Namespace,
		Name:         meta.Name,
		Generation:   meta.Generation,
		CreationTime: meta.CreationTimestamp.UTC(),
		Spec:         items[0].Spec,
		Status:       items[0].Status.status(),
	}, nil
}

func (s *autoscalerStatus) status() calculator.Status {
	out := calculator.Status{
		ObservedGeneration: s.ObservedGeneration,
		LastScaleTime:      s.LastScaleTime.UTC(),
		CurrentReplicas:    s.CurrentReplicas,
		DesiredReplicas:    s.DesiredReplicas,
		CurrentMetrics:     s.CurrentMetrics,
	}
	for i := range s.Conditions {
		c := &s.Conditions[i]
		out.Conditions = append(out.Conditions, calculator.Condition{
			Type:               c.Type,
			Status:             c.Status,
			Reason:             c.Reason,
			Message:            calculator.Text(c.Message),
			LastTransitionTime: c.LastTransitionTime.UTC(),
			ObservedGeneration: c.ObservedGeneration,
		})
	}
	return out
}

// State returns what the status tells of the past: the conditions, the time of
// the last scale and the desired size. Recommendations and scale events are not
// in it; as after a restart of kube-controller-manager, the state has none.
func (a *Autoscaler) State() calculator.State {
	return calculator.State{
		Conditions:      append([]calculator.Condition(nil), a.Status.Conditions...),
		LastScaleTime:   a.Status.LastScaleTime,
		DesiredReplicas: a.Status.DesiredReplicas,
	}
}
