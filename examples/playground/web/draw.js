/** A load to draw on, with a pointer or with the keys. */
import { clock, number, span } from "./dom.js";
import { START } from "./loads.js";

export class Draw {
  #canvas;
  #load = { values: [], seconds: 1, highest: 1 };
  #index = 0;
  #last = null;
  #changed;
  #edit;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => void} edit is called before the first change, to make the load a drawn one
   * @param {() => void} changed is called after each change
   */
  constructor(canvas, edit, changed) {
    this.#canvas = canvas;
    this.#edit = edit;
    this.#changed = changed;
    canvas.addEventListener("pointerdown", (event) => this.#start(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { this.#last = null; });
    canvas.addEventListener("keydown", (event) => this.#key(event));
    canvas.addEventListener("focus", () => this.draw());
    canvas.addEventListener("blur", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** show shows values; changes are made to them. */
  show(load) {
    this.#load = load;
    this.#index = Math.min(this.#index, load.values.length - 1);
    this.draw();
  }

  #start(event) {
    if (event.button !== 0) return;
    this.#canvas.setPointerCapture(event.pointerId);
    this.#edit();
    this.#last = this.#at(event);
    this.#set(this.#last, this.#last);
  }

  #move(event) {
    if (this.#last === null) return;
    for (const e of event.getCoalescedEvents?.() ?? [event]) {
      const at = this.#at(e);
      this.#set(this.#last, at);
      this.#last = at;
    }
  }

  #at(event) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const { values, highest } = this.#load;
    const index = Math.floor(((event.clientX - left) / width) * values.length);
    return {
      index: Math.max(0, Math.min(values.length - 1, index)),
      value: Math.max(0, Math.min(1, 1 - (event.clientY - top - 6) / (height - 12))) * highest,
    };
  }

  /** set draws a straight line from one point to another. */
  #set(from, to) {
    const steps = Math.max(1, Math.abs(to.index - from.index));
    for (let i = 0; i <= steps; i++) {
      const share = i / steps;
      const index = Math.round(from.index + (to.index - from.index) * share);
      this.#load.values[index] = Number((from.value + (to.value - from.value) * share).toPrecision(3));
    }
    this.#index = to.index;
    this.draw();
    this.#changed();
  }

  #key(event) {
    const last = this.#load.values.length - 1;
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    const lifts = { ArrowUp: 0.02, ArrowDown: -0.02, PageUp: 0.2, PageDown: -0.2 };
    if (event.key in steps) {
      this.#index = Math.max(0, Math.min(last, this.#index + steps[event.key] * (event.shiftKey ? 10 : 1)));
    } else if (event.key in lifts) {
      this.#edit();
      const { values, highest } = this.#load;
      values[this.#index] = Number(Math.max(0, Math.min(highest, values[this.#index] + lifts[event.key] * highest)).toPrecision(3));
      this.#changed();
    } else return;
    event.preventDefault();
    this.draw();
  }

  draw() {
    const { values, seconds, highest } = this.#load;
    if (values.length === 0) return;
    const canvas = this.#canvas;
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = width * scale;
    canvas.height = height * scale;
    const c = canvas.getContext("2d");
    c.scale(scale, scale);
    const style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(name);
    const x = (i) => (i / values.length) * width;
    const y = (v) => 6 + (1 - Math.min(1, v / highest)) * (height - 12);
    c.beginPath();
    c.moveTo(0, y(0));
    values.forEach((v, i) => { c.lineTo(x(i), y(v)); c.lineTo(x(i + 1), y(v)); });
    c.strokeStyle = colour("--load");
    c.lineWidth = 1.5;
    c.stroke();
    c.lineTo(width, y(0));
    c.fillStyle = colour("--load-fill");
    c.fill();
    if (document.activeElement === canvas) {
      c.fillStyle = colour("--accent");
      c.fillRect(x(this.#index), 0, Math.max(2, x(1)), height);
    }
    if (values.length === 0) return; // not answered yet
    const value = values[this.#index];
    canvas.setAttribute("aria-valuemax", String(highest));
    canvas.setAttribute("aria-valuenow", String(value));
    canvas.setAttribute("aria-valuetext",
      `${number(value)} at ${clock(START + (this.#index / values.length) * seconds * 1000)}, point ${this.#index + 1} of ${values.length}, ${span(Math.round(seconds / values.length))} each`);
  }
}
