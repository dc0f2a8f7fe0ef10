package kube

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/purehpa/hpa/podgroup"
)

// Pods converts the pods of one autoscaler from sync to sync. It converts only
// pods that are new or have changed, and keeps the rest. The zero Pods is ready
// to use, by one goroutine at a time. It may be dropped at any time: the next
// one converts all pods once.
//
// Objects in the cache of an informer never change: a pod that changed is
// another object. So a pod is the one of before if it is the same object, or if
// both have the same uid and resourceVersion. Pods does not see a change that
// is made to an object in place.
//
// Pods holds on to the objects of the last listing, and to no others. Once a
// listing is much shorter than those before, it lets go of their memory, and
// converts all pods.
type Pods struct {
	// Owned reports whether the pod belongs to the scale's target; nil means
	// that all do. It is asked once for each pod, as long as that stays the
	// same. Pods for which it is false are Foreign, which matters with
	// correction.Owners only.
	Owned func(*corev1.Pod) bool

	namespace string
	// pods are the result, in the order of the last listing, and order their
	// slots.
	pods  []podgroup.Pod
	order []int32

	// By slot: the object, what it is converted to, the round in which it was
	// last listed, and the slot listed after it. A pod stays in its slot,
	// wherever it is listed. A slot without an object is free.
	objects []*corev1.Pod
	slots   []podgroup.Pod
	seen    []uint32
	next    []int32
	round   uint32
	// index has a slot by name. Not all slots are in it where names repeat.
	index map[string]int32
	// fresh are the positions and slots to convert; a slot below 0 is not
	// assigned yet.
	fresh []place

	group podgroup.Group
	// prepared reports whether group was prepared from pods.
	prepared bool
}

// place is a position in the listing, and the slot of its pod.
type place struct{ at, slot int32 }

// Convert returns what [AppendPods] does for these pods, in their order. The
// result is good until the next call, and not to be changed.
//
// A pod that is listed where it was, or after the one that it was listed after,
// costs a comparison of pointers; one at any other place, a look-up of its
// name. A listing without new pods allocates nothing.
//
// On an error, which is an *Error as AppendPods has it, the result is nil, and
// that of before is no longer good. The pods that could be converted stay so.
func (c *Pods) Convert(listed []*corev1.Pod) ([]podgroup.Pod, error) {
	if c.unchanged(listed) {
		return c.pods, nil
	}
	c.start(listed)
	c.find(listed)
	if err := c.convert(listed); err != nil {
		// Where each pod is gets looked up by name next time.
		clear(c.pods)
		c.resize(0)
		return nil, err
	}
	c.forget()
	c.link()
	return c.pods, nil
}

// Group returns the group of the pods that the last Convert returned. It is
// prepared once for as long as they do not change, and good until the next
// Convert.
func (c *Pods) Group() *podgroup.Group {
	if !c.prepared {
		c.group.Prepare(c.pods)
		c.prepared = true
	}
	return &c.group
}

// unchanged reports whether these are the objects of the last listing, in
// order.
func (c *Pods) unchanged(listed []*corev1.Pod) bool {
	if len(listed) != len(c.order) {
		return false
	}
	for i, p := range listed {
		if c.objects[c.order[i]] != p {
			return false
		}
	}
	return true
}

// start begins a round. It starts anew where the pods of before are of another
// namespace, and so are no match for the first pod, or by far too many.
func (c *Pods) start(listed []*corev1.Pod) {
	other := len(listed) > 0 && listed[0] != nil && listed[0].Namespace != c.namespace
	if c.index == nil || other || len(c.slots) > 4*len(listed)+64 {
		*c = Pods{Owned: c.Owned, index: make(map[string]int32, len(listed))}
		if other {
			c.namespace = listed[0].Namespace
		}
	}
	c.round++
	c.fresh = c.fresh[:0]
}

// find puts the pods that stay where they are listed now, and the others into
// c.fresh.
func (c *Pods) find(listed []*corev1.Pod) {
	c.resize(len(listed))
	last := int32(-1)
	for i, p := range listed {
		here := c.order[i]
		slot, stays := c.slot(p, here, last)
		last = slot
		if !stays {
			c.order[i] = -1
			c.fresh = append(c.fresh, place{int32(i), c.claim(slot)})
			continue
		}
		c.objects[slot], c.seen[slot] = p, c.round
		if slot != here {
			c.put(i, slot)
		}
	}
}

