package conformance

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"
	_ "unsafe" // for go:linkname

	"github.com/go-logr/logr"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	typedautoscaling "k8s.io/client-go/kubernetes/typed/autoscaling/v2"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/scale"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	podmetrics "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/monitor"
)

// Namespace and Name are those of every autoscaler here.
const (
	Namespace = "ns"
	Name      = "web-hpa"
	key       = Namespace + "/" + Name
)

//go:linkname reconcileAutoscaler k8s.io/kubernetes/pkg/controller/podautoscaler.(*HorizontalController).reconcileAutoscaler
func reconcileAutoscaler(*podautoscaler.HorizontalController, context.Context, *autoscalingv2.HorizontalPodAutoscaler, string) error

// Upstream is a HorizontalController with fakes around it that keep order and
// serialize nothing. One sync sees one Step.
type Upstream struct {
	controller *podautoscaler.HorizontalController
	calculator *podautoscaler.ReplicaCalculator
	selectors  selectorStore
	ctx        context.Context
	flags      Flags

	step   *Step
	hpa    *autoscalingv2.HorizontalPodAutoscaler
	queue  []int // metrics that are still to be asked for, in order
	events []string
	wrote  bool
	size   int32
}

// NewUpstream returns a controller without a history.
func NewUpstream(flags Flags) *Upstream {
	u := &Upstream{flags: flags, ctx: klog.NewContext(context.Background(), logr.Discard())}
	u.Restart()
	return u
}

// Restart forgets what the controller keeps in memory.
func (u *Upstream) Restart() {
	c := new(podautoscaler.HorizontalController)
	u.controller = c
	u.calculator = newCalculator((*metricsClient)(u), (*podLister)(u), &u.flags)
	set(c, "scaleNamespacer", (*scaleClient)(u))
	set(c, "hpaNamespacer", (*hpaClient)(u))
	set(c, "mapper", restMapper{})
	if has(c, "tolerance") {
		set(c, "tolerance", u.flags.Tolerance)
	}
	if has(c, "containerResourceMetricsEnabled") {
		set(c, "containerResourceMetricsEnabled", hasContainers())
	}
	set(c, "replicaCalc", u.calculator)
	set(c, "eventRecorder", (*recorder)(u))
	set(c, "downscaleStabilisationWindow", u.flags.DownscaleStabilization)
	set(c, "monitor", monitor.New())
	set(c, "podLister", (*podLister)(u))
	for _, name := range []string{"recommendations", "scaleUpEvents", "scaleDownEvents"} {
		f := fieldOf(c, name)
		f.Set(reflect.MakeMap(f.Type()))
	}
	u.selectors = newSelectors(c)
}

// Sync reconciles the autoscaler, and returns what an API client sees.
// The caller has set the clock to step.Now. The controller's status is written
// to hpa.
func (u *Upstream) Sync(hpa *autoscalingv2.HorizontalPodAutoscaler, step *Step) Answer {
	u.step, u.hpa = step, hpa
	u.queue = step.asked(u.queue[:0], hpa)
	u.events, u.wrote, u.size = nil, false, step.SpecReplicas
	u.selectors.rival(step.Rival)
	a := Answer{}
	if err := reconcileAutoscaler(u.controller, u.ctx, hpa, key); err != nil {
		a.Error = err.Error()
	}
	if step.Rival {
		u.sortRivals(&a, hpa)
	}
	a.Rescaled, a.Size, a.Events = u.wrote, u.size, u.events
	a.Status = &hpa.Status
	return a
}

// sortRivals puts the two autoscalers in texts into one order. Upstream takes
// them from a map.
func (u *Upstream) sortRivals(a *Answer, hpa *autoscalingv2.HorizontalPodAutoscaler) {
	a.Error = strings.ReplaceAll(a.Error, slavir, rivals)
	for i := range u.events {
		u.events[i] = strings.ReplaceAll(u.events[i], slavir, rivals)
	}
	for i := range hpa.Status.Conditions {
		c := &hpa.Status.Conditions[i]
		c.Message = strings.ReplaceAll(c.Message, slavir, rivals)
	}
}

// scaleClient is the scale subresource.
type scaleClient Upstream

func (c *scaleClient) Scales(string) scale.ScaleInterface {
	return &scaleOfNamespace{u: (*Upstream)(c)}
}

type scaleOfNamespace struct {
	scale.ScaleInterface
	u *Upstream
}

