package conformance

import "math/rand/v2"

// Dice make all choices of a history. They are random numbers from a seed,
// draws of rapid, or bytes of a fuzzer. 0 is the plainest choice, so that
// smaller choices make a failure simpler.
type Dice interface {
	// Roll returns a number from 0 to n-1.
	Roll(n int) int
}

// Random returns the dice of a history of the seed.
func Random(seed, history uint64) Dice { return (*random)(rand.NewPCG(seed, history)) }

type random rand.PCG

func (r *random) Roll(n int) int {
	hi := uint64(uint32((*rand.PCG)(r).Uint64())) * uint64(n)
	return int(hi >> 32)
}

// Logged keeps the rolls of other dice.
type Logged struct {
	Dice
	Rolls []int
}

// Roll rolls the other dice.
func (l *Logged) Roll(n int) int {
	r := l.Dice.Roll(n)
	l.Rolls = append(l.Rolls, r)
	return r
}

// Replay repeats rolls, and rolls 0 after their end.
type Replay struct {
	Rolls []int
	at    int
}

// Roll returns the next one, cut to the range.
func (r *Replay) Roll(n int) int {
	if r.at >= len(r.Rolls) {
		return 0
	}
	v := min(r.Rolls[r.at], n-1)
	r.at++
	return v
}

// Bytes rolls a fuzzer's bytes, and 0 after their end.
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

// one reports true once in n rolls.
func one(d Dice, n int) bool { return d.Roll(n) == n-1 }

func pick[T any](d Dice, of ...T) T { return of[d.Roll(len(of))] }

// between returns a number from low to high.
func between(d Dice, low, high int) int { return low + d.Roll(high-low+1) }

func ptr[T any](v T) *T { return &v }
