package conformance

import "math/rand/v2"

// Dice make all choices of a history: random numbers from a seed, a rapid draw,
// or the bytes of a fuzzer. 0 is the plainest choice, so that a failure can be
// made smaller by making its choices smaller.
type Dice interface {
	// Roll returns a number from 0 to n-1.
	Roll(n int) int
}

// Random rolls from a seed and the number of a history.
func Random(seed, history uint64) Dice { return (*random)(rand.NewPCG(seed, history)) }

type random rand.PCG

func (r *random) Roll(n int) int {
	hi := uint64(uint32((*rand.PCG)(r).Uint64())) * uint64(n)
	return int(hi >> 32)
}

// Logged rolls other dice, and keeps what they said.
type Logged struct {
	Dice
	Rolls []int
}

// Roll rolls.
func (l *Logged) Roll(n int) int {
	r := l.Dice.Roll(n)
	l.Rolls = append(l.Rolls, r)
	return r
}

// Replay rolls what a log says, and 0 after its end.
type Replay struct {
	Rolls []int
	at    int
}

// Roll returns the next number of the log, cut to the range.
func (r *Replay) Roll(n int) int {
	if r.at >= len(r.Rolls) {
		return 0
	}
	v := min(r.Rolls[r.at], n-1)
	r.at++
	return v
}

// Bytes rolls what a fuzzer says, and 0 after its end.
type Bytes []byte

// Roll takes a byte, or two for a large range.
func (b *Bytes) Roll(n int) int {
	v := 0
	for size := 1; len(*b) > 0; size <<= 8 {
		v = v<<8 | int((*b)[0])
		*b = (*b)[1:]
		if size<<8 >= n {
			break
		}
	}
	return v % n
}

// one is true once in n rolls.
func one(d Dice, n int) bool { return d.Roll(n) == n-1 }

func pick[T any](d Dice, of ...T) T { return of[d.Roll(len(of))] }

// between returns a number from low to high.
func between(d Dice, low, high int) int { return low + d.Roll(high-low+1) }

func ptr[T any](v T) *T { return &v }
