/** The page: its state, and what is asked when it changes. */
import { Autoscaler } from "./autoscaler.js";
import { Chart } from "./chart.js";
import { Client } from "./client.js";
import { $, debounce, el, fill, options } from "./dom.js";
import { MAX_TEXT } from "./editor.js";
import { examples } from "./examples.js";
import { showFigures } from "./figures.js";
import { guarantees } from "./guarantees.js";
import { sentence } from "./held.js";
import { Knobs } from "./knobs.js";
import { decode, encodeShort } from "./link.js";
import { LoadPanel } from "./load.js";
import { shape } from "./loads.js";
import { unpack } from "./rows.js";
import { Take } from "./take.js";
import { Why } from "./why.js";

const fresh = () => ({
  autoscalers: [{ text: Object.values(examples)[0], document: 0, release: "" }, { text: "", document: 0, release: "" }],
  compare: false, load: shape("flash sale"), flags: { capacity: "40" }, sync: 10,
});

const page = {
  state: fresh(),
  answer: null,
  get loadText() { return load.text; },
  request(want) {
    const shown = autoscalers.slice(0, page.state.compare ? 2 : 1);
    const list = shown.map((a) => a.request);
    const same = shown.length === 2 && shown[0].name === shown[1].name;
    if (same) list.forEach((a, i) => { if (a) a.name = `${shown[i].name.split("/").pop()} ${"AB"[i]}`; });
    return { version: 1, autoscalers: list, load: load.text, flags: effective(page.state), want };
  },
};

/** effective are the flags of a request: the knobs', and how the load is read. */
const effective = ({ flags, load: { slope } }) => (slope ? { ...flags, slope: "true" } : { ...flags });

const say = (message) => fill($("notice"), el("p", { textContent: message }),
  el("button", { type: "button", textContent: "Close", onclick: () => fill($("notice")) }));
const client = new Client(new URL(document.documentElement.dataset.engine, document.baseURI).href, say);
let started = false;
let whyOf = 0;

const autoscalers = ["a", "b"].map((id) => new Autoscaler(id, client, () => changed()));
const load = new LoadPanel((next, given) => {
  page.state.load = next;
  if (given) {
    delete page.state.flags.capacity;
    knobs.set(page.state.flags);
  }
  changed();
}, say);
const knobs = new Knobs(() => changed(true));
const chart = new Chart($("chart"), (sync) => select(sync));
const why = new Why($("why"));
const take = new Take(page, client);

/** changed asks for all that may have changed. */
function changed(bySlider = false) {
  if (!started) return;
  run(bySlider);
  findings();
  if ($("guarantees").open) guaranteed();
  remember();
}

async function run(bySlider) {
  const request = page.request({ summary: true, rows: true, defaults: true });
  if (request.autoscalers.includes(undefined)) {
    stale(["The autoscaler cannot be read."]);
    return;
  }
  const begun = performance.now();
  const answer = await client.ask("run", request);
  if (answer === undefined) return;
  answer.autoscalers?.forEach((about, i) => autoscalers[i].show(about));
  const problems = (answer.problems ?? []).map((p) => (p.field ? `${p.field}: ${p.message}` : p.message));
  if (!answer.runs?.length) {
    stale(problems.length > 0 ? problems : ["The autoscaler has problems."]);
    return;
  }
  fill($("problems"), ...problems.map((text) => el("p", { textContent: text })));
  $("answer").classList.remove("stale");
  for (const r of answer.runs) unpack(r.rows);
  page.answer = answer;
  knobs.scale(answer.load);
  load.answered(answer.runs[0].rows, answer.load);
  showFigures($("figures"), answer.figures ?? [], answer.runs.map((r) => r.name));
  chart.show(answer.runs);
  menuOfWhy(answer.runs);
  select(page.state.sync);
  if (bySlider) performance.measure("recompute", { start: begun });
  if (document.documentElement.dataset.ready === undefined) {
    document.documentElement.dataset.ready = "true";
    performance.mark("answered");
  }
}

/** stale says why the answer is still that of before. */
function stale(problems) {
  $("answer").classList.add("stale");
  fill($("problems"), ...problems.map((text) => el("p", { textContent: text })));
}

const findings = debounce(async () => {
  const { load: _, ...request } = page.request({ findings: true });
  if (request.autoscalers.includes(undefined)) return;
  const answer = await client.ask("findings", request);
  answer?.autoscalers?.forEach((about, i) => autoscalers[i].showFindings(about));
}, 150);

