package release

import (
	"strconv"
	"strings"
)

// String returns the minor version and the gates that are set, as Parse reads
// them.
func (r Release) String() string {
	text := "1." + strconv.Itoa(r.Minor())
	for i, g := range gates {
		if r.flipped>>i&1 != 0 {
			text += "," + string(g.name) + "=" + strconv.FormatBool(r.Enabled(g.name))
		}
	}
	return text
}

// MarshalText returns what String returns. The error is nil.
func (r Release) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// ParseError is the error of a text that is not a release.
type ParseError struct {
	// Text is what was parsed.
	Text string
	// Problem says what is wrong with it.
	Problem string
}

func (e *ParseError) Error() string {
	return "release: " + strconv.Quote(e.Text) + ": " + e.Problem
}

// Parse parses a release such as "1.32", "v1.32.13" or "v1.32.13-gke.100", with
// any gates after it: "1.36,HPAScaleToZero=true". What follows the minor
// version does not matter. The error is a [*ParseError].
func Parse(s string) (Release, error) {
	fail := func(problem string) (Release, error) { return Release{}, &ParseError{s, problem} }
	version, rest, more := strings.Cut(s, ",")
	major, tail, found := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	digits := len(tail) - len(strings.TrimLeft(tail, "0123456789"))
	minor, err := strconv.Atoi(tail[:digits])
	if !found || err != nil || major != "1" || digits < len(tail) && !strings.ContainsRune(".-+", rune(tail[digits])) {
		return fail(`not a version of Kubernetes, such as "1.32" or "v1.32.13"`)
	}
	if minor < Oldest || minor > Newest {
		return fail("not among the releases known, " + All()[0].String() + " to " + Release{}.String())
	}
	r := of(minor)
	for more {
		var setting string
		setting, rest, more = strings.Cut(rest, ",")
		name, value, _ := strings.Cut(setting, "=")
		on, err := strconv.ParseBool(value)
		if err != nil {
			return fail("a gate is true or false, not " + strconv.Quote(setting))
		}
		if r, err = r.With(Gate(name), on); err != nil {
			return fail(err.Error())
		}
	}
	return r, nil
}

// MustParse is Parse for texts that are known to be right. It panics on an
// error.
func MustParse(s string) Release {
	r, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return r
}

// UnmarshalText parses a release. Empty text is the newest.
func (r *Release) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*r = Release{}
		return nil
	}
	parsed, err := Parse(string(text))
	if err == nil {
		*r = parsed
	}
	return err
}

func (e *GateError) Error() string {
	if e.AlwaysOn {
		return "the gate " + string(e.Gate) + " cannot be off in Kubernetes " + e.Release.String()
	}
	return "Kubernetes " + e.Release.String() + " has no gate " + strconv.Quote(string(e.Gate))
}
