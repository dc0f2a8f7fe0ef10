/** The load's part of the page: presets, drawing, files and text. */
import { $, options, seconds as read, span } from "./dom.js";
import { Draw } from "./draw.js";
import { csv, fetchMeasured, measured, presets, resample, round, shape } from "./loads.js";

const MAX_FILE = 64 << 20;

/** Texts longer than this are not shown in the text area. */
const MAX_SHOWN = 1 << 20;

export class LoadPanel {
  #load;
  #draw;
  #sampled = null;
  #text = null;
  #changed;
  #say;

  /**
   * @param {(load: import("./loads.js").Load, given: boolean) => void} changed is called with each
   *   new load, and whether its values are of another scale
   * @param {(message: string) => void} say tells what cannot be used
   */
  constructor(changed, say) {
    this.#say = say;
    this.#changed = (given = false) => {
      this.#text = null;
      changed(this.#load, given);
    };
    options($("preset"), [...presets, ["", "drawn or given"]], "");
    this.#draw = new Draw($("draw"), () => this.#edit(), () => this.#drawn());
    $("preset").addEventListener("change", (e) => e.target.value && this.choose(e.target.value));
    $("duration").addEventListener("change", (e) => {
      const value = read(e.target.value);
      if (value > 0) this.#rescale({ seconds: value });
      else this.#fields();
    });
    $("highest").addEventListener("change", (e) => {
      if (e.target.value > 0) this.#rescale({ highest: Number(e.target.value) });
      else this.#fields();
    });
    $("slope").addEventListener("change", (e) => {
      this.#load.slope = e.target.checked;
      this.#changed();
    });
    $("load-file").addEventListener("change", (e) => e.target.files[0] && this.file(e.target.files[0]));
    $("load-fold").addEventListener("toggle", () => this.#fields());
    $("load-text").addEventListener("change", (e) => this.#replace({ name: "text", slope: this.#load.slope, text: e.target.value }, true));
  }

  /** text is the load as the engine reads it. */
  get text() {
    this.#text ??= this.#load.text ?? csv(this.#load);
    return this.#text;
  }

  /** set shows a load. That of a measured preset is fetched. */
  async set(load) {
    if (load.values === undefined && load.text === undefined) {
      if (Object.hasOwn(measured, load.name)) return this.choose(load.name, false);
      this.#say(`The link leaves out the load ${load.name}. Give its file again.`);
      load = shape("flash sale");
    }
    this.#replace(load);
  }

  /** choose shows a preset. */
  async choose(name, given = true) {
    try {
      this.#replace(shape(name) ?? (await fetchMeasured(name)), given);
    } catch (error) {
      this.#say(`The load cannot be fetched: ${error.message}`);
      if (this.#load === undefined) this.#replace(shape("flash sale"));
    }
  }

  /** file reads a file. */
  async file(file) {
    if (file.size > MAX_FILE) this.#say(`${file.name} is larger than 64 MiB.`);
    else this.#replace({ name: file.name, slope: this.#load.slope, text: await file.text() }, true);
  }

  /** answered shows a load that was not drawn as it was simulated. */
  answered(rows, info) {
    if (this.#load.text === undefined) return;
    this.#sampled = resample(rows, info);
    this.#sampled.highest = info.highest || 1;
    this.#fields();
  }

  #replace(load, given = false) {
    this.#load = load;
    if (load.values) load.highest ??= Math.max(...load.values) || 1;
    this.#sampled = null;
    this.#changed(given && load.text !== undefined);
    this.#fields();
  }

  #shown() {
    return this.#load.values ? this.#load : this.#sampled;
  }

  #edit() {
    if (this.#load.text !== undefined) {
      if (this.#sampled === null) return;
      this.#load = { ...this.#sampled, slope: this.#load.slope };
    }
    this.#load.name = "drawn";
  }

  #drawn() {
    this.#changed();
    this.#fields();
  }

  #rescale({ seconds, highest }) {
    this.#edit();
    if (this.#load.values === undefined) return;
    if (seconds !== undefined) this.#load.seconds = seconds;
    if (highest !== undefined) {
      const factor = highest / this.#load.highest;
      this.#load.values = this.#load.values.map((v) => round(v * factor));
      this.#load.highest = highest;
    }
    this.#drawn();
  }

  #fields() {
    const shown = this.#shown();
    if (shown) {
      this.#draw.show(shown);
      $("duration").value = span(Math.round(shown.seconds));
      $("highest").value = String(round(shown.highest));
    }
    $("slope").checked = this.#load.slope;
    $("preset").value = presets.some(([name]) => name === this.#load.name) ? this.#load.name : "";
    $("load-name").textContent = this.#load.text !== undefined
      ? `${this.#load.name}${Object.hasOwn(measured, this.#load.name) ? `: ${measured[this.#load.name].unit}` : ""}` : "";
    if (!$("load-fold").open || document.activeElement === $("load-text")) return;
    const long = this.text.length > MAX_SHOWN;
    $("load-text").value = long ? `${this.text.slice(0, MAX_SHOWN)}\n…` : this.text;
    $("load-text").readOnly = long;
  }
}
