package podusage

import "github.com/purehpa/hpa/metrics"

// nextObject goes to the next pod of a list in JSON, if there is one.
func (a *Answer) nextObject() bool {
	s := &a.text
	for !a.failed() {
		if a.within {
			if s.more(&a.item, ']') {
				a.pod()
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
			a.bad = a.bad || string(s.plain()) != listKind
		case "apiVersion":
			a.once(apiVersion)
			a.bad = a.bad || string(s.plain()) != listVersion
		case "metadata":
			a.listMetadata()
		case "items":
			a.once(list)
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

// pod reads a pod.
func (a *Answer) pod() {
	s := &a.text
	a.seen &= kind | apiVersion | list
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
			s.quoted()
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
			if s.peek() == 'n' {
				s.word("null")
			} else if _, ok := a.instant(s.plain()); !ok {
				s.bad = true
			}
		case "labels", "annotations":
			s.texts()
		case "namespace", "generateName", "selfLink", "uid", "resourceVersion":
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
