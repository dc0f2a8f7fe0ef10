package release

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/purehpa/hpa/calculator/internal/words"
)

// Quirk is something that an older release, or one with a gate off, does
// differently from the newest. It is one bit of a [Quirks].
type Quirk uint32

// The quirks, in the order of the releases that removed them.
const (
	// FormatsTwice: messages of conditions and errors of selectors are
	// formatted twice, so that percent signs in them act as verbs.
	FormatsTwice Quirk = 1 << iota
	// NoContainerMetrics: ContainerResource metrics fail.
	NoContainerMetrics
	// ToleranceByDistance: a usage ratio is within tolerance if it is no
	// further from 1 than that. The difference from 1 is rounded, so that
	// ratios at the edge fall differently.
	ToleranceByDistance
	// OneTolerance: a behavior's tolerances do not count, and the API server
	// drops them.
	OneTolerance
	// ContainerRequired: one pod whose metrics lack the container fails a
	// ContainerResource metric.
	ContainerRequired
	// NoDescribedObject: the status of an Object metric with AverageValue does
	// not say which object.
	NoDescribedObject
	// NoPodLevelRequests: only containers request something.
	NoPodLevelRequests
	// DecimalMemory: a status shows memory in powers of 1000.
	DecimalMemory
	// ValuesInGo: errors show values in Go's notation, not in JSON: lists, and
	// strings of an enumeration.
	ValuesInGo
	// ExternalUnguarded: an External average that is as large as int64 gets is
	// divided by the pods.
	ExternalUnguarded
	// AbsentContainerRequestsZero: a pod without the container of a
	// ContainerResource metric requests nothing, which is no failure.
	AbsentContainerRequestsZero
	// LabelsInCharacters: errors of labels call bytes characters, and a label's
	// key a qualified name.
	LabelsInCharacters
	// ZeroByMinReplicas: at size zero, metrics decide if minReplicas is 0, even
	// if someone else scaled to zero.
	ZeroByMinReplicas
	// NoScaleToZero: at size zero nothing scales.
	NoScaleToZero
	// NoScaledToZero: the condition ScaledToZero is not set. With
	// NoScaleToZero, it is removed.
	NoScaledToZero
	// NoObservedGeneration: a status has no observedGeneration.
	NoObservedGeneration
	// ObjectErrorSwapped: the error of an Object metric stands in the middle of
	// its text.
	ObjectErrorSwapped
	// SharedSelectorByAll: the text about pods that several autoscalers select
	// names all of them.
	SharedSelectorByAll
	// ZeroMinReplicasRefused: the API server refuses minReplicas 0.
	ZeroMinReplicasRefused
	// APIVersionUnchecked: the API server accepts any apiVersion in references.
	APIVersionUnchecked
	// HandwrittenValidation: the API server complains of minReplicas and
	// maxReplicas first, not last, and twice of a metric's unknown type.
	HandwrittenValidation
	// MaxReplicasInvalid: the API server calls maxReplicas 0 invalid, not
	// missing.
	MaxReplicasInvalid
	end
)

// Row is a row of the table of quirks.
type Row struct {
	// Name is the quirk's name for machines. It does not change.
	Name string
	// Since is the first minor version without the quirk; 0 if the quirk
	// depends on the gate alone.
	Since int
	// Gate turns the quirk off where it is on; "" if there is no gate. A
	// release whose gate is off has the quirk.
	Gate Gate
	// Kind is what the quirk affects.
	Kind Kind
	// Did says what a release with the quirk does, Does what others do. Both
	// continue the name of a release, as in "Kubernetes 1.32 takes …".
	Did, Does string
	// Source is the pull request or KEP that changed it.
	Source string
}

// Kind is what a quirk affects.
type Kind string

const (
	// Decides: the size proposed or decided on.
	Decides Kind = "Decides"
	// Shows: conditions, metric statuses and texts, but no size.
	Shows Kind = "Shows"
	// Admits: which specs the API server accepts, and its words.
	Admits Kind = "Admits"
)

const pr = "https://github.com/kubernetes/kubernetes/pull/"

