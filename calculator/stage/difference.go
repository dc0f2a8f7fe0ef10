package stage

import (
	"github.com/purehpa/hpa/calculator/correction"
	"github.com/purehpa/hpa/calculator/release"
)

// Quirk is a difference between the release that the decision follows and the
// newest one. It mattered to the stage. See package release.
type Quirk struct {
	// Name is the quirk's name, such as "ToleranceByDistance", and Kind what it
	// affects. Sentences mention quirks of the kind release.Decides only.
	Name string       `json:"name"`
	Kind release.Kind `json:"kind"`
	// Release is the release that the decision follows, and Did what it does.
	Release release.Release `json:"release"`
	Did     string          `json:"did"`
	// Newest is the newest release, and Does what it does instead.
	Newest release.Release `json:"newest"`
	Does   string          `json:"does"`
}

// ListQuirks returns the quirks of the set, which are those of release r.
func ListQuirks(r release.Release, set release.Quirks) (list []Quirk) {
	for q := range set.All() {
		row := q.Row()
		list = append(list, Quirk{Name: row.Name, Kind: row.Kind, Release: r, Did: row.Did, Does: row.Does})
	}
	return list
}

// Correction is a correction that mattered to the stage. See package
// correction.
type Correction struct {
	// Name is the correction's name, such as "Truncation".
	Name string `json:"name"`
	// Does is what the correction does, and Did what Kubernetes does.
	Does string `json:"does"`
	Did  string `json:"did"`
}

// ListCorrections returns the corrections of the set.
func ListCorrections(set correction.Set) (list []Correction) {
	for c := range set.All() {
		row := c.Row()
		list = append(list, Correction{Name: row.Name, Does: row.Does, Did: row.Did})
	}
	return list
}

// appendDifferences writes a line for each quirk that decides and each
// correction.
func appendDifferences(w *writer, indent string, quirks []Quirk, corrections []Correction) {
	for i := range quirks {
		if q := &quirks[i]; q.Kind == release.Decides {
			w.say("\n%sRelease: Kubernetes %s %s; %s %s.", indent, q.Release, plain(q.Did), q.Newest, plain(q.Does))
		}
	}
	for i := range corrections {
		c := &corrections[i]
		w.say("\n%sCorrected: %s %s; Kubernetes %s.", indent, plain(c.Name), plain(c.Does), plain(c.Did))
	}
}
