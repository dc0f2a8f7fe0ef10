package autoscaling

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purehpa/hpa/behavior/field"
)

// parsedOperators are the operators between a key and its values, which nothing
// changes.
var parsedOperators = map[string]LabelSelectorOperator{
	"in": LabelSelectorOpIn, "=": LabelSelectorOpIn, "==": LabelSelectorOpIn,
	"notin": LabelSelectorOpNotIn, "!=": LabelSelectorOpNotIn,
	">": greaterThan, "<": lessThan,
}

// ParseLabelSelector parses a selector as kubectl's -l takes it and the
// status.selector of a scale has it: "app=web,tier in (a,b),!old". The empty
// string selects everything. Each requirement becomes one of MatchExpressions,
// "=" In with one value. The operators ">" and "<" become Gt and Lt, which
// Matches knows and Problem refuses, as meta/v1 has none.
//
// It is Parse of k8s.io/apimachinery/pkg/labels, and the error has its text.
func ParseLabelSelector(s string) (*LabelSelector, error) {
	p := selectorParser{rest: s}
	p.next()
	out := new(LabelSelector)
	for p.token != "" {
		if !p.atRequirement() {
			return nil, p.expected("found '%s', expected: !, identifier, or 'end of string'")
		}
		r, err := p.requirement()
		if err != nil {
			return nil, fmt.Errorf("unable to parse requirement: %w", err)
		}
		out.MatchExpressions = append(out.MatchExpressions, r)
		switch {
		case p.token != "" && p.token != ",":
			return nil, p.expected("found '%s', expected: ',' or 'end of string'")
		case p.next() == "," && !p.atRequirement():
			return nil, p.expected("found '%s', expected: identifier after ','")
		}
	}
	return out, nil
}

// selectorParser holds the token that is next, "" at the end, and what follows
// it.
type selectorParser struct{ token, rest string }

const (
	selectorSymbols = "=!(),<>"
	selectorSpace   = " \t\r\n"
)

// next returns the token and goes on to the one after it.
func (p *selectorParser) next() string {
	token, rest := p.token, strings.TrimLeft(p.rest, selectorSpace)
	end := strings.IndexAny(rest, selectorSymbols+selectorSpace)
	switch {
	case end < 0:
		end = len(rest)
	case strings.HasPrefix(rest, "=="), strings.HasPrefix(rest, "!="):
		end = 2
	case end == 0:
		end = 1
	}
	p.token, p.rest = rest[:end], rest[end:]
	return token
}

// atName reports whether the token is a key or a value; "in" may be either.
func (p *selectorParser) atName() bool {
	return p.token != "" && !strings.Contains(selectorSymbols, p.token[:1])
}

func (p *selectorParser) atRequirement() bool { return p.atName() || p.token == "!" }

func (p *selectorParser) expected(format string) error { return fmt.Errorf(format, p.token) }

func (p *selectorParser) requirement() (r LabelSelectorRequirement, err error) {
	r.Operator = LabelSelectorOpExists
	if p.token == "!" {
		r.Operator = LabelSelectorOpDoesNotExist
		p.next()
	}
	if !p.atName() {
		return r, p.expected("found '%s', expected: identifier")
	}
	r.Key = p.next()
	if texts := labelKeyProblems(r.Key); texts != nil {
		return r, field.Invalid("<nil>", r.Key, strings.Join(texts, "; ")) // upstream's path is nil
	}
	if r.Operator == LabelSelectorOpDoesNotExist || p.token == "" || p.token == "," {
		return r, nil
	}
	operator, ok := parsedOperators[p.token]
	if !ok {
		return r, p.expected("found '%s', expected: in, notin, =, ==, !=, gt, lt")
	}
	r.Operator = operator
	if token := p.next(); token == "in" || token == "notin" {
		r.Values, err = p.values()
	} else {
		r.Values, err = p.value()
	}
	if err != nil {
		return r, err
	}
	var errs field.ErrorList
	if operator == greaterThan || operator == lessThan {
		if _, err := strconv.ParseInt(r.Values[0], 10, 64); err != nil {
			errs = append(errs, field.Invalid("values[0]", r.Values[0], "for 'Gt', 'Lt' operators, the value must be an integer"))
		}
	}
	return r, append(errs, r.valueProblems()...).Err()
}

// value reads the one value of an operator such as "=". It may be left out.
func (p *selectorParser) value() ([]string, error) {
	switch {
	case p.token == "", p.token == ",":
		return []string{""}, nil
	case p.atName():
		return []string{p.next()}, nil
	}
	return nil, p.expected("found '%s', expected: identifier")
}

// values reads values in parentheses, and returns them sorted, each once. A
// value may be left out.
func (p *selectorParser) values() ([]string, error) {
	if p.token != "(" {
		return nil, p.expected("found '%s' expected: '('")
	}
	p.next()
	if !p.atName() && p.token != "," && p.token != ")" {
		return nil, p.expected("found '%s', expected: ',', ')' or identifier")
	}
	var values []string
	if p.token == ")" {
		values = []string{""}
	}
	for p.token != ")" {
		switch {
		case p.atName():
			values = append(values, p.next())
			if p.token != "," && p.token != ")" {
				return nil, p.expected("found '%s', expected: ',' or ')'")
			}
		case p.token != ",":
			return nil, p.expected("found '%s', expected: ',', or identifier")
		default:
			p.next()
			if len(values) == 0 || p.token == ")" || p.token == "," {
				values = append(values, "")
			}
		}
	}
	p.next()
	slices.Sort(values)
	return slices.Compact(values), nil
}
