/** Why a sync decided as it did, stage by stage. */
import { el, fill, span } from "./dom.js";

/** Stages that have no size of their own in the strip. */
const WITHOUT = new Set(["Result", "Next", "Error", "Selector", "Fallback"]);

const size = ({ low, high }) => (low === high ? String(low) : high === 2147483647 ? `${low} or more` : `${low} to ${high}`);

/** allowed is how far the policies of a direction let the size go. */
const allowed = (stage) => `${{ Up: "up to ", Down: "down to " }[stage.policies.direction] ?? ""}${size(stage)}`;

/** headline says what becomes of the size. */
export const headline = (sync) => sync.stages.find((s) => s.name === "Result")?.sentences ?? sync.text.split("\n")[0];

/** because says in a sentence why the size is what it is. */
export function because(sync) {
  const [result] = sync.stages;
  let stage = sync.stages.find((s) => s.metric);
  for (const s of sync.stages) if ((s.stabilization || s.limits || s.cooldown) && size(s) !== size(stage ?? s)) stage = s;
  if (stage?.metric?.adopted?.text) return upper(stage.metric.adopted.text);
  if (!stage || result.low !== result.current) return upper(headline(sync));
  return upper(short(stage.sentences.split("\n").pop()).replace(/^Proposal: /, ""));
}

/** short writes the times in a text without their dates and fractions. */
const short = (text) => text.replace(/\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d)(\.\d+)?Z/g, "$1");

/** explanation returns the elements that explain a Sync of an answer. */
export function explanation(sync) {
  const { stages } = sync;
  return [
    el("p", { className: "headline", textContent: upper(headline(sync)) }),
    strip(stages),
    el("dl", { className: "stages" }, ...stages.filter((s) => s.name !== "Result").flatMap((s) => [
      el("dt", { textContent: s.name }),
      el("dd", {}, ...s.sentences.split("\n").map((line) => el("p", { textContent: short(line) }))),
    ])),
    until(sync),
  ].filter(Boolean);
}

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** strip shows the size after each stage, and marks where it changed. */
function strip(stages) {
  const metrics = stages.filter((s) => s.metric).length;
  let before = stages[0] ? String(stages[0].current) : "";
  const items = stages.filter((s) => !WITHOUT.has(s.name)).map((stage) => {
    const after = stage.policies ? allowed(stage) : size(stage);
    const changed = after !== before && !stage.policies;
    if (!stage.policies && (!stage.metric || metrics === 1)) before = after;
    return el("li", { className: changed ? "changed" : "" }, el("span", { textContent: stage.name }), el("b", { textContent: after }),
      stage.bound ? el("small", { textContent: words(stage.bound) }) : null);
  });
  return el("ol", { className: "strip", "aria-label": "The size after each stage" }, ...items);
}

/** words splits a word of Kubernetes: TooManyReplicas is too many replicas. */
const words = (bound) => bound.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

function until(sync) {
  if (!sync.until || sync.stages.some((s) => s.next)) return null;
  const after = Math.round((Date.parse(sync.until) - Date.parse(sync.time)) / 1000);
  return el("p", { className: "dim", textContent: `Time alone changes nothing until ${short(sync.until)}, in ${span(after)}.` });
}

export class Why {
  #root;
  #sections;

  constructor(root) {
    this.#root = root;
    this.#sections = ["describe", "events", "status"].map((id) => root.parentElement.querySelector(`#${id}`));
  }

  /** show shows a Sync, or why there is none. */
  show(sync, problem = "") {
    const [describe, events, status] = this.#sections;
    if (!sync) {
      fill(this.#root, el("p", { textContent: problem }));
      for (const s of this.#sections) fill(s);
      return;
    }
    fill(this.#root, ...explanation(sync));
    describe.textContent = sync.describe ?? "";
    status.textContent = JSON.stringify(sync.status, null, 2);
    fill(events, ...(sync.events?.length
      ? sync.events.map((e) => el("li", {}, el("b", { textContent: `${e.type} ${e.reason}` }), ` ${e.message}`))
      : [el("li", { textContent: "The controller emits no event." })]));
  }
}
