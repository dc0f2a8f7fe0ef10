package calculator

import (
	"strconv"
	"strings"

	"github.com/purehpa/hpa/behavior"
	"github.com/purehpa/hpa/behavior/field"
)

// Validate checks the spec as the API server of Kubernetes 1.37.1 does when a
// HorizontalPodAutoscaler is created, with the feature gates at their defaults,
// and returns all complaints at once, in the same order and words: the
// handwritten rules (ValidateHorizontalPodAutoscaler of
// k8s.io/kubernetes/pkg/apis/autoscaling/validation) and then the declarative
// ones of the bounds, which replace the handwritten ones about the same. The
// sources that are forbidden beside another come in a fixed order; Kubernetes
// gives them in a random one.
//
// As in the API server, it is meant for a spec with defaults
// ([Spec.SetDefaults]). After Kubernetes' complaints come those about what its
// validation lets through and its controller cannot work with: no metrics, the
// target of an Object metric that its type names and that is not set, and rules
// without what defaulting fills.
//
// Metric selectors are not checked, neither there: see [LabelSelector.Problem].
func (s *Spec) Validate() field.ErrorList {
	if s == nil {
		return field.ErrorList{field.Required("spec", "")}
	}
	var c complaints
	if s.MinReplicas != nil && s.MaxReplicas < *s.MinReplicas {
		c.invalid("spec.maxReplicas", s.MaxReplicas, "must be greater than or equal to `minReplicas`")
	}
	// The one scalable kind whose group is empty is the replication controller.
	c.reference("spec.scaleTargetRef", &s.ScaleTargetRef, s.ScaleTargetRef.Kind == "ReplicationController")
	c.metrics(s)
	c.list = append(c.list, s.Behavior.Validate()...)
	c.bounds(s)
	c.beyondKubernetes(s)
	return c.list
}

// complaints collects what is wrong.
type complaints struct{ list field.ErrorList }

func (c *complaints) required(path, detail string) {
	c.list = append(c.list, field.Required(path, detail))
}

func (c *complaints) forbidden(path, detail string) {
	c.list = append(c.list, field.Forbidden(path, detail))
}

func (c *complaints) invalid(path string, value any, details ...string) {
	for _, d := range details {
		c.list = append(c.list, field.Invalid(path, value, d))
	}
}

func (c *complaints) bounds(s *Spec) {
	if s.MinReplicas != nil && *s.MinReplicas < 0 {
		c.invalid("spec.minReplicas", *s.MinReplicas, "must be greater than or equal to 0")
	}
	switch {
	case s.MaxReplicas == 0:
		c.required("spec.maxReplicas", "")
	case s.MaxReplicas < 0:
		c.invalid("spec.maxReplicas", s.MaxReplicas, "must be greater than or equal to 1")
	}
}

func (c *complaints) reference(path string, ref *CrossVersionObjectReference, emptyGroup bool) {
	if ref.Kind == "" {
		c.required(path+".kind", "")
	} else {
		c.invalid(path+".kind", ref.Kind, pathSegmentProblems(ref.Kind)...)
	}
	if ref.Name == "" {
		c.required(path+".name", "")
	} else {
		c.invalid(path+".name", ref.Name, pathSegmentProblems(ref.Name)...)
	}
	if ref.APIVersion == "/" { // read as no group and no version
		if !emptyGroup {
			c.invalid(path+".apiVersion", ref.APIVersion, "apiVersion must specify API group")
		}
		return
	}
	group, version, found := strings.Cut(ref.APIVersion, "/")
	switch {
	case strings.Contains(version, "/"):
		c.invalid(path+".apiVersion", ref.APIVersion, "unexpected GroupVersion string: "+ref.APIVersion)
	case !emptyGroup && (!found || group == ""):
		c.invalid(path+".apiVersion", ref.APIVersion, "apiVersion must specify API group")
	}
}

