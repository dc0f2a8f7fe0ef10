package calculator

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/behavior/field"
)

// LabelSelectorOperator relates a label's value to the values of a
// [LabelSelectorRequirement].
type LabelSelectorOperator string

// The operators of meta/v1.
const (
	// LabelSelectorOpIn asks for one of the values.
	LabelSelectorOpIn LabelSelectorOperator = "In"
	// LabelSelectorOpNotIn asks for none of the values.
	LabelSelectorOpNotIn LabelSelectorOperator = "NotIn"
	// LabelSelectorOpExists asks for the label, whatever its value.
	LabelSelectorOpExists LabelSelectorOperator = "Exists"
	// LabelSelectorOpDoesNotExist asks for the label not to be there.
	LabelSelectorOpDoesNotExist LabelSelectorOperator = "DoesNotExist"
)

// LabelSelector selects by labels, LabelSelector of meta/v1. All of its
// requirements must hold; an empty selector selects everything. Within this
// package it takes part in texts alone: what it selects is the caller's matter.
type LabelSelector struct {
	// MatchLabels asks for these labels with these values.
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
	// MatchExpressions are further requirements.
	MatchExpressions []LabelSelectorRequirement `json:"matchExpressions,omitempty"`
}

// LabelSelectorRequirement asks something of one label.
type LabelSelectorRequirement struct {
	// Key is the label.
	Key string `json:"key"`
	// Operator relates the label's value to Values.
	Operator LabelSelectorOperator `json:"operator"`
	// Values are at least one for In and NotIn, and none for Exists and
	// DoesNotExist.
	Values []string `json:"values,omitempty"`
}

// String returns what Kubernetes prints for the selector within the name of a
// metric, which is "nil" for a nil selector.
func (s *LabelSelector) String() string { return string(s.AppendText(nil)) }

// AppendText appends what [LabelSelector.String] returns, and allocates nothing
// beyond dst for up to 8 labels.
func (s *LabelSelector) AppendText(dst []byte) []byte {
	if s == nil {
		return append(dst, "nil"...)
	}
	dst = append(dst, "&LabelSelector{MatchLabels:map[string]string{"...)
	var room [8]string
	keys := room[:0]
	for k := range s.MatchLabels {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		dst = append(dst, k...)
		dst = append(dst, ": "...)
		dst = append(dst, s.MatchLabels[k]...)
		dst = append(dst, ',')
	}
	dst = append(dst, "},MatchExpressions:[]LabelSelectorRequirement{"...)
	for i := range s.MatchExpressions {
		r := &s.MatchExpressions[i]
		dst = append(dst, "LabelSelectorRequirement{Key:"...)
		dst = append(dst, r.Key...)
		dst = append(dst, ",Operator:"...)
		dst = append(dst, r.Operator...)
		dst = append(dst, ",Values:["...)
		for j, v := range r.Values {
			if j > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, v...)
		}
		dst = append(dst, "],},"...)
	}
	return append(dst, "},}"...)
}

// Clone returns a deep copy; nil for nil.
func (s *LabelSelector) Clone() *LabelSelector {
	if s == nil {
		return nil
	}
	c := &LabelSelector{
		MatchLabels:      maps.Clone(s.MatchLabels),
		MatchExpressions: slices.Clone(s.MatchExpressions),
	}
	for i := range c.MatchExpressions {
		r := &c.MatchExpressions[i]
		r.Values = slices.Clone(r.Values)
	}
	return c
}

// UnknownOperatorError is a label selector's operator that meta/v1 does not know.
type UnknownOperatorError struct {
	// Operator is the one at fault.
	Operator LabelSelectorOperator
}

// Error returns the text that LabelSelectorAsSelector of meta/v1 gives.
func (e *UnknownOperatorError) Error() string {
	return strconv.Quote(string(e.Operator)) + " is not a valid label selector operator"
}

// Problem returns why a metric cannot be asked for with the selector, and nil
// when it can: the error of meta/v1's LabelSelectorAsSelector. The controller
// finds it when it computes the metric, for the API server accepts any selector.
// It is a [field.ErrorList] with paths such as "key" and "values[0][app]", or an
// [*UnknownOperatorError]. Where several labels are at fault, it is the first one
// by name; Kubernetes takes any. A nil selector has no problem. Problem
// allocates only for one.
func (s *LabelSelector) Problem() error {
	if s == nil {
		return nil
	}
	bad, found := "", false
	for k, v := range s.MatchLabels {
		if (!labelKey(k) || !labelValue(v)) && (!found || cmp.Less(k, bad)) {
			bad, found = k, true
		}
	}
	if found {
		var errs field.ErrorList
		errs = appendKeyProblem(errs, bad)
		return appendValueProblem(errs, bad, 0, s.MatchLabels[bad])
	}
	for i := range s.MatchExpressions {
		r := &s.MatchExpressions[i]
		var errs field.ErrorList
		switch r.Operator {
		case LabelSelectorOpIn, LabelSelectorOpNotIn:
			errs = appendKeyProblem(errs, r.Key)
			if len(r.Values) == 0 {
				errs = append(errs, badValues(r.Values, "for 'in', 'notin' operators, values set can't be empty"))
			}
		case LabelSelectorOpExists, LabelSelectorOpDoesNotExist:
			errs = appendKeyProblem(errs, r.Key)
			if len(r.Values) != 0 {
				errs = append(errs, badValues(r.Values, "values set must be empty for exists and does not exist"))
			}
		default:
			return &UnknownOperatorError{Operator: r.Operator}
		}
		for j, v := range r.Values {
			errs = appendValueProblem(errs, r.Key, j, v)
		}
		if len(errs) > 0 {
			return errs
		}
	}
	return nil
}

func appendKeyProblem(errs field.ErrorList, key string) field.ErrorList {
	if labelKey(key) {
		return errs
	}
	return append(errs, field.Invalid("key", key, strings.Join(labelKeyProblems(key), "; ")))
}

func appendValueProblem(errs field.ErrorList, key string, i int, value string) field.ErrorList {
	if labelValue(value) {
		return errs
	}
	path := "values[" + strconv.Itoa(i) + "][" + key + "]"
	return append(errs, field.Invalid(path, value, strings.Join(labelValueProblems(value), "; ")))
}

func badValues(values []string, detail string) *field.Error {
	if len(values) == 0 {
		values = nil // printed as null, whether the list is nil or empty
	}
	return field.Invalid("values", slices.Clone(values), detail)
}
