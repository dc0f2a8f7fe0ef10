package release

// The minor versions that are known: Kubernetes 1.29 to 1.37.
const (
	Oldest = 29
	Newest = 37
)

// Release is a Kubernetes release and its feature gates. The zero Release is
// the newest, with the defaults of its gates. Releases are comparable.
type Release struct {
	// back is how many minor versions before the newest it is.
	back uint8
	// flipped has a bit for each gate that is not as the release has it by
	// default, by its place in gates.
	flipped uint8
}

// All returns the releases that are known, the oldest first, with the defaults
// of their gates.
func All() []Release {
	list := make([]Release, 0, Newest-Oldest+1)
	for minor := Oldest; minor <= Newest; minor++ {
		list = append(list, of(minor))
	}
	return list
}

func of(minor int) Release { return Release{back: uint8(Newest - minor)} }

// Minor returns the minor version, from [Oldest] to [Newest].
func (r Release) Minor() int { return Newest - int(r.back) }

// IsZero reports whether r is the newest release with the defaults of its
// gates.
func (r Release) IsZero() bool { return r == Release{} }

// patches are the patch releases, the newest first.
var patches = [...]string{
	"1.37.1", "1.36.3", "1.35.4", "1.34.4", "1.33.13", "1.32.13", "1.31.14", "1.30.14", "1.29.6",
}

// Patch returns the patch release that the library is compared with, such as
// "1.32.13".
func (r Release) Patch() string { return patches[r.back] }
