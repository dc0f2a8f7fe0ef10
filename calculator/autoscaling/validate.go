package autoscaling

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/release"
	"github.com/purehpa/hpa/metrics"
)

// ApplyAdmission does to the spec what the API server of a release does when a
// HorizontalPodAutoscaler is created: it drops the fields that the release does
// not have or whose gate is off, sets the defaults, and validates. It returns
// all complaints of Kubernetes and then those of
// [HorizontalPodAutoscalerSpec.Validate].
func (s *HorizontalPodAutoscalerSpec) ApplyAdmission(r release.Release) field.ErrorList {
	quirks := r.Quirks()
	s.drop(quirks)
	s.SetDefaults()
	return s.validate(quirks)
}

// drop removes the fields that a release does not have.
func (s *HorizontalPodAutoscalerSpec) drop(quirks release.Quirks) {
	if s == nil {
		return
	}
	if b := s.Behavior; b != nil && quirks.Has(release.OneTolerance) {
		for _, rules := range [...]*behavior.ScalingRules{b.ScaleUp, b.ScaleDown} {
			if rules != nil {
				rules.Tolerance = metrics.Quantity{}
			}
		}
	}
	for i := range s.Metrics {
		if quirks.Has(release.NoContainerMetrics) {
			s.Metrics[i].ContainerResource = nil
		}
	}
}

// Validate checks the spec as the API server of Kubernetes 1.37.1 does when a
// HorizontalPodAutoscaler is created, with default feature gates. It returns
// all complaints in the same order and words: first those of the handwritten
// rules (ValidateHorizontalPodAutoscaler of
// k8s.io/kubernetes/pkg/apis/autoscaling/validation), then those of the
// declarative ones about the bounds, which replace the handwritten ones about
// the same. Sources that are forbidden beside another come in a fixed order;
// Kubernetes gives them in a random one.
//
// Call it after [HorizontalPodAutoscalerSpec.SetDefaults], as the API server
// does. After Kubernetes' complaints come those about what its controller
// cannot work with although its validation accepts it: no metrics, an Object
// metric without the target that its type names, and rules without their
// defaults.
//
// Like Kubernetes, it does not check metric selectors: see
// [LabelSelector.Problem].
func (s *HorizontalPodAutoscalerSpec) Validate() field.ErrorList { return s.validate(0) }

// ValidateForDecision is like [HorizontalPodAutoscalerSpec.Validate] but
// accepts specs that are never sent to an API server: any scaleTargetRef, and
// metrics of type Proposal whose name is valid for a metric. It returns nil if
// the spec is valid.
func (s *HorizontalPodAutoscalerSpec) ValidateForDecision() field.ErrorList {
	c := s.Clone()
	if c == nil {
		return s.Validate()
	}
	for i := range c.Metrics {
		// An External metric supports everything a Proposal does.
		if p := c.Metrics[i].Proposal; p != nil && c.Metrics[i].Type == ProposalMetricSourceType {
			c.Metrics[i] = ExternalAverageValueMetric(p.Name, metrics.MustParseQuantity("1"))
			c.Metrics[i].External.Fallback = p.Fallback
		}
	}
	return c.Validate().Without("spec.scaleTargetRef")
}

// validate is Validate as a release does it.
func (s *HorizontalPodAutoscalerSpec) validate(quirks release.Quirks) field.ErrorList {
	if s == nil {
		return field.ErrorList{field.Required("spec", "")}
	}
	c := complaints{quirks: quirks}
	if quirks.Has(release.HandwrittenValidation) {
		c.bounds(s)
	}
	least, most := s.Bounds().Min, s.MaxReplicas
	c.invalid(s.MinReplicas != nil && most < least, "spec", ".maxReplicas", most,
		"must be greater than or equal to `minReplicas`")
	// The one scalable kind whose group is empty is the replication controller.
	c.reference("spec.scaleTargetRef", &s.ScaleTargetRef, s.ScaleTargetRef.Kind == "ReplicationController")
	for i := range s.Metrics {
		c.metric(metricPath(i), &s.Metrics[i])
	}
	c.forbidden(least == 0 && !s.HasObjectOrExternalMetric(), "spec", ".metrics",
		"must specify at least one Object or External metric to support scaling to zero replicas")
	c.list = append(c.list, s.Behavior.Validate()...)
	if !quirks.Has(release.HandwrittenValidation) {
		c.bounds(s)
	}
	c.beyondKubernetes(s)
	if quirks != 0 {
		reword(c.list, quirks)
	}
	return c.list
}

