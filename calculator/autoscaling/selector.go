package autoscaling

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/behavior/field"
	"github.com/purehpa/hpa/calculator/release"
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
	// LabelSelectorOpDoesNotExist asks for the label to be absent.
	LabelSelectorOpDoesNotExist LabelSelectorOperator = "DoesNotExist"
)

// The operators that a selector's text has and meta/v1 lacks. They compare
// whole numbers.
const (
	greaterThan LabelSelectorOperator = "Gt"
	lessThan    LabelSelectorOperator = "Lt"
)

// LabelSelector selects by labels, LabelSelector of meta/v1. All of its
// requirements must hold; an empty selector selects everything.
type LabelSelector struct {
	// MatchLabels asks for these labels with these values.
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
	// MatchExpressions are further requirements.
	MatchExpressions []LabelSelectorRequirement `json:"matchExpressions,omitempty"`
}

// LabelSelectorRequirement is a requirement of one label.
type LabelSelectorRequirement struct {
	// Key is the label.
	Key string `json:"key"`
	// Operator relates the label's value to Values.
	Operator LabelSelectorOperator `json:"operator"`
	// Values are one or more for In and NotIn, none for Exists and
	// DoesNotExist.
	Values []string `json:"values,omitempty"`
}

// String returns what Kubernetes prints for the selector within the name of a
// metric, and "nil" for a nil selector.
func (s *LabelSelector) String() string {
	text, _ := s.AppendText(nil)
	return string(text)
}