func (c *complaints) metrics(s *Spec) {
	fromZero := false
	for i := range s.Metrics {
		m := &s.Metrics[i]
		c.metric(metricPath(i), m)
		fromZero = fromZero || m.Type == ObjectMetricSourceType || m.Type == ExternalMetricSourceType
	}
	if s.MinReplicas != nil && *s.MinReplicas == 0 && !fromZero {
		c.forbidden("spec.metrics", "must specify at least one Object or External metric to support scaling to zero replicas")
	}
}

func metricPath(i int) string { return "spec.metrics[" + strconv.Itoa(i) + "]" }

// metricSource is one of the fields of a MetricSpec that describe a metric.
type metricSource struct {
	name    string
	typ     MetricSourceType
	present bool
	check   func()
}

func (c *complaints) metric(path string, m *MetricSpec) {
	// In the order in which Kubernetes looks at them: of several it reads the
	// first one alone.
	sources := [...]metricSource{
		{"object", ObjectMetricSourceType, m.Object != nil, func() { c.object(path+".object", m.Object) }},
		{"external", ExternalMetricSourceType, m.External != nil, func() { c.external(path+".external", m.External) }},
		{"pods", PodsMetricSourceType, m.Pods != nil, func() { c.pods(path+".pods", m.Pods) }},
		{"resource", ResourceMetricSourceType, m.Resource != nil, func() { c.resource(path+".resource", m.Resource) }},
		{"containerResource", ContainerResourceMetricSourceType, m.ContainerResource != nil, func() {
			c.containerResource(path+".containerResource", m.ContainerResource)
		}},
	}
	if m.Type == "" {
		c.required(path+".type", "must specify a metric source type")
	}
	known, present := false, 0
	for i := range sources {
		known = known || m.Type == sources[i].typ
	}
	if !known {
		c.list = append(c.list, field.NotSupported(path+".type", m.Type, `"ContainerResource", "External", "Object", "Pods", "Resource"`))
	}
	for i := range sources {
		if sources[i].present {
			if present++; present == 1 {
				sources[i].check()
			}
		}
	}
	for i := range sources {
		if m.Type == sources[i].typ && !sources[i].present {
			c.required(path+"."+sources[i].name, "must populate information for the given metric source")
		}
	}
	if present < 2 {
		return
	}
	for i := range sources {
		if sources[i].present && m.Type != sources[i].typ {
			c.forbidden(path+"."+sources[i].name, "must populate the given metric source only")
		}
	}
}

func (c *complaints) object(path string, src *ObjectMetricSource) {
	c.reference(path+".describedObject", &src.DescribedObject, true)
	c.identifier(path+".metric", &src.Metric)
	c.target(path+".target", &src.Target)
	if !src.Target.Value.IsSet() && !src.Target.AverageValue.IsSet() {
		c.required(path+".target.averageValue", "must set either a target value or averageValue")
	}
}

func (c *complaints) external(path string, src *ExternalMetricSource) {
	c.identifier(path+".metric", &src.Metric)
	c.target(path+".target", &src.Target)
	if !src.Target.Value.IsSet() && !src.Target.AverageValue.IsSet() {
		c.required(path+".target.averageValue", "must set either a target value for metric or a per-pod target")
	}
	if src.Target.Value.IsSet() && src.Target.AverageValue.IsSet() {
		c.forbidden(path+".target.value", "may not set both a target value for metric and a per-pod target")
	}
}

func (c *complaints) pods(path string, src *PodsMetricSource) {
	c.identifier(path+".metric", &src.Metric)
	c.target(path+".target", &src.Target)
	if !src.Target.AverageValue.IsSet() {
		c.required(path+".target.averageValue", "must specify a positive target averageValue")
	}
}

func (c *complaints) resource(path string, src *ResourceMetricSource) {
	if src.Name == "" {
		c.required(path+".name", "must specify a resource name")
	}
	c.resourceTarget(path+".target", &src.Target)
}

