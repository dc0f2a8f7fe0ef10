/** Sliders, each with a number beside it. A knob is a flag of the simulation. */
import { $, el, fill, seconds } from "./dom.js";
import { round } from "./loads.js";

const duration = { unit: "s", read: seconds, write: (v) => `${v}s` };
const percent = { unit: "%", read: (t) => Number(t) * 100, write: (v) => String(Number((v / 100).toPrecision(6))) };
const share = { unit: "%", read: (t) => parseFloat(t), write: (v) => `${v}%` };
const plain = { unit: "", read: Number, write: String };
const cores = { unit: "cores", read: (t) => { const m = /cpu=([\d.]+)(m?)/.exec(t); return m ? m[1] / (m[2] ? 1000 : 1) : NaN; }, write: (v) => `cpu=${v},memory=1Gi` };

/**
 * Knobs by the element that they are in. A knob without initial is off, or what
 * the engine makes of it, while its number is empty.
 */
const KNOBS = {
  "knobs-pods": [
    { flag: "capacity", label: "Capacity of a pod", ...plain, min: 0, max: 100, step: 1, empty: "auto", logarithmic: true },
    { flag: "startup", label: "Startup", ...duration, min: 0, max: 300, step: 1, initial: 30 },
    { flag: "usage", label: "Usage at capacity", ...plain, unit: "%", min: 10, max: 200, step: 1, initial: 100 },
    { flag: "requests", label: "Cpu request", ...cores, min: 0.1, max: 4, step: 0.1, initial: 1 },
    { flag: "replicas", label: "Size at the start", ...plain, unit: "pods", min: 0, max: 200, step: 1, empty: "auto" },
    { flag: "rollout", label: "Rollout after", ...duration, min: 0, max: 7200, step: 10, empty: "off" },
    { flag: "surge", label: "Surge", ...share, min: 0, max: 100, step: 5, initial: 25 },
    { flag: "unavailable", label: "Unavailable", ...share, min: 0, max: 100, step: 5, initial: 25 },
  ],
  "knobs-metrics": [
    { flag: "lag", label: "Metric lag", ...duration, min: 0, max: 120, step: 1, initial: 5 },
    { flag: "scrape", label: "Scrape period", ...duration, min: 1, max: 120, step: 1, initial: 15 },
    { flag: "missing", label: "Missing samples", ...percent, min: 0, max: 100, step: 1, initial: 0 },
    { flag: "failing", label: "Failing syncs", ...percent, min: 0, max: 100, step: 1, initial: 0 },
    { flag: "sync", label: "Sync period", ...duration, min: 1, max: 120, step: 1, initial: 15 },
    { flag: "seed", label: "Seed", ...plain, min: 1, max: 100, step: 1, initial: 1 },
  ],
  "knobs-controller": [
    { flag: "horizontal-pod-autoscaler-tolerance", label: "Tolerance", ...percent, min: 0, max: 50, step: 1, initial: 10 },
    { flag: "horizontal-pod-autoscaler-downscale-stabilization", label: "Downscale stabilization", ...duration, min: 0, max: 1800, step: 15, initial: 300 },
    { flag: "horizontal-pod-autoscaler-cpu-initialization-period", label: "Cpu initialization period", ...duration, min: 0, max: 900, step: 15, initial: 300 },
    { flag: "horizontal-pod-autoscaler-initial-readiness-delay", label: "Initial readiness delay", ...duration, min: 0, max: 300, step: 5, initial: 30 },
  ],
};

export class Knobs {
  #flags = {};
  #shown = [];
  #highest = 2000;

  /** @param {() => void} changed is called at each movement */
  constructor(changed) {
    for (const [id, knobs] of Object.entries(KNOBS)) {
      fill($(id), ...knobs.map((knob) => this.#make(knob, changed)));
    }
  }

  /** set shows flags, and keeps them up to date. */
  set(flags) {
    this.#flags = flags;
    for (const show of this.#shown) show();
  }

  /** scale says what the load is, for the knob whose range depends on it. */
  scale({ highest, capacity }) {
    this.#highest = highest || 1;
    $("knob-capacity-value").placeholder = String(round(capacity));
    for (const show of this.#shown) show();
  }

  #make(knob, changed) {
    const id = `knob-${knob.flag}`;
    const { min, max, step } = knob;
    const slider = el("input", { type: "range", id, min, max, step });
    const value = el("input", { type: "number", id: `${id}-value`, min: 0, step: "any", placeholder: knob.empty ?? "", "aria-label": `${knob.label}, number` });
    const put = (v) => {
      if (v === undefined || v === knob.initial) delete this.#flags[knob.flag];
      else this.#flags[knob.flag] = knob.write(v);
      changed();
    };
    slider.addEventListener("input", () => {
      const position = Number(slider.value);
      const v = knob.empty !== undefined && position === min ? undefined : this.#fromSlider(knob, position);
      value.value = v ?? "";
      put(v);
    });
    value.addEventListener("input", () => {
      if (value.value === "" && knob.empty === undefined) return;
      put(value.value === "" ? undefined : Number(value.value));
      if (value.value !== "") slider.value = this.#toSlider(knob, Number(value.value));
      else slider.value = min;
    });
    this.#shown.push(() => {
      const flag = this.#flags[knob.flag];
      const read = flag === undefined ? NaN : Number(Number(knob.read(flag)).toPrecision(6));
      const v = Number.isNaN(read) ? knob.initial : read;
      slider.value = v === undefined ? min : this.#toSlider(knob, v);
      if (document.activeElement !== value) value.value = v ?? "";
    });
    return el("div", { className: "knob" }, el("label", { for: id, textContent: knob.label }), slider,
      el("span", { className: "value" }, value, el("span", { className: "unit", textContent: knob.unit })));
  }

  #fromSlider(knob, position) {
    return knob.logarithmic ? round(this.#highest * 10 ** (3 * (position / knob.max - 1))) : position;
  }

  #toSlider(knob, value) {
    return knob.logarithmic ? Math.max(1, Math.round(knob.max * (1 + Math.log10(value / this.#highest) / 3))) : value;
  }
}
