package wire

import (
	"strings"

	"github.com/purehpa/hpa/metrics"
)

// nextObject goes to the next item of a list in JSON, if there is one.
func (a *Answer) nextObject() bool {
	s := &a.text
	for !a.failed() {
		if a.within {
			if s.more(&a.item, ']') {
				a.itemObject()
				return !a.failed()
			}
			a.within = false
			continue
		}
		var key []byte
		if !s.member(&a.top, &key) {
			a.bad = s.bad || s.peek() != 0 || s.i < len(s.b) || a.seen&(kind|apiVersion) != kind|apiVersion
			return false
		}
		switch string(key) {
		case "kind":
			a.once(kind)
			a.bad = a.bad || string(s.plain()) != a.of.kind()
		case "apiVersion":
			a.once(apiVersion)
			a.version = a.of.version(s.plain())
			a.bad = a.bad || a.version == ""
		case "metadata":
			a.listMetadata()
		case "items":
			a.once(list)
			// The version says what the items' fields are called.
			a.bad = a.bad || a.version == "" && a.of == customMetrics
			a.within, a.item = s.open('['), true
		default:
			s.skip(0)
		}
	}
	return false
}

func (a *Answer) failed() bool {
	a.bad = a.bad || a.text.bad
	return a.bad
}

func (a *Answer) listMetadata() {
	s := &a.text
	s.open('{')
	var key []byte
	for first := true; s.member(&first, &key); {
		switch string(key) {
		case "selfLink", "resourceVersion", "continue":
			s.quoted()
		case "remainingItemCount", "shardInfo":
			s.bad = true
		default:
			s.skip(0)
		}
	}
}

// itemObject reads an item.
func (a *Answer) itemObject() {
	a.seen &= kind | apiVersion | list
	if a.of == podMetrics {
		a.podObject()
	} else {
		a.valueObject()
	}
}

// itemType reads the kind or the version of an item, which it mostly omits.
func (a *Answer) itemType(key []byte) {
	switch of := a.text.plain(); string(key) {
	case "kind":
		a.bad = a.bad || string(of) != strings.TrimSuffix(a.of.kind(), "List")
	case "apiVersion":
		a.bad = a.bad || a.of.version(of) == ""
	}
}

func (a *Answer) podObject() {
	s := &a.text
	s.open('{')
	var key []byte
	for first := true; s.member(&first, &key); {
		ok := true
		switch string(key) {
		case "metadata":
			a.once(metadata)
			a.podMetadata()
		case "timestamp":
			a.once(timestamp)
			a.Pod.Time, ok = a.instant(s.plain())
		case "window":
			a.once(windowField)
			a.Pod.Window, ok = a.duration(s.plain())
		case "containers":
			a.once(containers)
			s.open('[')
			for one := true; s.more(&one, ']'); {
				a.containerObject()
			}
		case "kind", "apiVersion":
			a.itemType(key)
		default:
			s.skip(0)
		}
		s.bad = s.bad || !ok
	}
}

func (a *Answer) podMetadata() {
	s := &a.text
	s.open('{')
	var key []byte
	for first := true; s.member(&first, &key); {
		switch string(key) {
		case "name":
			a.once(name)
			a.Pod.Name = s.plain()
		case "creationTimestamp":
			if !s.null() {
				_, ok := a.instant(s.plain())
				s.bad = s.bad || !ok
			}
		case "labels", "annotations":
			s.texts()
		case "namespace":
			a.in(s.plain())
		case "generateName", "selfLink", "uid", "resourceVersion":
			s.quoted()
		case "generation", "deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences", "finalizers", "managedFields":
			s.bad = true // no metrics have them
		default:
			s.skip(0)
		}
	}
}

func (a *Answer) containerObject() {
	s := &a.text
	var containerName []byte
	var value metrics.Milli
	var named, used, has bool
	s.open('{')
	var key []byte
	for first := true; s.member(&first, &key); {
		switch string(key) {
		case "name":
			s.bad, named = s.bad || named, true
			containerName = s.plain()
		case "usage":
			s.bad, used = s.bad || used, true
			s.open('{')
			var resource []byte
			for one := true; s.member(&one, &resource); {
				m, ok := quantity(s.plain())
				s.bad = s.bad || !ok
				if string(resource) == a.resource {
					value, has = m, true
				}
			}
		default:
			s.skip(0)
		}
	}
	a.add(containerName, value, has)
}

func (a *Answer) valueObject() {
	s := &a.text
	s.open('{')
	var key []byte
	for first := true; s.member(&first, &key); {
		ok := true
		switch string(key) {
		case "timestamp":
			a.once(timestamp)
			a.Value.Time, ok = a.instant(s.plain())
		case "window", "windowSeconds":
			ok = (string(key) == "windowSeconds") == (a.version == customBeta2)
			a.windowSeconds()
		case "value":
			a.once(value)
			a.Value.Value, ok = quantity(s.plain())
		case "kind", "apiVersion":
			a.itemType(key)
		default:
			ok = a.identityMember(key)
		}
		s.bad = s.bad || !ok
	}
}

// identityMember reads a member that says what a value is of. It reports whether the
// type of the list has it, unless no type does.
func (a *Answer) identityMember(key []byte) bool {
	s := &a.text
	switch string(key) {
	case "describedObject":
		a.objectReference()
		return a.of == customMetrics
	case "metric":
		a.metricIdentifier()
		return a.version == customBeta2
	case "metricName":
		a.named(s.plain())
		return a.version != customBeta2
	case "metricLabels":
		s.textsOrNull()
		return a.of == externalMetrics
	case "selector":
		s.selector()
		return a.version == customBeta1
	}
	s.skip(0)
	return true
}

func (a *Answer) objectReference() {
	s := &a.text
	a.once(object)
	s.open('{')
	var key []byte
	for first := true; s.member(&first, &key); {
		switch string(key) {
		case "name":
			a.once(name)
			a.Value.Name = s.plain()
		case "namespace":
			a.in(s.plain())
		case "kind", "uid", "apiVersion", "resourceVersion", "fieldPath":
			s.quoted()
		default:
			s.skip(0)
		}
	}
}

func (a *Answer) metricIdentifier() {
	s := &a.text
	a.once(metric)
	s.open('{')
	var key []byte
	for first := true; s.member(&first, &key); {
		switch string(key) {
		case "name":
			a.named(s.plain())
		case "selector":
			s.selector()
		default:
			s.skip(0)
		}
	}
}

// windowSeconds reads a window. A null is none.
func (a *Answer) windowSeconds() {
	if a.text.null() {
		return
	}
	a.once(windowField)
	seconds := a.text.integer()
	a.Value.Window = Window(&seconds)
}

// selector reads a label selector, which does not matter.
func (s *scanner) selector() {
	if s.null() {
		return
	}
	s.open('{')
	var key []byte
	for first := true; s.member(&first, &key); {
		switch string(key) {
		case "matchLabels":
			s.textsOrNull()
		case "matchExpressions":
			s.open('[')
			for one := true; s.more(&one, ']'); {
				s.requirement()
			}
		default:
			s.skip(0)
		}
	}
}

// requirement reads an expression of a label selector.
func (s *scanner) requirement() {
	s.open('{')
	var key []byte
	for first := true; s.member(&first, &key); {
		switch string(key) {
		case "key", "operator":
			s.quoted()
		case "values":
			s.open('[')
			for one := true; s.more(&one, ']'); {
				s.quoted()
			}
		default:
			s.skip(0)
		}
	}
}
