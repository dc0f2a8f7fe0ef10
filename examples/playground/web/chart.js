/**
 * The chart: load and capacity above, sizes below, and lanes of what held the
 * size. All have the same axis of time.
 */
import { el, fill, number } from "./dom.js";
import { lanesOf, stretches } from "./held.js";
import uPlot from "./vendor/uplot.js";

const LANE = 18; // pixels
const AXIS = 70;

/** The part of the height that the sizes have. */
const BELOW = 0.4;

export class Chart {
  #root;
  #stage;
  #lanes;
  #line = el("div", { className: "cursor" });
  #legend = el("p", { className: "legend" });
  #plot = null;
  #runs = [];
  #selected = 0;
  #onselect;

  /**
   * @param {HTMLElement} root
   * @param {(sync: number) => void} onselect
   */
  constructor(root, onselect) {
    this.#root = root;
    this.#onselect = onselect;
    this.#lanes = el("canvas", { className: "lanes", role: "img" });
    this.#stage = el("div", { className: "stage", tabIndex: 0, role: "group",
      "aria-label": "Chart. Left and right select a sync, with shift ten further; + and - zoom, 0 shows all." });
    fill(root, this.#legend, this.#stage);
    this.#stage.addEventListener("keydown", (event) => this.#key(event));
    this.#stage.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.#lanes.addEventListener("click", (event) => this.#point(event.clientX));
    new ResizeObserver(() => this.#resize()).observe(root);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#build());
  }

  /** show shows the runs of an answer, one or two, and keeps the zoom if it can. */
  show(runs) {
    const before = this.#runs;
    this.#runs = runs;
    if (this.#plot === null || before.length !== runs.length) {
      this.#build();
      return;
    }
    const { min, max } = this.#plot.scales.x;
    const [from, to] = bounds(before);
    const zoomed = same(bounds(runs), [from, to]) && (min > from || max < to);
    this.#plot.batch(() => {
      this.#plot.setData(columns(runs));
      if (zoomed) this.#plot.setScale("x", { min, max });
    });
    this.#label();
  }

  /** select shows which sync is selected. */
  select(sync) {
    this.#selected = sync;
    this.#mark();
  }

  /** zoom shows more or less time around the selected sync; 0 shows all. */
  zoom(factor) {
    if (this.#plot === null) return;
    const [from, to] = bounds(this.#runs);
    if (factor === 0) this.#plot.setScale("x", { min: from, max: to });
    else this.#zoomAt(this.#x(this.#selected), factor);
  }

  #zoomAt(at, factor) {
    const [from, to] = bounds(this.#runs);
    const { min, max } = this.#plot.scales.x;
    const centre = at >= min && at <= max ? at : (min + max) / 2;
    const next = { min: Math.max(from, centre - (centre - min) * factor), max: Math.min(to, centre + (max - centre) * factor) };
    if (next.max - next.min >= 15) this.#plot.setScale("x", next);
  }

  #x(sync) {
    const { start, time } = this.#runs[0].rows;
    return (start + time[sync]) / 1000;
  }

  #build() {
    this.#plot?.destroy();
    this.#plot = null;
    if (this.#runs.length === 0) return;
    const style = getComputedStyle(this.#root);
    this.#plot = new uPlot(options(this.#runs, (name) => style.getPropertyValue(name).trim(), {
      width: this.#stage.clientWidth, height: this.#height(), draw: () => this.#lane(),
    }), columns(this.#runs), this.#stage);
    this.#stage.append(this.#lanes, this.#line);
    let down = 0;
    this.#plot.over.addEventListener("pointerdown", (event) => { down = event.clientX; });
    this.#plot.over.addEventListener("pointerup", (event) => {
      if (Math.abs(event.clientX - down) < 5) this.#point(event.clientX);
    });
    fill(this.#legend, ...legend(this.#runs));
    this.#label();
    this.#lane();
  }

  #height() {
    return Math.round(Math.max(260, Math.min(400, innerHeight * 0.42)));
  }

  #resize() {
    if (this.#plot === null) return;
    const size = { width: this.#stage.clientWidth, height: this.#height() };
    if (size.width !== this.#plot.width || size.height !== this.#plot.height) this.#plot.setSize(size);
  }

  #label() {
    const { load, unserved } = this.#runs[0].rows;
    const sizes = this.#runs.map(({ name, rows }) => `${name}: from ${least(rows.desired)} to ${most(rows.desired)} replicas`);
    this.#plot.ctx.canvas.setAttribute("role", "img");
    this.#plot.ctx.canvas.setAttribute("aria-label",
      `Load up to ${number(most(load))}, ${most(unserved) > 0 ? "part of it lost" : "nothing lost"}. ${sizes.join(". ")}.`);
  }

  #point(clientX) {
    const { left } = this.#plot.over.getBoundingClientRect();
    const at = this.#plot.posToVal(clientX - left, "x");
    const { start, time } = this.#runs[0].rows;
    let [low, high] = [0, time.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((start + time[middle]) / 1000 <= at) low = middle;
      else high = middle - 1;
    }
    this.#onselect(low);
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    const factor = { "+": 0.5, "=": 0.5, "-": 2, 0: 0 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || this.#plot === null) return;
    if (step !== undefined) this.#onselect(this.#selected + step * (event.shiftKey ? 10 : 1));
    else if (factor !== undefined) this.zoom(factor);
    else return;
    event.preventDefault();
  }

  #wheel(event) {
    if (!event.ctrlKey || this.#plot === null) return;
    event.preventDefault();
    const { left } = this.#plot.over.getBoundingClientRect();
    this.#zoomAt(this.#plot.posToVal(event.clientX - left, "x"), event.deltaY > 0 ? 1.25 : 0.8);
  }

  #mark() {
    if (this.#plot === null || this.#runs[0].rows.time.length <= this.#selected) return;
    const x = this.#x(this.#selected);
    const { min, max } = this.#plot.scales.x;
    this.#line.hidden = !(x >= min && x <= max);
    if (!this.#line.hidden) {
      this.#line.style.transform = `translateX(${this.#plot.over.offsetLeft + this.#plot.valToPos(x, "x")}px)`;
    }
  }

  /** lane draws the lanes under what the plot shows now. */
  #lane() {
    const u = this.#plot;
    if (u === null) return;
    const lanes = lanesOf(this.#runs);
    const scale = devicePixelRatio || 1;
    const [width, height] = [this.#stage.clientWidth, Math.max(1, lanes.length * LANE)];
    const canvas = this.#lanes;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = `${height}px`;
    canvas.setAttribute("aria-label", `What held the size: ${lanes.map((l) => l.text).join(", ") || "nothing"}.`);
    const c = canvas.getContext("2d");
    c.scale(scale, scale);
    const style = getComputedStyle(this.#root);
    const colour = (name) => style.getPropertyValue(name).trim();
    const [left, right] = [u.bbox.left / scale, (u.bbox.left + u.bbox.width) / scale];
    c.font = `13px ${style.fontFamily}`;
    c.textAlign = "right";
    c.textBaseline = "middle";
    const part = (LANE - 4) / this.#runs.length;
    lanes.forEach((lane, n) => {
      c.fillStyle = colour("--dim");
      c.fillText(lane.name, left - 6, n * LANE + LANE / 2);
      c.fillStyle = colour("--lane");
      c.fillRect(left, n * LANE + 2, right - left, LANE - 4);
      this.#runs.forEach(({ rows }, r) => {
        c.fillStyle = colour(r === 0 ? "--a" : "--b");
        const x = (i) => u.valToPos((rows.start + rows.time[Math.min(i, rows.time.length - 1)]) / 1000, "x") + left;
        stretches(rows.held, lane.bit, 0, rows.time.length, (first, end) => {
          const [from, to] = [Math.max(left, x(first)), Math.min(right, end >= rows.time.length ? right : x(end))];
          if (to > from) c.fillRect(from, n * LANE + 2 + r * part, Math.max(1, to - from), part);
        });
      });
    });
    this.#mark();
  }
}