func (c *scaleOfNamespace) Get(context.Context, schema.GroupResource, string, metav1.GetOptions) (*autoscalingv1.Scale, error) {
	if err := c.u.step.ScaleError; err != nil {
		return nil, err
	}
	return c.u.step.scale(), nil
}

func (c *scaleOfNamespace) Update(_ context.Context, _ schema.GroupResource, scale *autoscalingv1.Scale, _ metav1.UpdateOptions) (*autoscalingv1.Scale, error) {
	if err := c.u.step.UpdateError; err != nil {
		return nil, err
	}
	c.u.wrote, c.u.size = true, scale.Spec.Replicas
	return scale, nil
}

// hpaClient stores the status.
type hpaClient Upstream

func (c *hpaClient) HorizontalPodAutoscalers(string) typedautoscaling.HorizontalPodAutoscalerInterface {
	return &hpaOfNamespace{u: (*Upstream)(c)}
}

type hpaOfNamespace struct {
	typedautoscaling.HorizontalPodAutoscalerInterface
	u *Upstream
}

func (c *hpaOfNamespace) UpdateStatus(_ context.Context, hpa *autoscalingv2.HorizontalPodAutoscaler, _ metav1.UpdateOptions) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	c.u.hpa.Status = hpa.Status
	return hpa, nil
}

// restMapper maps everything to something that can be scaled.
type restMapper struct{ apimeta.RESTMapper }

var mappings = []*apimeta.RESTMapping{{Resource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}}}

func (restMapper) RESTMappings(schema.GroupKind, ...string) ([]*apimeta.RESTMapping, error) {
	return mappings, nil
}

// recorder keeps events in order.
type recorder Upstream

func (r *recorder) Event(_ runtime.Object, eventtype, reason, message string) {
	r.events = append(r.events, eventtype+" "+reason+" "+message)
}

func (r *recorder) Eventf(o runtime.Object, eventtype, reason, format string, args ...any) {
	r.Event(o, eventtype, reason, fmt.Sprintf(format, args...))
}

func (r *recorder) AnnotatedEventf(o runtime.Object, _ map[string]string, eventtype, reason, format string, args ...any) {
	r.Eventf(o, eventtype, reason, format, args...)
}

// podLister lists the step's pods in their order.
type podLister Upstream

func (l *podLister) List(labels.Selector) ([]*corev1.Pod, error) { return l.step.Pods, nil }

func (l *podLister) Pods(string) corelisters.PodNamespaceLister {
	return &podsOfNamespace{u: (*Upstream)(l)}
}

type podsOfNamespace struct {
	corelisters.PodNamespaceLister
	u *Upstream
}

func (l *podsOfNamespace) List(labels.Selector) ([]*corev1.Pod, error) { return l.u.step.Pods, nil }

// metricsClient answers with the step's readings, in the order in which metrics
// are asked for.
type metricsClient Upstream

func (c *metricsClient) next() *Reading {
	i := c.queue[0]
	c.queue = c.queue[1:]
	return &c.step.Readings[i]
}

func (r *Reading) samples() (podmetrics.PodMetricsInfo, time.Time, error) {
	if r.Err != nil {
		return nil, time.Time{}, r.Err
	}
	// The calculator deletes from it.
	info := make(podmetrics.PodMetricsInfo, len(r.Samples))
	for i := range r.Samples {
		if s := &r.Samples[i]; !s.NoContainer {
			info[s.Pod] = podmetrics.PodMetric{Timestamp: s.Time, Window: s.Window, Value: s.Value}
		}
	}
	return info, r.Time, nil
}

func (c *metricsClient) GetResourceMetric(ctx context.Context, name corev1.ResourceName, ns string, pods labels.Selector, container string) (podmetrics.PodMetricsInfo, time.Time, error) {
	r := c.next()
	if container == "" {
		return r.samples()
	}
	return r.containers(ctx, name, ns, pods, container)
}

func (c *metricsClient) GetRawMetric(string, string, labels.Selector, labels.Selector) (podmetrics.PodMetricsInfo, time.Time, error) {
	return c.next().samples()
}

func (c *metricsClient) GetObjectMetric(string, string, *autoscalingv2.CrossVersionObjectReference, labels.Selector) (int64, time.Time, error) {
	r := c.next()
	if r.Err != nil {
		return 0, time.Time{}, r.Err
	}
	return r.Values[0], r.Time, nil
}

func (c *metricsClient) GetExternalMetric(string, string, labels.Selector) ([]int64, time.Time, error) {
	r := c.next()
	if r.Err != nil {
		return nil, time.Time{}, r.Err
	}
	return r.Values, r.Time, nil
}
