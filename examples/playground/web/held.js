/** What held a size, in words and as stretches. */
import { clock, number } from "./dom.js";

/** What can hold a size: the bits of Rows.held, in the order of the lanes. */
export const HELD = [
  { bit: 1, name: "window", text: "a stabilization window" },
  { bit: 2, name: "policy", text: "a policy" },
  { bit: 4, name: "minimum", text: "minReplicas" },
  { bit: 8, name: "maximum", text: "maxReplicas" },
  { bit: 16, name: "metrics", text: "missing metrics" },
  { bit: 32, name: "tolerance", text: "the tolerance" },
  { bit: 64, name: "cooldown", text: "the cooldown" },
];

/** heldBy writes the bits in words; empty if nothing held the size. */
export const heldBy = (bits) => HELD.filter((h) => bits & h.bit).map((h) => h.text).join(" and ");

/** sentence says what the runs did at a sync. */
export function sentence(runs, i) {
  const texts = runs.map(({ name, rows }) => {
    if (i >= rows.time.length) return `${name}: no sync.`;
    const [from, to, by] = [rows.current[i], rows.desired[i], heldBy(rows.held[i])];
    const size = from === to ? `${to} replicas stay` : `${from} to ${to} replicas`;
    return `${name}: ${size}, ${rows.ready[i]} ready${by ? `, held by ${by}` : ""}.`;
  });
  const { start, time, load } = runs[0].rows;
  return `${clock(start + time[i])} UTC, load ${number(load[i])}. ${texts.join(" ")}`;
}

/** lanesOf returns the lanes that occur in any of the runs. */
export function lanesOf(runs) {
  let all = 0;
  for (const run of runs) for (const bits of run.rows.held) all |= bits;
  return HELD.filter((h) => all & h.bit);
}

/**
 * stretches calls f with the first and the end index of each stretch of rows
 * that have the bit, between two indexes.
 */
export function stretches(held, bit, from, to, f) {
  for (let i = from; i < to; i++) {
    if (!(held[i] & bit)) continue;
    const first = i;
    while (i < to && held[i] & bit) i++;
    f(first, i);
  }
}
