package kube

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

func selector(s *metav1.LabelSelector) *autoscaling.LabelSelector {
	if s == nil {
		return nil
	}
	out := &autoscaling.LabelSelector{MatchLabels: maps.Clone(s.MatchLabels)}
	if s.MatchExpressions != nil {
		out.MatchExpressions = make([]autoscaling.LabelSelectorRequirement, len(s.MatchExpressions))
	}
	for i, r := range s.MatchExpressions {
		out.MatchExpressions[i] = autoscaling.LabelSelectorRequirement{
			Key:      r.Key,
			Operator: autoscaling.LabelSelectorOperator(r.Operator),
			Values:   slices.Clone(r.Values),
		}
	}
	return out
}

func apiSelector(s *autoscaling.LabelSelector) *metav1.LabelSelector {
	if s == nil {
		return nil
	}
	out := &metav1.LabelSelector{MatchLabels: maps.Clone(s.MatchLabels)}
	if s.MatchExpressions != nil {
		out.MatchExpressions = make([]metav1.LabelSelectorRequirement, len(s.MatchExpressions))
	}
	for i, r := range s.MatchExpressions {
		out.MatchExpressions[i] = metav1.LabelSelectorRequirement{
			Key:      r.Key,
			Operator: metav1.LabelSelectorOperator(r.Operator),
			Values:   slices.Clone(r.Values),
		}
	}
	return out
}
