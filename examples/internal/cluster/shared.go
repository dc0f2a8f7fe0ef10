package cluster

import (
	"context"
	"errors"
	"sync"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/purehpa/hpa/calculator/kube"
)

// sharedFor is how long a namespace's last answer is kept, and with it that
// sharing was of no use there.
const sharedFor = 5 * time.Minute

// shared lets autoscalers of a namespace share an answer about all of its pods.
type shared struct {
	mu   sync.Mutex
	last map[string]*sharedAnswer // by namespace
}

// sharedAnswer is asked for, or was.
type sharedAnswer struct {
	begun  time.Time
	done   chan struct{} // closed once there is the rest
	answer kube.Answer
	list   *podMetricsList // nil if the answer cannot be divided
	expiry *time.Timer     // keeps it from being collected

	mu   sync.Mutex
	used int // how many pods autoscalers were interested in
}

// ask returns the answer about the selected pods out of one about all pods of
// the namespace that was asked for since a time. It returns false if none can be
// shared there.
func (s *shared) ask(ctx context.Context, namespace string, selector labels.Selector, since time.Time, all func(context.Context) kube.Answer) (kube.Answer, bool) {
	s.mu.Lock()
	a := s.last[namespace]
	if a == nil || a.begun.Before(since) {
		if a.useless() {
			s.mu.Unlock()
			return kube.Answer{}, false
		}
		a = s.begin(ctx, namespace, all)
	}
	s.mu.Unlock()
	select {
	case <-a.done:
	case <-ctx.Done():
		return kube.Answer{Err: ctx.Err()}, true
	}
	return a.about(selector)
}

// begin asks for an answer, which others wait for, too, so it does not end with
// the context.
func (s *shared) begin(ctx context.Context, namespace string, all func(context.Context) kube.Answer) *sharedAnswer {
	a := &sharedAnswer{begun: time.Now(), done: make(chan struct{})}
	if s.last == nil {
		s.last = map[string]*sharedAnswer{}
	}
	if old := s.last[namespace]; old != nil {
		old.expiry.Stop()
	}
	s.last[namespace] = a
	a.expiry = time.AfterFunc(sharedFor, func() { s.drop(namespace, a) })
	go func() {
		defer close(a.done)
		a.answer = all(context.WithoutCancel(ctx))
		if a.answer.Err == nil {
			a.list, _ = divide(a.answer.Body) // else each asks for its own
		}
	}()
	return a
}

// drop forgets an answer, unless there is a later one.
func (s *shared) drop(namespace string, a *sharedAnswer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last[namespace] == a {
		delete(s.last, namespace)
	}
}

// useless reports that sharing did not pay: the answer could not be divided, or less
// than half of its pods were asked about.
func (a *sharedAnswer) useless() bool {
	if a == nil {
		return false
	}
	select {
	case <-a.done:
	default:
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.answer.Err == nil && (a.list == nil || 2*a.used < len(a.list.items))
}

// about returns the answer about the selected pods.
func (a *sharedAnswer) about(selector labels.Selector) (kube.Answer, bool) {
	if a.answer.Err != nil {
		return a.answer, true
	}
	if a.list == nil {
		return kube.Answer{}, false
	}
	body, n, err := a.list.about(selector)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used += n
	return kube.Answer{Body: body}, err == nil
}

// podMetricsList is a PodMetricsList in Kubernetes' protobuf, divided by pods.
type podMetricsList struct {
	envelope runtime.Unknown // without the list
	rest     []byte          // the list's fields but the items
	items    []podMetricsItem
}

type podMetricsItem struct {
	labels labels.Set
	field  []byte // of the list, with its tag
}

// magic begins whatever is in Kubernetes' protobuf.
const magic = "k8s\x00"

// Fields, as generated.proto of k8s.io/metrics numbers them.
const (
	itemsOfList    protowire.Number = 2
	metadataOfItem protowire.Number = 1
)

var errIndivisible = errors.New("not a PodMetricsList in protobuf with the pods' labels")

// divide divides the body of an answer. An API that leaves out the labels of the
// pods gives nothing to select by.
func divide(body []byte) (*podMetricsList, error) {
	l := new(podMetricsList)
	if len(body) < len(magic) || string(body[:len(magic)]) != magic {
		return nil, errIndivisible
	}
	if err := l.envelope.Unmarshal(body[len(magic):]); err != nil {
		return nil, err
	}
	b, labeled := l.envelope.Raw, false
	l.envelope.Raw = nil
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeField(b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		field := b[:n:n]
		b = b[n:]
		if number != itemsOfList || kind != protowire.BytesType {
			l.rest = append(l.rest, field...)
			continue
		}
		found, err := labelsOf(field)
		if err != nil {
			return nil, err
		}
		labeled = labeled || len(found) > 0
		l.items = append(l.items, podMetricsItem{found, field})
	}
	if len(l.items) > 0 && !labeled {
		return nil, errIndivisible
	}
	return l, nil
}

// labelsOf returns the labels of an item.
func labelsOf(field []byte) (labels.Set, error) {
	_, _, n := protowire.ConsumeTag(field)
	item, _ := protowire.ConsumeBytes(field[n:])
	var meta metav1.ObjectMeta
	for len(item) > 0 {
		number, kind, n := protowire.ConsumeField(item)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		if number == metadataOfItem && kind == protowire.BytesType {
			_, _, tag := protowire.ConsumeTag(item)
			b, _ := protowire.ConsumeBytes(item[tag:])
			if err := meta.Unmarshal(b); err != nil {
				return nil, err
			}
		}
		item = item[n:]
	}
	return meta.Labels, nil
}

// about returns the body of an answer about the selected pods, and how many it
// has.
func (l *podMetricsList) about(selector labels.Selector) (body []byte, n int, err error) {
	list := l.rest[:len(l.rest):len(l.rest)]
	for _, item := range l.items {
		if selector.Matches(item.labels) {
			list = append(list, item.field...)
			n++
		}
	}
	whole := l.envelope
	whole.Raw = list
	b, err := whole.Marshal()
	return append([]byte(magic), b...), n, err
}