// AppendText appends what [LabelSelector.String] returns, and allocates nothing
// beyond dst for up to 8 labels. The error is nil.
func (s *LabelSelector) AppendText(dst []byte) ([]byte, error) {
	if s == nil {
		return append(dst, "nil"...), nil
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
	return append(dst, "},}"...), nil
}

// Equal reports whether both selectors say the same in the same order. A nil
// selector is equal to a nil one only.
func (s *LabelSelector) Equal(t *LabelSelector) bool {
	if s == nil || t == nil {
		return s == t
	}
	return maps.Equal(s.MatchLabels, t.MatchLabels) &&
		slices.EqualFunc(s.MatchExpressions, t.MatchExpressions, func(a, b LabelSelectorRequirement) bool {
			return a.Key == b.Key && a.Operator == b.Operator && slices.Equal(a.Values, b.Values)
		})
}

// Short returns the selector as kubectl writes one: "app=web,tier in (a,b)". It
// is empty for a nil selector.
func (s *LabelSelector) Short() string {
	if s == nil {
		return ""
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		parts = append(parts, key+"="+s.MatchLabels[key])
	}
	for i := range s.MatchExpressions {
		switch e := &s.MatchExpressions[i]; e.Operator {
		case LabelSelectorOpExists:
			parts = append(parts, e.Key)
		case LabelSelectorOpDoesNotExist:
			parts = append(parts, "!"+e.Key)
		default:
			parts = append(parts, e.Key+" "+strings.ToLower(string(e.Operator))+" ("+strings.Join(e.Values, ",")+")")
		}
	}
	return strings.Join(parts, ",")
}

// Matches reports whether the selector selects what has the labels. A nil
// selector selects nothing, and a requirement with an unknown operator never
// holds.
func (s *LabelSelector) Matches(labels map[string]string) bool {
	if s == nil {
		return false
	}
	for key, want := range s.MatchLabels {
		if value, ok := labels[key]; !ok || value != want {
			return false
		}
	}
	for i := range s.MatchExpressions {
		if !s.MatchExpressions[i].matches(labels) {
			return false
		}
	}
	return true
}

func (r *LabelSelectorRequirement) matches(labels map[string]string) bool {
	value, ok := labels[r.Key]
	switch r.Operator {
	case LabelSelectorOpIn:
		return ok && slices.Contains(r.Values, value)
	case LabelSelectorOpNotIn:
		return !ok || !slices.Contains(r.Values, value)
	case LabelSelectorOpExists:
		return ok
	case LabelSelectorOpDoesNotExist:
		return !ok
	case greaterThan, lessThan:
		if !ok || len(r.Values) != 1 {
			return false
		}
		has, err := strconv.ParseInt(value, 10, 64)
		than, thanErr := strconv.ParseInt(r.Values[0], 10, 64)
		return err == nil && thanErr == nil && (has > than) == (r.Operator == greaterThan) && has != than
	}
	return false
}

// Clone returns a deep copy; nil for nil.
func (s *LabelSelector) Clone() *LabelSelector {
	if s == nil {
		return nil
	}
	c := LabelSelector{maps.Clone(s.MatchLabels), slices.Clone(s.MatchExpressions)}
	for i, r := range c.MatchExpressions {
		c.MatchExpressions[i].Values = slices.Clone(r.Values)
	}
	return &c
}

// UnknownOperatorError is a label selector's operator that meta/v1 does not
// know.
type UnknownOperatorError struct {
	// Operator is the one at fault.
	Operator LabelSelectorOperator
}

// Error returns the text that LabelSelectorAsSelector of meta/v1 gives.
func (e *UnknownOperatorError) Error() string {
	return fmt.Sprintf("%q is not a valid label selector operator", string(e.Operator))
}

// Problem returns why the selector cannot be sent to a metrics API: the error
// of meta/v1's LabelSelectorAsSelector. It is nil if nothing is wrong, and for
// a nil selector. The API server accepts any selector; the controller finds the
// problem when it computes the metric.
//
// It is a [field.ErrorList] with paths such as "key" and "values[0][app]", or
// an [*UnknownOperatorError]. Where several labels are at fault, it is the
// first one by name; Kubernetes takes any. Problem allocates only for one.
func (s *LabelSelector) Problem() error { return s.ProblemAs(0) }

// ProblemAs is like Problem in the words of a release with these quirks.
func (s *LabelSelector) ProblemAs(quirks release.Quirks) error {
	err := s.problem()
	if err == nil || quirks == 0 {
		return err
	}
	var list field.ErrorList
	if errors.As(err, &list) {
		reword(list, quirks)
	}
	return err
}

// reword puts complaints into the words of a release.
func reword(list field.ErrorList, quirks release.Quirks) {
	for _, e := range list {
		e.GoSyntax = quirks.Has(release.ValuesInGo)
		if quirks.Has(release.LabelsInCharacters) {
			e.Detail = strings.ReplaceAll(e.Detail, " bytes", " characters")
			e.Detail = strings.ReplaceAll(e.Detail, "a valid label key "+labelNameFormat, "a qualified name "+labelNameFormat)
		}
	}
}

func (s *LabelSelector) problem() error {
	if s == nil {
		return nil
	}
	bad, found := "", false
	for k, v := range s.MatchLabels {
		if (!found || k < bad) && (labelKeyProblems(k) != nil || labelValueProblems(v) != nil) {
			bad, found = k, true
		}
	}
	if found {
		r := LabelSelectorRequirement{Key: bad, Operator: LabelSelectorOpIn, Values: []string{s.MatchLabels[bad]}}
		return r.problem()
	}
	for i := range s.MatchExpressions {
		if err := s.MatchExpressions[i].problem(); err != nil {
			return err
		}
	}
	return nil
}

func (r *LabelSelectorRequirement) problem() error {
	var errs field.ErrorList
	wrong := ""
	switch r.Operator {
	case LabelSelectorOpIn, LabelSelectorOpNotIn:
		if len(r.Values) == 0 {
			wrong = "for 'in', 'notin' operators, values set can't be empty"
		}
	case LabelSelectorOpExists, LabelSelectorOpDoesNotExist:
		if len(r.Values) > 0 {
			wrong = "values set must be empty for exists and does not exist"
		}
	default:
		return &UnknownOperatorError{Operator: r.Operator}
	}
	if texts := labelKeyProblems(r.Key); texts != nil {
		errs = append(errs, field.Invalid("key", r.Key, strings.Join(texts, "; ")))
	}
	if wrong != "" {
		// A copy: it is nil, and printed as null, for an empty list.
		errs = append(errs, field.Invalid("values", append([]string(nil), r.Values...), wrong))
	}
	return append(errs, r.valueProblems()...).Err()
}

func (r *LabelSelectorRequirement) valueProblems() (errs field.ErrorList) {
	for i, v := range r.Values {
		if texts := labelValueProblems(v); texts != nil {
			errs = append(errs, field.Invalid(fmt.Sprintf("values[%d][%s]", i, r.Key), v, strings.Join(texts, "; ")))
		}
	}
	return errs
}