// slot returns the slot of the pod's name, or -1, and whether the pod is what
// it was. It looks first where looking costs least: at the slot that was listed
// here, and at the one after the last. Maps, which listers list from, begin
// anywhere, but mostly go on as before.
func (c *Pods) slot(p *corev1.Pod, here, last int32) (slot int32, stays bool) {
	if p == nil {
		return -1, false
	}
	if here >= 0 && c.objects[here] == p {
		return here, true
	}
	if last >= 0 && c.objects[c.next[last]] == p {
		return c.next[last], true
	}
	// A copy, another version, or a pod that was at another position.
	switch {
	case here >= 0 && c.slots[here].Name == p.Name:
		slot = here
	case last >= 0 && c.slots[c.next[last]].Name == p.Name:
		slot = c.next[last]
	default:
		at, ok := c.index[p.Name]
		if !ok {
			return -1, false
		}
		slot = at
	}
	return slot, same(c.objects[slot], p)
}

// claim takes the slot for another object of its name. It returns -1 if a pod
// that is listed has it.
func (c *Pods) claim(slot int32) int32 {
	if slot < 0 || c.seen[slot] == c.round {
		return -1
	}
	c.objects[slot], c.seen[slot] = nil, c.round
	return slot
}

// link notes which slot follows which, and the first one the last.
func (c *Pods) link() {
	if len(c.order) == 0 {
		return
	}
	last := c.order[len(c.order)-1]
	for _, slot := range c.order {
		c.next[last] = slot
		last = slot
	}
}

// put puts the pod of the slot at position i.
func (c *Pods) put(i int, slot int32) {
	c.order[i], c.pods[i] = slot, c.slots[slot]
	c.prepared = false
}

// resize makes the result n pods long. New positions have no slot yet.
func (c *Pods) resize(n int) {
	if n == len(c.pods) {
		return
	}
	c.prepared = false
	if n < len(c.pods) {
		clear(c.pods[n:])
		c.pods, c.order = c.pods[:n], c.order[:n]
	}
	for len(c.pods) < n {
		c.pods, c.order = append(c.pods, podgroup.Pod{}), append(c.order, -1)
	}
}

// same reports whether b is known to be what a was.
func same(a, b *corev1.Pod) bool {
	return a == b || a != nil && a.UID != "" && a.UID == b.UID && a.ResourceVersion != "" && a.ResourceVersion == b.ResourceVersion
}

// convert converts the fresh pods. One without a slot gets that of a pod that
// has gone, or else a new one.
func (c *Pods) convert(listed []*corev1.Pod) *Error {
	free := 0
	for _, f := range c.fresh {
		slot := f.slot
		if slot < 0 {
			for free < len(c.slots) && c.seen[free] == c.round {
				free++
			}
			slot = int32(free)
			c.vacate(slot)
		}
		if err := convertAt(&c.slots[slot], listed, int(f.at)); err != nil {
			return err
		}
		p := listed[f.at]
		c.slots[slot].Foreign = c.Owned != nil && !c.Owned(p)
		if f.slot < 0 {
			c.index[p.Name] = slot
		}
		c.objects[slot], c.seen[slot] = p, c.round
		c.put(int(f.at), slot)
	}
	return nil
}

// vacate takes the pod out of the slot, but leaves its memory. The slot after
// the last one is added.
func (c *Pods) vacate(slot int32) {
	if int(slot) == len(c.slots) {
		c.objects, c.slots = append(c.objects, nil), append(c.slots, podgroup.Pod{})
		c.seen, c.next = append(c.seen, 0), append(c.next, 0)
	}
	c.objects[slot] = nil
	delete(c.index, c.slots[slot].Name)
}

// forget lets go of the pods that are no longer listed.
func (c *Pods) forget() {
	for slot := range c.slots {
		if c.seen[slot] != c.round {
			c.vacate(int32(slot))
			c.slots[slot] = podgroup.Pod{}
		}
	}
}