// bounds checks minReplicas and maxReplicas, each for itself.
func (c *complaints) bounds(s *HorizontalPodAutoscalerSpec) {
	least, most, lowest := s.Bounds().Min, s.MaxReplicas, int32(0)
	if c.quirks.Has(release.ZeroMinReplicasRefused) {
		lowest = 1
	}
	c.invalid(s.MinReplicas != nil && least < lowest, "spec", ".minReplicas", least,
		"must be greater than or equal to "+strconv.Itoa(int(lowest)))
	switch {
	case c.quirks.Has(release.MaxReplicasInvalid):
		c.invalid(most < 1, "spec", ".maxReplicas", most, "must be greater than 0")
		return
	case c.quirks.Has(release.HandwrittenValidation):
		c.required(most == 0, "spec", ".maxReplicas", "must be set and greater than 0")
	default:
		c.required(most == 0, "spec", ".maxReplicas", "")
	}
	c.invalid(most < 0, "spec", ".maxReplicas", most, "must be greater than or equal to 1")
}

func metricPath(i int) string { return "spec.metrics[" + strconv.Itoa(i) + "]" }

// complaints collects what is wrong. Its methods complain about path+name if
// their first argument is true.
type complaints struct {
	list   field.ErrorList
	quirks release.Quirks
}

func (c *complaints) required(missing bool, path, name, detail string) {
	if missing {
		c.list = append(c.list, field.Required(path+name, detail))
	}
}

func (c *complaints) forbidden(set bool, path, name, detail string) {
	if set {
		c.list = append(c.list, field.Forbidden(path+name, detail))
	}
}

func (c *complaints) invalid(wrong bool, path, name string, value any, details ...string) {
	for _, d := range details {
		if wrong {
			c.list = append(c.list, field.Invalid(path+name, value, d))
		}
	}
}

// segment checks a value that is a segment of a URL's path, and may not be
// empty.
func (c *complaints) segment(path, name, value, missing string) {
	c.required(value == "", path, name, missing)
	c.invalid(value != "", path, name, value, pathSegmentProblems(value)...)
}

func (c *complaints) reference(path string, ref *CrossVersionObjectReference, emptyGroup bool) {
	c.segment(path, ".kind", ref.Kind, "")
	c.segment(path, ".name", ref.Name, "")
	group, version, found := strings.Cut(ref.APIVersion, "/")
	if c.quirks.Has(release.APIVersionUnchecked) {
		return
	}
	malformed := strings.Contains(version, "/")
	c.invalid(malformed, path, ".apiVersion", ref.APIVersion, "unexpected GroupVersion string: "+ref.APIVersion)
	c.invalid(!malformed && !emptyGroup && (!found || group == ""), path, ".apiVersion", ref.APIVersion,
		"apiVersion must specify API group")
}

func (c *complaints) metric(path string, m *MetricSpec) {
	c.required(m.Type == "", path, ".type", "must specify a metric source type")
	known := m.Type.Known()
	if !known {
		c.unknownType(path, m)
	}
	var set []MetricSourceType
	for i := range sources {
		var src Metric
		t := sources[i].kind
		if target := m.source(t, &src); target != nil {
			// Of several sources, Kubernetes checks the first one alone.
			if set = append(set, t); len(set) == 1 {
				c.source(path+t.field(), &src, target)
			}
		}
	}
	if known && !slices.Contains(set, m.Type) {
		detail := "must populate information for the given metric source"
		if row := sourceOf(m.Type); c.quirks.Has(sources[row].disabledBy) {
			detail += sources[row].unavailable
		}
		c.required(true, path, m.Type.field(), detail)
	}
	if !known && c.quirks.Has(release.HandwrittenValidation) {
		c.unknownType(path, m)
	}
	for _, t := range set {
		c.forbidden(len(set) > 1 && t != m.Type, path, t.field(), "must populate the given metric source only")
	}
}

func (c *complaints) unknownType(path string, m *MetricSpec) {
	c.unsupported(path+".type", m.Type, `"ContainerResource", "External", "Object", "Pods", "Resource"`)
}

func (c *complaints) unsupported(path string, value any, supported string) {
	c.list = append(c.list, field.NotSupported(path, value, supported))
}

func (c *complaints) source(path string, m *Metric, t *MetricTarget) {
	if m.Source == ObjectMetricSourceType {
		c.reference(path+".describedObject", &m.DescribedObject, true)
	}
	row := sourceOf(m.Source)
	if sources[row].named {
		c.segment(path, ".metric.name", m.Name, "must specify a metric name")
	} else {
		c.required(m.Name == "", path, ".name", "must specify a resource name")
	}
	if m.Source == ContainerResourceMetricSourceType {
		c.containerResource(path, m.Name)
		c.required(m.Container == "", path, ".container", "must specify a container")
		c.invalid(m.Container != "", path, ".container", m.Container, dnsLabelProblems(m.Container)...)
	}
	path += ".target"
	c.target(path, t)
	average := t.AverageValue.IsSet()
	other := sources[row].value && t.Value.IsSet() || sources[row].utilization && t.AverageUtilization != nil
	missing, both := sources[row].missing, sources[row].both
	c.required(!average && !other, path, missing.field, missing.detail)
	c.forbidden(average && other && both.field != "", path, both.field, both.detail)
}

