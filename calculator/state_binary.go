package calculator

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"time"

	"github.com/purehpa/hpa/calculator/autoscaling"
	"github.com/purehpa/hpa/stabilize/codec"
)

// The binary form of a State, with numbers and texts as package codec writes
// them, and times as appendTime does:
//
//	"hpa:" 1             tag and version, 2 if metrics are failing
//	desired replicas
//	last scale time
//	start
//	n                    conditions:
//	  type, status       the status as its index in conditionStatuses
//	  reason, message
//	  transition time
//	  generation
//	recommendations
//	events
//	n                    failing metrics, in version 2:
//	  name, since
//	checksum             CRC-32 of all that in 4 bytes, the lowest first
const (
	stateTag     = "hpa:"
	checksumSize = 4
)

var conditionStatuses = [...]autoscaling.ConditionStatus{autoscaling.ConditionFalse, autoscaling.ConditionTrue, autoscaling.ConditionUnknown}

// AppendBinary appends the state in its compact form: mostly 6 or 7 bytes for
// each recommendation and event, and the conditions' texts. The same state
// always gives the same bytes. The error is a *field.Error, for a state that no
// decision makes; dst is then unchanged.
func (s State) AppendBinary(dst []byte) ([]byte, error) {
	if err := s.check("state."); err != nil {
		return dst, err
	}
	b := append(dst, stateTag...)
	b = append(b, byte(s.version()))
	b = binary.AppendUvarint(b, uint64(s.DesiredReplicas))
	b = appendTime(b, s.LastScaleTime)
	b = appendTime(b, s.Started)
	b = binary.AppendUvarint(b, uint64(len(s.Conditions)))
	for i := range s.Conditions {
		b = appendCondition(b, &s.Conditions[i])
	}
	b = s.Recommendations.AppendBinary(b)
	b = s.Events.AppendBinary(b)
	if len(s.Failing) > 0 {
		b = binary.AppendUvarint(b, uint64(len(s.Failing)))
		for _, m := range s.Failing {
			b = appendTime(codec.AppendString(b, shown(m.Metric)), m.Since)
		}
	}
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b[len(dst):])), nil
}

// MarshalBinary returns what AppendBinary appends.
func (s State) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

func appendCondition(b []byte, c *autoscaling.HorizontalPodAutoscalerCondition) []byte {
	b = codec.AppendString(b, string(c.Type))
	for i, status := range conditionStatuses {
		if c.Status == status {
			b = append(b, byte(i))
		}
	}
	b = codec.AppendString(b, shown(c.Reason))
	b = codec.AppendString(b, shown(c.Message))
	b = appendTime(b, c.LastTransitionTime)
	return binary.AppendVarint(b, c.ObservedGeneration)
}

// UnmarshalBinary reads what AppendBinary writes, and nothing else. The error
// is a *codec.Error with the offset; s is then unchanged.
func (s *State) UnmarshalBinary(data []byte) error {
	body := data[:max(0, len(data)-checksumSize)]
	r := codec.NewReader(stateType, body)
	version := r.Tag(stateTag, stateJSONVersion, stateFailingVersion)
	t := State{
		DesiredReplicas: int32(r.Uvarint("desired replicas", math.MaxInt32)),
		LastScaleTime:   readTime(r),
		Started:         readTime(r),
	}
	for range r.Uvarint("conditions", MaxConditions) {
		t.readCondition(r)
	}
	t.Recommendations.ReadBinary(r)
	t.Events.ReadBinary(r)
	if version == stateFailingVersion {
		t.readFailing(r)
	}
	r.End()
	if r.Err() == nil && binary.LittleEndian.Uint32(data[len(body):]) != crc32.ChecksumIEEE(body) {
		r.Fail(len(body), "wrong checksum")
	}
	if err := r.Err(); err != nil {
		return err
	}
	*s = t
	return nil
}

// readFailing reads the failing metrics, of which there are some.
func (s *State) readFailing(r *codec.Reader) {
	start := r.Offset()
	for range r.Uvarint("failing metrics", MaxFailing) {
		s.Failing = append(s.Failing, FailingMetric{r.String("metric", MaxMessageLength), readTime(r)})
	}
	if err := s.check(""); r.Err() == nil && (err != nil || len(s.Failing) == 0) {
		r.Fail(start, "failing metrics: none, or one twice")
	}
}

// readCondition reads the next condition.
func (s *State) readCondition(r *codec.Reader) {
	start := r.Offset()
	s.Conditions = append(s.Conditions, autoscaling.HorizontalPodAutoscalerCondition{
		Type:               autoscaling.HorizontalPodAutoscalerConditionType(r.String("type", math.MaxUint8)),
		Status:             conditionStatuses[r.Byte("status", byte(len(conditionStatuses)-1))],
		Reason:             r.String("reason", MaxMessageLength),
		Message:            r.String("message", MaxMessageLength),
		LastTransitionTime: readTime(r),
		ObservedGeneration: r.Varint(),
	})
	if err := s.checkCondition(len(s.Conditions)-1, ""); err != nil && r.Err() == nil {
		r.Fail(start, "%s: %s", err.Field, err.Problem())
	}
}

// appendTime appends a time: 0 for the zero time.Time, and else 1, the seconds
// since 1970 as a varint, and the nanoseconds within the second as a uvarint.
// Location and monotonic clock are dropped.
func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, 0)
	}
	b = binary.AppendVarint(append(b, 1), t.Unix())
	return binary.AppendUvarint(b, uint64(t.Nanosecond()))
}

// readTime reads a time as appendTime writes it, in UTC.
func readTime(r *codec.Reader) time.Time {
	start := r.Offset()
	if r.Byte("time", 1) == 0 {
		return time.Time{}
	}
	sec := r.Varint()
	t := time.Unix(sec, int64(r.Uvarint("nanoseconds", uint64(time.Second)-1))).UTC()
	if r.Err() != nil {
		return time.Time{}
	}
	if t.IsZero() {
		r.Fail(start, "zero time in full")
	}
	return t
}
