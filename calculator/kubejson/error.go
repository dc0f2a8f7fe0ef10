package kubejson

import "strconv"

// Error says what is wrong with a document: one line, with little of the
// document in it.
type Error struct {
	// Document is what was being read, such as "pods" or "horizontal pod
	// autoscaler".
	Document string
	// Path is where in the document, such as
	// "items[3].spec.containers[0].resources.requests.cpu"; "" for the whole.
	Path string
	// Problem is what is wrong there.
	Problem string
}

// Error returns all three.
func (e *Error) Error() string {
	s := "kubejson: " + e.Document + ": "
	if e.Path != "" {
		s += e.Path + ": "
	}
	return s + e.Problem
}

// quoted is the most bytes of the input that an error quotes in one place.
const quoted = 40

// quote returns s as Go quotes it, cut where it is long.
func quote(s string) string {
	if len(s) > quoted {
		return strconv.Quote(s[:quoted]) + "..."
	}
	return strconv.Quote(s)
}