const least = (list) => list.reduce((a, b) => Math.min(a, b), Infinity);
const most = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);
const same = (a, b) => a.every((v, i) => v === b[i]);

function bounds(runs) {
  const { start, time } = runs[0].rows;
  return [(start + time[0]) / 1000, (start + time.at(-1)) / 1000];
}

/** columns are the data of the plot, in the order of options' series. */
function columns(runs) {
  const { start, time, load } = runs[0].rows;
  const rows = runs.map((run) => run.rows);
  return [
    time.map((t) => (start + t) / 1000),
    load,
    ...rows.map((r) => r.load.map((l, i) => l - r.unserved[i])),
    ...rows.map((r) => r.capacity),
    ...rows.map((r) => r.ready),
    ...rows.map((r) => r.desired),
  ];
}

function options(runs, colour, { width, height, draw }) {
  const each = (f) => runs.map((_, i) => f(i === 0 ? "--a" : "--b", i === 0 ? undefined : [6, 4]));
  const paths = uPlot.paths.stepped({ align: 1 });
  const common = { paths, points: { show: false } };
  const axis = { stroke: colour("--dim"), font: `13px ${getComputedStyle(document.body).fontFamily}`, size: AXIS,
    ticks: { show: false }, grid: { stroke: colour("--grid"), width: 1 }, values: (_, splits) => splits.map((v) => (v === null ? "" : number(v))) };
  const only = (shown) => {
    const filter = (u, splits) => splits.map((v) => (shown(u, v) ? v : null));
    return { filter, grid: { ...axis.grid, filter } };
  };
  return {
    width, height,
    tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false }, points: { show: false } },
    scales: {
      load: { range: (_, __, max) => { const top = max > 0 ? max : 1; return [(-top * (BELOW + 0.03)) / (1 - BELOW), top * 1.04]; } },
      pods: { range: (_, __, max) => [0, (max > 0 ? max : 1) / (BELOW - 0.02)] },
    },
    axes: [
      { ...axis, size: 34, space: (_, __, from, to, room) => ((to - from) / room < 1 ? 72 : 50), values: [
        [3600 * 24, "{MMM} {D}", null, null, null, null, null, null, 1], [3600, "{HH}:{mm}", "\n{MMM} {D}", null, null, null, null, null, 1],
        [60, "{HH}:{mm}", null, null, null, null, null, null, 1], [1, "{HH}:{mm}:{ss}", null, null, null, null, null, null, 1]] },
      { ...axis, scale: "load", ...only((_, v) => v >= 0) },
      { ...axis, scale: "pods", side: 1, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 1e5, 1e6],
        ...only((u, v) => v <= u.scales.pods.max * BELOW) },
    ],
    series: [
      {},
      { ...common, scale: "load", stroke: colour("--load"), fill: colour("--load-fill"), width: 1.5 },
      ...each(() => ({ ...common, scale: "load", width: 0 })),
      ...each((name, dash) => ({ ...common, scale: "load", stroke: colour(name), width: 1.5, dash })),
      ...each((name) => ({ ...common, scale: "pods", fill: colour(`${name}-fill`), width: 0 })),
      ...each((name, dash) => ({ ...common, scale: "pods", stroke: colour(name), width: 2, dash })),
    ],
    bands: runs.map((_, i) => ({ series: [1, 2 + i], fill: colour(i === 0 ? "--lost" : "--lost-b") })),
    hooks: { draw: [draw], setSize: [draw] },
  };
}

function legend(runs) {
  const item = (kind, text) => el("span", {}, el("i", { className: `swatch ${kind}` }), text);
  const of = (i) => (runs.length > 1 ? ` ${"AB"[i]}` : "");
  return [
    item("load", "load"),
    ...runs.flatMap((_, i) => [
      item(`line ${"ab"[i]}`, `capacity and size asked for${of(i)}`), item(`area ${"ab"[i]}`, `ready pods${of(i)}`), item(`lost ${"ab"[i]}`, `load lost${of(i)}`)]),
  ];
}