// containerResource complains of the name of a container's resource. It is
// printed as an enumeration is, in JSON.
func (c *complaints) containerResource(path, name string) {
	asLabel := len(labelKeyProblems(name))
	for i, problem := range containerResourceProblems(name) {
		if i < asLabel && c.quirks.Has(release.HandwrittenValidation) {
			c.invalid(name != "", path, ".name", name, problem)
		} else {
			c.invalid(name != "", path, ".name", resourceName(name), problem)
		}
	}
}

type resourceName string

// String returns the name without quotes, for errors in Go's notation.
func (n resourceName) String() string { return string(n) }

func (c *complaints) target(path string, t *MetricTarget) {
	c.required(t.Type == "", path, ".type", "must specify a metric target type")
	switch t.Type {
	case UtilizationMetricType, ValueMetricType, AverageValueMetricType:
	default:
		c.invalid(true, path, ".type", t.Type, "must be either Utilization, Value, or AverageValue")
	}
	value, average := t.Value, t.AverageValue
	c.invalid(value.IsSet() && value.Sign() <= 0, path, ".value", value, "must be positive")
	c.invalid(average.IsSet() && average.Sign() <= 0, path, ".averageValue", average, "must be positive")
	if u := t.AverageUtilization; u != nil {
		c.invalid(*u < 1, path, ".averageUtilization", *u, "must be greater than 0")
	}
}

// beyondKubernetes complains about specs that Kubernetes' validation accepts
// and on which its controller fails each sync or panics.
func (c *complaints) beyondKubernetes(s *HorizontalPodAutoscalerSpec) {
	// The controller answers -1 replicas and no error.
	c.required(len(s.Metrics) == 0, "spec", ".metrics", "must specify at least one metric")
	for i := range s.Metrics {
		if m := &s.Metrics[i]; m.Type == ObjectMetricSourceType && m.Object != nil {
			c.objectTarget(metricPath(i)+".object.target", &m.Object.Target)
		}
		if f := s.Metrics[i].Fallback(); f != nil {
			c.fallback(metricPath(i)+s.Metrics[i].Type.field()+".fallback", f)
		}
	}
	// The controller would follow these nil pointers.
	if b := s.Behavior; b != nil {
		c.defaulted("spec.behavior.scaleUp", b.ScaleUp)
		c.required(b.ScaleUp != nil && b.ScaleUp.StabilizationWindowSeconds == nil,
			"spec.behavior.scaleUp", ".stabilizationWindowSeconds", undefaulted)
		c.defaulted("spec.behavior.scaleDown", b.ScaleDown)
	}
}

// objectTarget asks for the field that the target's type names. For an Object
// metric, unlike for the others, the controller reads no other one. If none is
// set, Kubernetes complains itself.
func (c *complaints) objectTarget(path string, t *MetricTarget) {
	value, average := t.Value.IsSet(), t.AverageValue.IsSet()
	c.invalid(t.Type == UtilizationMetricType && (value || average), path, ".type", t.Type,
		"must be either Value or AverageValue for an Object metric")
	c.required(t.Type == ValueMetricType && average && !value, path, ".value",
		"must be set for the target type Value of an Object metric")
	c.required(t.Type == AverageValueMetricType && value && !average, path, ".averageValue",
		"must be set for the target type AverageValue of an Object metric")
}

const undefaulted = "must be set, which SetDefaults does"

func (c *complaints) defaulted(path string, r *behavior.ScalingRules) {
	c.required(r == nil, path, "", undefaulted)
	c.required(r != nil && r.SelectPolicy == "", path, ".selectPolicy", undefaulted)
}

// fallback complains of what no fallback can be.
func (c *complaints) fallback(path string, f *ExternalMetricFallback) {
	seconds := int32(f.After() / time.Second)
	c.invalid(seconds < leastFailureSeconds, path, ".failureDurationSeconds", seconds,
		"must be greater than or equal to "+strconv.Itoa(leastFailureSeconds))
	c.invalid(f.Replicas < 1, path, ".replicas", f.Replicas, "must be greater than 0")
	switch f.Behavior {
	case "", FallbackStatic, FallbackCurrent, FallbackIfHigher, FallbackIfLower:
	default:
		c.unsupported(path+".behavior", f.Behavior,
			`"currentReplicas", "currentReplicasIfHigher", "currentReplicasIfLower", "static"`)
	}
}
