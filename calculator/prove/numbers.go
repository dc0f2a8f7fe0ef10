package prove

import "sync"

// numbers number values, as places are bytes.
type numbers[T comparable] struct {
	lock sync.Mutex
	ids  map[T]uint32
	all  []T
}

// numbersFrom returns numbers of which 0 is that of a value.
func numbersFrom[T comparable](first T) *numbers[T] {
	return &numbers[T]{ids: map[T]uint32{first: 0}, all: []T{first}}
}

func (n *numbers[T]) number(value T) uint32 {
	n.lock.Lock()
	defer n.lock.Unlock()
	id, ok := n.ids[value]
	if !ok {
		id = uint32(len(n.all))
		n.ids[value] = id
		n.all = append(n.all, value)
	}
	return id
}

func (n *numbers[T]) of(id uint32) T {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.all[id]
}
