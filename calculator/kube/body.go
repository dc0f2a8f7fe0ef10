package kube

import (
	"bytes"
	"fmt"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	custommetrics "k8s.io/metrics/pkg/apis/custom_metrics"
	custommetricsv1beta1 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta1"
	custommetricsv1beta2 "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	externalmetrics "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	"k8s.io/metrics/pkg/client/clientset/versioned/scheme"
	customscheme "k8s.io/metrics/pkg/client/custom_metrics/scheme"

	"github.com/purehpa/hpa/calculator"
	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/calculator/internal/wire"
	"github.com/purehpa/hpa/podgroup"
)

// body is read for an answer as it came. Ordinary ones are read as they are, others
// decoded as the clients of the APIs decode them.
func (r *reader) body(m *autoscaling.Metric, pods []podgroup.Pod, body []byte) calculator.Reading {
	var reading calculator.Reading
	var ordinary bool
	var a Answer
	switch m.Source {
	case autoscaling.ResourceMetricSourceType, autoscaling.ContainerResourceMetricSourceType:
		if reading, ordinary = r.wire.Resource(pods, body, m.Name, m.Container); !ordinary {
			a.Resource, a.Err = decodedResource(body)
		}
	case autoscaling.PodsMetricSourceType:
		if reading, ordinary = r.wire.Pods(pods, body); !ordinary {
			a.Pods, a.Err = decodedPods(body)
		}
	case autoscaling.ObjectMetricSourceType:
		if reading, ordinary = r.wire.Object(body); !ordinary {
			a.Object, a.Err = decodedObject(body)
		}
	case autoscaling.ExternalMetricSourceType:
		if reading, ordinary = r.wire.External(body); !ordinary {
			a.External, a.Err = decodedExternal(body)
		}
	}
	if ordinary {
		return reading
	}
	return r.read(m, pods, &a)
}

// decodedResource returns the list of a body, as the client of the resource metrics
// API returns it.
func decodedResource(body []byte) (*resourcemetrics.PodMetricsList, error) {
	list := &resourcemetrics.PodMetricsList{}
	return list, decodeInto(body, list)
}

// decodedExternal returns the list of a body, as List of the client of the external
// metrics API returns it.
func decodedExternal(body []byte) (*externalmetrics.ExternalMetricValueList, error) {
	list := &externalmetrics.ExternalMetricValueList{}
	return list, decodeInto(body, list)
}

// decodeInto decodes a body, as rest.Result.Into of client-go does. No scheme has the
// types of the external metrics API, which are decoded all the same.
func decodeInto(body []byte, list runtime.Object) error {
	contentType := runtime.ContentTypeJSON
	if bytes.HasPrefix(body, []byte(wire.Magic)) {
		contentType = runtime.ContentTypeProtobuf
	}
	info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), contentType)
	out, _, err := info.Serializer.Decode(body, nil, list)
	if status, ok := out.(*metav1.Status); err == nil && ok && status.Status != metav1.StatusSuccess {
		err = apierrors.FromObject(status)
	}
	return err
}

// decodedPods returns the list of a body, as GetForObjects of the client of the custom
// metrics API returns it.
func decodedPods(body []byte) (*custommetricsv1beta2.MetricValueList, error) {
	decoder := customscheme.Codecs.UniversalDecoder(custommetricsv1beta2.SchemeGroupVersion, custommetricsv1beta1.SchemeGroupVersion, custommetrics.SchemeGroupVersion)
	decoded, err := runtime.Decode(decoder, body)
	if err != nil {
		return nil, err
	}
	internal, err := customscheme.Scheme.UnsafeConvertToVersion(decoded, schema.GroupVersion{Group: custommetrics.GroupName, Version: runtime.APIVersionInternal})
	if err != nil {
		return nil, fmt.Errorf("failed to convert the given object to the internal version: %v", err)
	}
	converted, err := customscheme.Scheme.UnsafeConvertToVersion(internal, custommetricsv1beta2.SchemeGroupVersion)
	if err != nil {
		return nil, fmt.Errorf("failed to convert the given object back to the external version: %v", err)
	}
	list, ok := converted.(*custommetricsv1beta2.MetricValueList)
	if !ok {
		return nil, fmt.Errorf("the custom metrics API server didn't return MetricValueList, the type is %v", reflect.TypeOf(converted))
	}
	return list, nil
}

// decodedObject returns the value of a body, as GetForObject of the client of the
// custom metrics API returns it.
func decodedObject(body []byte) (*custommetricsv1beta2.MetricValue, error) {
	list, err := decodedPods(body)
	switch {
	case err != nil:
		return nil, err
	case len(list.Items) != 1:
		return nil, wire.NotOne(len(list.Items))
	}
	return &list.Items[0], nil
}
