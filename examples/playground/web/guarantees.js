/** What the rules guarantee, as tables. */
import { el, span } from "./dom.js";

const BOUNDS = { AtLeast: "at least ", AtMost: "at most ", Exactly: "" };

/** time writes a Time of package guarantee. */
function time(t) {
  if (!t) return "";
  if (t.never || t.seconds === undefined) return "never";
  return `${BOUNDS[t.bound] ?? ""}${span(t.seconds)}`;
}

const rate = (r, unit) => r && `${Number(r.value.toPrecision(4))}${unit} every ${span(r.everySeconds)}`;

function table(caption, head, rows, of) {
  return el("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": `${caption}: ${of}` }, el("table", {},
    el("caption", { textContent: caption }),
    el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { scope: "col", textContent: h })))),
    el("tbody", {}, ...rows.map(([first, ...rest]) => el("tr", {}, el("th", { scope: "row", textContent: first }), ...rest.map((c) => el("td", { textContent: c })))))));
}

/** guarantees returns elements for the guarantees of one About. */
export function guarantees(about) {
  const name = el("h3", { textContent: about.name });
  if (!about.guarantees) return [name, el("p", { textContent: about.guaranteesProblem || "There are none while the autoscaler has problems." })];
  const g = about.guarantees;
  const move = (m) => [`${m.from} to ${m.to}`, time(m.steady), time(m.worst)];
  const rows = [["Scale up", g.up?.longest], ["Scale down", g.down?.longest]].filter(([, m]) => m)
    .map(([text, m]) => [`${text}, ${m.from} to ${m.to}`, time(m.steady), time(m.worst)]);
  const facts = [];
  if (g.growth) {
    facts.push(["Growth that is followed", g.growth.none ? "none: scaling up is disabled"
      : [rate(g.growth.pods, g.growth.pods?.value === 1 ? " pod" : " pods"), rate(g.growth.percent, "%"), g.growth.atOnce && `to ${g.growth.atOnce} pods at once`].filter(Boolean).join(g.growth.select === "Min" ? ", and at most " : " or ")]);
    if (!g.growth.none) facts.push(["  behind the load by", time(g.growth.behind)]);
  }
  if (g.peak) {
    facts.push(["A peak is held for", time(g.peak.held)], ["  and gone after", time(g.peak.gone)]);
    if (g.peak.podHours > 0) facts.push(["  at pod-hours per pod of the peak", `${BOUNDS[g.peak.bound] ?? ""}${Number(g.peak.podHours.toPrecision(4))}`]);
  }
  const late = g.lessIfLate ? ` Syncs are exactly that far apart; in a cluster they are a little late, and scaling down takes ${span(g.syncPeriodSeconds)} less.` : "";
  const ready = g.startupSeconds > 0 ? `after ${span(g.startupSeconds)}` : "by the next one";
  return [
    name,
    el("p", { textContent: `A sync each ${span(g.syncPeriodSeconds)}, pods ready ${ready}.${late}` }),
    table("Longest moves", ["move", "steady", "worst"], rows, about.name),
    table("Growth and peaks", ["what", "guaranteed"], facts, about.name),
    bands(g, about.name),
    el("details", {}, el("summary", { textContent: "From size to size" }),
      table("Scale up", ["sizes", "steady", "worst"], (g.up?.table ?? []).map(move), about.name),
      table("Scale down", ["sizes", "steady", "worst"], (g.down?.table ?? []).map(move), about.name)),
    el("details", {}, el("summary", { textContent: "In sentences" }), el("pre", { tabIndex: 0, textContent: about.guaranteesText })),
  ].filter(Boolean);
}

function bands(g, of) {
  if (!g.bands?.length) return null;
  const load = (v) => (v === undefined || v > 1e300 ? "no limit" : String(Number(v.toPrecision(4))));
  const reading = (b) => (b.lowUtilization !== undefined ? `${b.lowUtilization}% to ${b.highUtilization ?? "any "}%` : `${b.lowUsage} to ${b.highUsage ?? "any"}`);
  return el("details", {}, el("summary", { textContent: "Bands in which nothing moves" }),
    table("Bands", ["size", "metric", "reading", "load in replicas"],
      g.bands.map((b) => [String(b.size), String((b.metric ?? 0) + 1), reading(b), `${load(b.lowLoad)} to ${load(b.highLoad)}`]), of));
}
