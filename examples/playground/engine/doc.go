// Package engine answers what a page asks about autoscalers, in JSON.
//
// [Answer] takes one [Request] and returns one [Response]. It keeps nothing
// between calls and reads no clock, so equal requests have equal answers, in a
// browser, in Node and in Go.
//
//	{"version": 1,
//	 "autoscalers": [{"manifest": {"apiVersion": "autoscaling/v2", …}}],
//	 "load": "time,requests\n2026-05-04T12:00:00Z,200\n…",
//	 "flags": {"capacity": "40", "startup": "30s"},
//	 "want": {"summary": true, "rows": true}}
//
// A request says what to compute in "want". The smallest answer is the fastest:
// a page asks for findings when the manifest changes, for rows while a slider
// moves, and for one sync when somebody points at it.
//
// # Flags
//
// Flags are those of the command examples/simulate, without the dash and with
// the same values, units and defaults. So each answer can be had from that
// command, too, and Response.Commands says how. An autoscaler may have flags of
// the controller of its own, such as another release.
//
// # Errors
//
// What is wrong with a request is a [Problem] of the part that it is about. The
// rest is answered: a load that cannot be read does not hide what is wrong with
// the manifest. Texts about a manifest are the API server's.
//
// # Limits
//
// A load has at most [MaxLoad] bytes, a manifest [MaxManifest] and a run
// [MaxSyncs] syncs. Beyond these limits the answer is a Problem.
package engine
