/** A flash sale: the exact autoscaler and a threshold, sync by sync. */
import { Chart } from "./chart.js";
import { Client } from "./client.js";
import { $, clock, el, fill, number } from "./dom.js";
import { examples } from "./examples.js";
import { showFigures } from "./figures.js";
import { sentence } from "./held.js";
import { csv, shape } from "./loads.js";
import { unpack } from "./rows.js";
import { because, explanation } from "./why.js";

const MINUTE = 60_000;
const text = Object.values(examples)[0];
const load = csv(shape("flash sale"));
const threshold = { minReplicas: 10, maxReplicas: 100, above: 50, below: 30, add: 10, remove: 1, upSeconds: 15, downSeconds: 60 };

const say = (message) => fill($("notice"), el("p", { textContent: message }));
const client = new Client(new URL(document.documentElement.dataset.engine, document.baseURI).href, say);

async function main() {
  $("manifest").textContent = text;
  const { documents } = await client.read("read", text);
  const ask = (kind, want) => client.ask(kind, {
    version: 1, load, flags: { capacity: "40", startup: "30s" }, want,
    autoscalers: [{ name: "A: exact", manifest: documents[0].value }, { name: "B: threshold", threshold }],
  });
  const answer = await ask("run", { summary: true, rows: true });
  if (!answer?.runs) {
    const problems = [...(answer?.problems ?? []), ...(answer?.autoscalers ?? []).flatMap((a) => a.problems ?? [])];
    say(problems.map((p) => p.message).join(" ") || "There is no answer.");
    return;
  }
  const runs = answer.runs;
  for (const run of runs) unpack(run.rows);
  showFigures($("figures"), answer.figures, runs.map((r) => r.name));

  const { start, time } = runs[0].rows;
  const from = time.findIndex((t) => t >= 1 * MINUTE);
  const to = time.findIndex((t) => t > 5 * MINUTE);
  const rows = new Map();
  const chart = new Chart($("chart"), (sync) => select(sync));
  const select = (sync) => {
    const i = Math.max(0, Math.min(time.length - 1, sync));
    chart.select(i);
    rows.get(i)?.scrollIntoView({ block: "nearest" });
    for (const [n, row] of rows) row.classList.toggle("changed", n === i);
    $("now").textContent = sentence(runs, i);
  };
  chart.show(runs);

  const body = el("tbody");
  fill($("syncs"), el("caption", { textContent: "Times are UTC. Size is before and after the sync." }),
    el("thead", {}, el("tr", {}, ...["time", "load", "A", "why", "B", "why"].map((h) => el("th", { scope: "col", className: h === "why" ? "text" : "", textContent: h })))), body);
  for (let i = from; i < to; i++) {
    const both = [];
    for (const autoscaler of [0, 1]) both.push((await ask("sync", { sync: { autoscaler, sync: i } }))?.sync);
    const [row, detail] = rowOf(i, runs, both, () => select(i));
    rows.set(i, row);
    body.append(row, detail);
  }
  select(time.findIndex((t) => t >= 2 * MINUTE));
  document.documentElement.dataset.ready = "true";
  performance.mark("answered");
}

/** rowOf returns the row of a sync, and the one below that it opens. */
function rowOf(i, runs, syncs, select) {
  const { start, time, load: loads } = runs[0].rows;
  const at = clock(start + time[i]);
  const detail = el("tr", { hidden: true, className: "detail" }, el("td", { colSpan: 6 }));
  const button = el("button", { type: "button", textContent: at, "aria-expanded": "false", "aria-label": `${at}, explain` });
  button.addEventListener("click", () => {
    if (detail.hidden) {
      fill(detail.firstChild, el("div", { className: "both" }, ...runs.map(({ name }, n) => el("div", {},
        el("h3", { textContent: name }), ...(syncs[n] ? explanation(syncs[n]) : [el("p", { textContent: "There is no explanation." })])))));
    }
    detail.hidden = !detail.hidden;
    button.setAttribute("aria-expanded", String(!detail.hidden));
    select();
  });
  const cells = runs.flatMap(({ rows }, n) => [
    el("td", { className: rows.current[i] === rows.desired[i] ? "size" : "size moved",
      "data-of": "AB"[n], textContent: rows.current[i] === rows.desired[i] ? String(rows.desired[i]) : `${rows.current[i]} → ${rows.desired[i]}` }),
    el("td", { className: "text", textContent: syncs[n] ? because(syncs[n]) : "" }),
  ]);
  return [el("tr", {}, el("th", { scope: "row" }, button), el("td", { textContent: number(loads[i]) }), ...cells), detail];
}

main().catch((error) => say(String(error)));