const guaranteed = debounce(async () => {
  const { load: _, ...request } = page.request({ guarantees: true });
  if (request.autoscalers.includes(undefined)) return;
  const answer = await client.ask("guarantees", request);
  if (answer?.autoscalers) fill($("guarantees-text"), ...answer.autoscalers.flatMap(guarantees));
}, 150);

/** select shows a sync: in the chart, in a sentence, and why. */
function select(sync) {
  const rows = page.answer?.runs[0].rows;
  if (!rows) return;
  page.state.sync = Math.max(0, Math.min(rows.time.length - 1, sync));
  chart.select(page.state.sync);
  $("sync").max = rows.time.length;
  if (document.activeElement !== $("sync")) $("sync").value = page.state.sync + 1;
  $("syncs").textContent = `of ${rows.time.length}`;
  $("now").textContent = sentence(page.answer.runs, page.state.sync);
  explain();
  remember();
}

const explain = debounce(async () => {
  const request = page.request({ sync: { autoscaler: Math.min(whyOf, page.answer.runs.length - 1), sync: page.state.sync }, commands: true });
  if (request.autoscalers.includes(undefined)) return;
  const answer = await client.ask("sync", request);
  if (answer === undefined) return;
  why.show(answer.sync, (answer.problems ?? []).map((p) => p.message).join(" "));
  take.show(answer.commands);
}, 30);

function menuOfWhy(runs) {
  $("why-of").hidden = runs.length < 2;
  fill($("why-of"), el("legend", { textContent: "Why did" }), ...runs.map((run, i) => el("label", {},
    el("input", { type: "radio", name: "why-of", checked: i === Math.min(whyOf, runs.length - 1), onchange: () => { whyOf = i; explain(); } }), ` ${"AB"[i]}: ${run.name}`)));
}

const remember = debounce(async () => {
  const { fragment, whole } = await encodeShort(page.state);
  take.note(whole, fragment);
  written = fragment && `#${fragment}`;
  history.replaceState(null, "", written || location.pathname + location.search);
}, 400);
let written = location.hash;

/** restore shows a state. */
async function restore(state) {
  started = false;
  page.state = state;
  $("compare").checked = Boolean(state.compare);
  $("b").hidden = !state.compare;
  knobs.set(state.flags);
  await Promise.all([load.set(state.load), ...autoscalers.map((a, i) => a.set(state.autoscalers[i]))]);
  started = true;
  changed();
}

async function fromLocation() {
  let state = fresh();
  if (location.hash.length > 1) {
    try {
      state = await decode(location.hash);
    } catch (error) {
      say(error.message);
    }
  }
  await restore(state);
}

function wire() {
  options($("example"), [["", "Examples…"], ...Object.keys(examples).map((name) => [name, name])], "");
  $("example").addEventListener("change", ({ target }) => {
    if (target.value) autoscalers[0].set(Object.assign(page.state.autoscalers[0], { text: examples[target.value], document: 0 }));
    target.value = "";
  });
  $("compare").addEventListener("change", async ({ target }) => {
    page.state.compare = target.checked;
    $("b").hidden = !target.checked;
    if (target.checked && page.state.autoscalers[1].text === "") {
      await autoscalers[1].set(Object.assign(page.state.autoscalers[1], page.state.autoscalers[0]));
    } else changed();
  });
  $("sync").addEventListener("input", ({ target }) => target.value && select(Number(target.value) - 1));
  $("previous").addEventListener("click", () => select(page.state.sync - 1));
  $("next").addEventListener("click", () => select(page.state.sync + 1));
  for (const [id, factor] of [["zoom-in", 0.5], ["zoom-out", 2], ["zoom-all", 0]]) $(id).addEventListener("click", () => chart.zoom(factor));
  $("guarantees").addEventListener("toggle", () => $("guarantees").open && guaranteed());
  addEventListener("hashchange", () => location.hash !== written && fromLocation());
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file) return;
    const isAutoscaler = /\.ya?ml$/i.test(file.name) || /kind"?\s*:\s*"?HorizontalPodAutoscaler/.test(await file.slice(0, 1 << 16).text());
    if (!isAutoscaler) await load.file(file);
    else autoscalers[0].set(Object.assign(page.state.autoscalers[0], { text: await file.slice(0, MAX_TEXT + 1).text(), document: 0 }));
  });
}

wire();
await fromLocation();
