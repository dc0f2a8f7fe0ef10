// Package recording keeps what an autoscaler saw, sync by sync, in a file. A
// recording can be decided on again, with the same rules or with others:
//
//	w, err := recording.NewWriter(file, recording.Header{Namespace: "shop", Name: "web", Spec: &spec, Settings: &settings, Status: status})
//	for each sync {
//		err := w.Write(replay.Sync{Time: now, Observation: &obs})
//	}
//
//	r, err := recording.NewReader(file)
//	recorded := r.Header().Autoscaler()
//	for answers, err := range replay.Run(r.Syncs(), &recorded, &other) { … }
//
// A recording does not have what was decided. A replay decides it again, and
// the next sync sees the size.
//
// # Exactness
//
// Reading gives observations on which calculator.Decide decides as on those
// that were written, in every field. Times keep their nanoseconds and amounts
// their milli-units. An observation need not be one that can be decided on, but
// its sizes are not negative.
//
// What no decision depends on is lost: an error keeps its text and nothing
// else, times are in UTC, a sample that is missing and a request that is not
// set have no value, an empty list is a nil one, and Observation.Group is nil.
// Bytes of a text that are not UTF-8 become U+FFFD. The status of the header
// has whole seconds, as in Kubernetes' API.
//
// # Format
//
// A recording is lines of JSON, in UTF-8. The first line is the header:
//
//	{"recording":1,"namespace":"shop","name":"web","generation":3,"spec":{…},"settings":{…},"status":{…},"state":{…}}
//
// The spec and the status are those of autoscaling/v2. Without settings, they
// are Kubernetes' defaults. The state is that of calculator.State, and left out
// if it is not known. Each line after it is a sync. It says what changed in the
// pods and the samples since the line before:
//
//	{"sync":1,"time":"2026-05-04T12:00:00Z","specReplicas":3,"statusReplicas":3,
//	 "templates":[{"cpu":500,"containers":[{"name":"app","requests":{"cpu":500}}]}],
//	 "pods":[{"name":"web-0","phase":"Running","ready":"True","startTime":"…","readyTransition":"…","template":0},…],
//	 "readings":[{"samples":[[310,13,15.037],305,298]}]}
//	{"sync":2,"time":"2026-05-04T12:00:15Z","specReplicas":3,"statusReplicas":3,
//	 "pods":[{"keep":"0,2"},{"name":"web-3","phase":"Pending","template":0}],
//	 "readings":[{"samples":["0",[301,13,15],null]}]}
//
// here on several lines for this page. The fields are those of
// [replay.Sync] and [calculator.Observation], with these rules:
//
//   - sync counts from 1. A Reader refuses a recording in which a line lacks.
//   - namespace is left out if it is that of the header.
//   - pods are left out if they are those of the line before, in its order.
//     Otherwise they are listed; keep stands for pods of the line before, by
//     their indices there, each at most once.
//   - templates are what pods request. They are numbered from 0 through the
//     whole recording, and written when the first pod has one.
//   - readings are all there, in the order of the metrics.
//   - A sample is [value, age, window]: milli-units, seconds before the sync,
//     seconds. The age is null if the sample has no time. Without a window it
//     is that of the sample before it in the list, and a value alone has the
//     age of that, too. null is a sample that is missing, and a text stands for
//     samples of the same reading in the line before, by their indices there,
//     each at most once.
//   - error, scaleError and writeError are the texts of errors, selectorError
//     is a calculator.SelectorError. scaleReason and scaleMessage are those of
//     a calculator.ScaleError.
//
// So a line costs what has changed. With 1,000 pods that metrics-server scrapes
// for each sync it is about 25 kB, and less than 200 bytes if nothing is new. A
// recording can be compressed as a whole: give NewWriter a gzip.Writer.
//
// The version of the format is in the header. These are errors: a field that is
// not known, or whose name is in other letters; a field that is given twice; a
// time before that of the line before; and a negative size. A Writer refuses
// such times and sizes, too.
//
// # Errors
//
// An error of reading is an [*Error] with the line. A Writer calls its
// io.Writer once for each line, so that a process which is killed leaves whole
// lines and at most part of one. The error of that last part is
// io.ErrUnexpectedEOF, after all syncs before it:
//
//	for sync, err := range r.Syncs() {
//		if errors.Is(err, io.ErrUnexpectedEOF) {
//			break // the recording ends here
//		}
//		…
//	}
//
// Reading never panics. A Reader keeps the pods and samples of a line, those
// that a line has moved, and the templates. That is less than 70 bytes of
// memory for each byte that it has read, and it allocates less than 250 in all;
// much less for what a Writer wrote. Time is linear in the bytes, and in the
// pods and samples that a line yields at another index than the line before.
//
// # Sharing
//
// What [Reader.Syncs] yields is valid until the next iteration, which reuses
// its memory, and is only to be read: the next sync is made from it. A [Writer]
// keeps nothing that it is given. A Writer or Reader is for one goroutine at a
// time.
package recording