var rows = [...]Row{
	{"FormatsTwice", 30, "", Shows,
		"formats messages twice, so that percent signs in them act as verbs",
		"shows percent signs in messages as they are", pr + "127422"},
	{"NoContainerMetrics", 0, HPAContainerMetrics, Decides,
		"fails ContainerResource metrics, as their gate is off",
		"computes ContainerResource metrics", "https://kep.k8s.io/1610, " + pr + "123482"},
	{"ToleranceByDistance", 33, "", Decides,
		"compares the rounded distance of the ratio from 1 with the tolerance",
		"compares the ratio with 1 minus and 1 plus the tolerance", "https://kep.k8s.io/4951, " + pr + "130797"},
	{"OneTolerance", 33, HPAConfigurableTolerance, Decides,
		"has one tolerance, and drops those of spec.behavior",
		"has a tolerance for each direction in spec.behavior", "https://kep.k8s.io/4951, " + pr + "133128"},
	{"ContainerRequired", 33, "", Decides,
		"takes a pod whose metrics lack the container as a failure of the metric",
		"takes a pod whose metrics lack the container as a missing one", pr + "127193"},
	{"NoDescribedObject", 33, "", Shows,
		"leaves the described object of an Object average out of the status",
		"shows the described object of an Object average in the status", pr + "124555"},
	{"NoPodLevelRequests", 34, PodLevelResources, Decides,
		"counts the requests of containers, not those of the whole pod",
		"counts the requests of the whole pod, where it has some", "https://kep.k8s.io/2837, " + pr + "132430"},
	{"DecimalMemory", 34, "", Shows,
		"shows memory in powers of 1000 in the status (58720256)",
		"shows memory in powers of 1024 in the status (56Mi)", pr + "132351"},
	{"ValuesInGo", 34, "", Shows,
		"shows values in errors of selectors and specs in Go's notation ([]string(nil))",
		"shows values in errors of selectors and specs in JSON (null)",
		"https://github.com/kubernetes/apimachinery/blob/v0.34.0/pkg/util/validation/field/errors.go"},
	{"ExternalUnguarded", 34, "", Shows,
		"shows the average of an External metric of any size",
		"shows an External metric as large as int64 gets undivided", pr + "127050"},
	{"AbsentContainerRequestsZero", 35, "", Decides,
		"takes the request of a pod without the container as zero",
		"takes a pod without the container as a failure of the metric", pr + "133415"},
	{"LabelsInCharacters", 35, "", Shows,
		"says \"no more than 63 characters\" of labels in selectors and names",
		"says \"no more than 63 bytes\" of labels in selectors and names", "https://kep.k8s.io/5073"},
	{"ZeroByMinReplicas", 36, "", Decides,
		"looks at minReplicas to see whether a size of zero may change",
		"looks at the condition ScaledToZero to see whether a size of zero may change", "https://kep.k8s.io/2021, " + pr + "135118"},
	{"NoScaleToZero", 0, HPAScaleToZero, Decides,
		"leaves a size of zero as it is",
		"scales up again what it scaled to zero itself", "https://kep.k8s.io/2021, " + pr + "139648"},
	{"NoScaledToZero", 36, HPAScaleToZero, Shows,
		"sets no condition ScaledToZero",
		"sets the condition ScaledToZero at each change of size", "https://kep.k8s.io/2021, " + pr + "135118"},
	{"NoObservedGeneration", 37, HPAGeneration, Shows,
		"writes no status.observedGeneration",
		"writes status.observedGeneration", pr + "138228"},
	{"ObjectErrorSwapped", 37, "", Shows,
		`says "unable to get metric hits: Ingress on ns main/…" of an Object metric`,
		`says "unable to get metric hits on Ingress ns/main: …" of an Object metric`, pr + "139029"},
	{"SharedSelectorByAll", 37, "", Shows,
		`says "controlled by multiple HPAs: …" of shared pods, and names all`,
		`says "controlled by more than one HPA (e.g. …)" of shared pods, and names two`, pr + "139142"},
	{"ZeroMinReplicasRefused", 0, HPAScaleToZero, Admits,
		"refuses minReplicas 0",
		"accepts minReplicas 0 with an Object or External metric", "https://kep.k8s.io/2021, " + pr + "139648"},
	{"APIVersionUnchecked", 34, "", Admits,
		"accepts any apiVersion in references",
		"refuses an apiVersion that is malformed, or a target's without a group", pr + "132537"},
	{"HandwrittenValidation", 37, "", Admits,
		"complains of minReplicas and maxReplicas first, and twice of a metric's unknown type",
		"complains of minReplicas and maxReplicas last, and of everything once", "https://kep.k8s.io/5073"},
	{"MaxReplicasInvalid", 36, "", Admits,
		`says "must be greater than 0" of maxReplicas`,
		"says that maxReplicas is required where it is 0", "https://kep.k8s.io/5073"},
}

// Known returns all quirks, in the order of the table.
func Known() Quirks { return Quirks(end - 1) }

// Row returns the quirk's row. It is zero for anything but one quirk.
func (d Quirk) Row() Row {
	if bits.OnesCount32(uint32(d)) != 1 || d >= end {
		return Row{}
	}
	return rows[bits.TrailingZeros32(uint32(d))]
}

// String returns the quirk's name.
func (d Quirk) String() string { return d.Row().Name }

// in reports whether the release has the quirk.
func (row *Row) in(r Release) bool {
	return r.Minor() < row.Since || row.Gate != "" && !r.Enabled(row.Gate)
}

// Quirks is a set of quirks. The zero Quirks are those of the newest
// release: none.
type Quirks uint32

// Quirks returns what the release does differently from the newest.
func (r Release) Quirks() Quirks {
	if r.IsZero() {
		return 0
	}
	return r.list()
}

func (r Release) list() (set Quirks) {
	for d := range Known().All() {
		row := d.Row()
		if row.in(r) {
			set = set.With(d)
		}
	}
	if set.Has(ZeroByMinReplicas) {
		// Before the condition there was nothing to switch off.
		set = set.Without(NoScaleToZero)
	}
	return set
}

// Has reports whether the quirk is in the set.
func (s Quirks) Has(d Quirk) bool { return s&Quirks(d) != 0 }

// With returns the set with d.
func (s Quirks) With(d Quirk) Quirks { return s | Quirks(d) }

// Without returns the set without d.
func (s Quirks) Without(d Quirk) Quirks { return s &^ Quirks(d) }

// All returns the quirks of the set, in the order of the table.
func (s Quirks) All() iter.Seq[Quirk] { return words.Bits(Quirk(s & Known())) }

// IsZero reports whether the set is empty.
func (s Quirks) IsZero() bool { return s == 0 }

// String returns the names, with commas between them.
func (s Quirks) String() string { return words.List(s.All()) }

// MarshalJSON returns the list of the names.
func (s Quirks) MarshalJSON() ([]byte, error) { return words.JSONList(s.All()) }

// Changed returns the quirks that r is the first release not to have by
// default.
func (r Release) Changed() []Quirk {
	if r.Minor() == Oldest {
		return nil
	}
	before := of(r.Minor() - 1).Quirks()
	return slices.Collect((before &^ of(r.Minor()).Quirks()).All())
}