func (c *complaints) containerResource(path string, src *ContainerResourceMetricSource) {
	if src.Name == "" {
		c.required(path+".name", "must specify a resource name")
	} else {
		c.containerResourceName(path+".name", src.Name)
	}
	if src.Container == "" {
		c.required(path+".container", "must specify a container")
	} else {
		c.invalid(path+".container", src.Container, dnsLabelProblems(src.Container)...)
	}
	c.resourceTarget(path+".target", &src.Target)
}

func (c *complaints) resourceTarget(path string, t *MetricTarget) {
	c.target(path, t)
	if t.AverageUtilization == nil && !t.AverageValue.IsSet() {
		c.required(path+".averageUtilization", "must set either a target raw value or a target utilization")
	}
	if t.AverageUtilization != nil && t.AverageValue.IsSet() {
		c.forbidden(path+".averageValue", "may not set both a target raw value and a target utilization")
	}
}

func (c *complaints) identifier(path string, id *MetricIdentifier) {
	if id.Name == "" {
		c.required(path+".name", "must specify a metric name")
		return
	}
	c.invalid(path+".name", id.Name, pathSegmentProblems(id.Name)...)
}

func (c *complaints) target(path string, t *MetricTarget) {
	if t.Type == "" {
		c.required(path+".type", "must specify a metric target type")
	}
	if t.Type != UtilizationMetricType && t.Type != ValueMetricType && t.Type != AverageValueMetricType {
		c.invalid(path+".type", t.Type, "must be either Utilization, Value, or AverageValue")
	}
	if t.Value.IsSet() && t.Value.Sign() <= 0 {
		c.invalid(path+".value", t.Value, "must be positive")
	}
	if t.AverageValue.IsSet() && t.AverageValue.Sign() <= 0 {
		c.invalid(path+".averageValue", t.AverageValue, "must be positive")
	}
	if t.AverageUtilization != nil && *t.AverageUtilization < 1 {
		c.invalid(path+".averageUtilization", *t.AverageUtilization, "must be greater than 0")
	}
}

// beyondKubernetes complains about what Kubernetes' own validation accepts: it
// counts on defaulting, and on the controller to fail each sync.
func (c *complaints) beyondKubernetes(s *Spec) {
	// The controller answers -1 replicas and no error.
	if len(s.Metrics) == 0 {
		c.required("spec.metrics", "must specify at least one metric")
	}
	for i := range s.Metrics {
		if m := &s.Metrics[i]; m.Type == ObjectMetricSourceType && m.Object != nil {
			c.objectTargetType(metricPath(i)+".object.target", &m.Object.Target)
		}
	}
	// The controller would follow these nil pointers.
	if s.Behavior == nil {
		return
	}
	c.defaulted("spec.behavior.scaleUp", s.Behavior.ScaleUp)
	if up := s.Behavior.ScaleUp; up != nil && up.StabilizationWindowSeconds == nil {
		c.required("spec.behavior.scaleUp.stabilizationWindowSeconds", undefaulted)
	}
	c.defaulted("spec.behavior.scaleDown", s.Behavior.ScaleDown)
}

const undefaulted = "must be set, which SetDefaults does"

func (c *complaints) defaulted(path string, r *behavior.Rules) {
	if r == nil {
		c.required(path, undefaulted)
		return
	}
	if r.SelectPolicy == "" {
		c.required(path+".selectPolicy", undefaulted)
	}
}

// objectTargetType asks for the field that the target's type names: the
// controller reads no other one for an Object metric, unlike for the other
// sources, and fails each sync without it.
func (c *complaints) objectTargetType(path string, t *MetricTarget) {
	if !t.Value.IsSet() && !t.AverageValue.IsSet() {
		return // Kubernetes complains itself
	}
	switch t.Type {
	case UtilizationMetricType:
		c.invalid(path+".type", t.Type, "must be either Value or AverageValue for an Object metric")
	case ValueMetricType:
		if !t.Value.IsSet() {
			c.required(path+".value", "must be set for the target type Value of an Object metric")
		}
	case AverageValueMetricType:
		if !t.AverageValue.IsSet() {
			c.required(path+".averageValue", "must be set for the target type AverageValue of an Object metric")
		}
	}
}
