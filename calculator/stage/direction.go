package stage

// Direction is the direction of a change of size. It is empty if the size does
// not change.
type Direction string

const (
	// Up is scaling up.
	Up Direction = "Up"
	// Down is scaling down.
	Down Direction = "Down"
)

// word is the direction after a verb.
func (d Direction) word() string {
	if d == Up {
		return "up"
	}
	return "down"
}
