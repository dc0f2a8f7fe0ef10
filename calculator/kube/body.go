package kube

import (
	"bytes"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/clientset/versioned/scheme"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/podusage"
	"github.com/purehpa/hpa/metrics"
	"github.com/purehpa/hpa/podgroup"
)

// resourceBody is resource for an answer as it came. Ordinary ones are read as they
// are, others decoded as a client of the API decodes them.
func (r *reader) resourceBody(pods []podgroup.Pod, body []byte, m *autoscaling.Metric) calculator.Reading {
	r.aligner.start(pods)
	var answer podusage.Answer
	without, n := "", 0
	for answer.Start(body, m.Name, m.Container); answer.Next(); n++ {
		switch pod := &answer.Pod; {
		case pod.Measured:
			r.aligner.addBytes(pod.Name, metrics.NewSample(pod.Usage, pod.Time, pod.Window))
		case m.Container != "" && without == "" && !pod.Listed:
			without = string(pod.Name)
		}
	}
	switch {
	case !answer.Ordinary():
		list, err := decoded(body)
		if err != nil {
			return unavailable(m.Source, err)
		}
		return r.resource(pods, list.Items, corev1.ResourceName(m.Name), m.Container)
	case n == 0:
		return calculator.Reading{Err: errNoResource}
	}
	reading := r.aligned()
	reading.WithoutContainer = without
	return reading
}

// decoded returns the list of a body, as rest.Result.Into of client-go decodes it
// for the client of the resource metrics API.
func decoded(body []byte) (*resourcemetrics.PodMetricsList, error) {
	contentType := runtime.ContentTypeJSON
	if bytes.HasPrefix(body, []byte("k8s\x00")) {
		contentType = runtime.ContentTypeProtobuf
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), contentType)
	list := &resourcemetrics.PodMetricsList{}
	out, _, err := info.Serializer.Decode(body, nil, list)
	if status, ok := out.(*metav1.Status); err == nil && ok && status.Status != metav1.StatusSuccess {
		err = apierrors.FromObject(status)
	}
	return list, err
}
