package prove

import "sync"

// pieceTable keeps the pieces of views.
type pieceTable struct {
	lock sync.RWMutex
	all  map[string][]piece
}

func newPieceTable() *pieceTable { return &pieceTable{all: map[string][]piece{}} }

func (t *pieceTable) get(id string) ([]piece, bool) {
	t.lock.RLock()
	defer t.lock.RUnlock()
	p, ok := t.all[id]
	return p, ok
}

func (t *pieceTable) put(id string, p []piece) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.all[id] = p
}
