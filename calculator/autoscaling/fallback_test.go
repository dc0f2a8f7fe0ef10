package autoscaling_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purehpa/hpa/calculator/autoscaling"
)

const fallenBack = `{"scaleTargetRef":{"kind":"Deployment","name":"web","apiVersion":"apps/v1"},"minReplicas":1,"maxReplicas":9,"metrics":[` +
	`{"type":"External","external":{"metric":{"name":"jobs"},"target":{"type":"AverageValue","averageValue":"10"},"fallback":{"failureDurationSeconds":300,"replicas":4}}},` +
	`{"type":"Proposal","proposal":{"name":"forecast","fallback":{"replicas":5,"behavior":"currentReplicasIfHigher"}}}]}`

// Fallbacks and proposals are read and written, defaulted, copied and resolved.
func TestFallback(t *testing.T) {
	var s autoscaling.HorizontalPodAutoscalerSpec
	require.NoError(t, json.Unmarshal([]byte(fallenBack), &s))
	require.Equal(t, fallenBack, s.String())
	require.True(t, s.HasFallback())
	require.True(t, s.ScalesFromZero())
	c := s.Clone()
	require.Equal(t, &s, c)
	c.SetDefaults()
	require.Equal(t, int32(180), *c.Metrics[1].Fallback().FailureDurationSeconds)
	*c.Metrics[0].Fallback().FailureDurationSeconds = 7
	c.Metrics[1].Proposal.Name = "other"
	require.Equal(t, fallenBack, s.String(), "a copy shares nothing")
	require.Equal(t, 5*time.Minute, s.Metrics[0].Fallback().After())
	require.Equal(t, 3*time.Minute, s.Metrics[1].Fallback().After())
	require.Equal(t, autoscaling.Metric{Source: "Proposal", Name: "forecast", HasFallback: true}, s.Metrics[1].Resolve())

	s.Metrics[0].Type, s.Metrics[1].Type = "Object", "External"
	require.False(t, s.HasFallback(), "of other types")
	require.Nil(t, (*autoscaling.MetricSpec)(nil).Fallback())
	require.False(t, (*autoscaling.HorizontalPodAutoscalerSpec)(nil).HasFallback())
	require.False(t, (*autoscaling.HorizontalPodAutoscalerSpec)(nil).ScalesFromZero())
	require.Equal(t, autoscaling.Metric{}, (&autoscaling.MetricSpec{Type: "Proposal"}).Resolve())
}

func TestFallbackPropose(t *testing.T) {
	for behavior, want := range map[autoscaling.FallbackBehavior][2]int32{
		"": {5, 5}, "static": {5, 5}, "currentReplicas": {3, 7}, "currentReplicasIfHigher": {5, 7}, "currentReplicasIfLower": {3, 5},
	} {
		f := autoscaling.ExternalMetricFallback{Replicas: 5, Behavior: behavior}
		require.Equal(t, want, [2]int32{f.Propose(3), f.Propose(7)}, behavior)
	}
}

func TestFallbackComplaints(t *testing.T) {
	var s autoscaling.HorizontalPodAutoscalerSpec
	require.NoError(t, json.Unmarshal([]byte(fallenBack), &s))
	s.Metrics = s.Metrics[:1]
	require.NoError(t, s.Validate().Err())
	f := s.Metrics[0].Fallback()
	*f.FailureDurationSeconds, f.Replicas, f.Behavior = 179, 0, "median"
	require.EqualError(t, s.Validate().Err(), `[spec.metrics[0].external.fallback.failureDurationSeconds: Invalid value: 179: must be greater than or equal to 180, `+
		`spec.metrics[0].external.fallback.replicas: Invalid value: 0: must be greater than 0, `+
		`spec.metrics[0].external.fallback.behavior: Unsupported value: "median": supported values: "currentReplicas", "currentReplicasIfHigher", "currentReplicasIfLower", "static"]`)
	*f.FailureDurationSeconds, f.Replicas, f.Behavior = 180, 1, ""
	require.NoError(t, s.Validate().Err())
}

// A spec with proposals is fit to be decided on, if all else is.
func TestDecidable(t *testing.T) {
	s := autoscaling.NewSpec(0, 9, autoscaling.ProposalMetric("forecast"))
	require.Nil(t, s.ValidateForDecision(), "whatever it scales")
	s.ScaleTargetRef = autoscaling.CrossVersionObjectReference{Kind: "Deployment", Name: "web", APIVersion: "apps/v1"}
	require.Error(t, s.Validate().Err())
	require.NoError(t, s.ValidateForDecision().Err())
	s.MaxReplicas, s.Metrics[0].Proposal.Name = -1, ""
	s.Metrics[0].Proposal.Fallback = &autoscaling.ExternalMetricFallback{}
	require.Len(t, s.ValidateForDecision(), 4)
	require.Error(t, (*autoscaling.HorizontalPodAutoscalerSpec)(nil).ValidateForDecision().Err())
	s.Metrics[0] = autoscaling.MetricSpec{Type: autoscaling.ProposalMetricSourceType}
	require.Error(t, s.ValidateForDecision().Err())
}
