/** A text area with line numbers, of which some are marked. */
import { el, fill } from "./dom.js";

/** Marks, the strongest first. */
export const MARKS = ["error", "warning", "info"];

/** The most characters of a text. A text area takes seconds to lay out more. */
export const MAX_TEXT = 3 << 20;

/** More lines than this have no numbers beyond. */
const MAX_LINES = 20_000;

const LINE_HEIGHT = 20; // of style.css

export class Editor {
  #area;
  #gutter;
  #numbers = el("span");
  #marks = el("span");

  /**
   * @param {HTMLTextAreaElement} area in an element of class editor
   * @param {() => void} oninput
   * @param {() => void} refused is called when a text that is too long is not taken
   */
  constructor(area, oninput, refused) {
    this.#area = area;
    this.#gutter = el("div", { className: "gutter", "aria-hidden": "true" }, el("div", {}, this.#marks, this.#numbers));
    area.before(this.#gutter);
    area.addEventListener("input", () => {
      this.#number();
      oninput();
    });
    area.addEventListener("beforeinput", (event) => {
      const more = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
      const kept = this.text.length - (area.selectionEnd - area.selectionStart);
      if (more.length > 1000 && kept + more.length > MAX_TEXT) {
        event.preventDefault();
        refused();
      }
    });
    area.addEventListener("scroll", () => this.#scroll(), { passive: true });
  }

  get text() {
    return this.#area.value;
  }

  set text(text) {
    this.#area.value = text.slice(0, MAX_TEXT);
    this.#number();
  }

  /** mark marks lines: [line, one of MARKS] pairs. */
  mark(lines) {
    const strongest = new Map();
    for (const [line, mark] of lines) {
      const before = strongest.get(line);
      if (before === undefined || MARKS.indexOf(mark) < MARKS.indexOf(before)) strongest.set(line, mark);
    }
    fill(this.#marks, ...[...strongest].map(([line, mark]) => {
      const element = el("i", { className: `mark ${mark}` });
      element.style.top = `${(line - 1) * LINE_HEIGHT}px`;
      return element;
    }));
  }

  /** go moves the cursor to a line, selects it and shows it. */
  go(line) {
    const lines = this.text.split("\n");
    const from = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
    this.#area.focus();
    this.#area.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
    this.#area.scrollTop = Math.max(0, (line - 4) * LINE_HEIGHT);
    this.#scroll();
  }

  #scroll() {
    this.#gutter.firstChild.style.transform = `translateY(${-this.#area.scrollTop}px)`;
  }

  #number() {
    const { text } = this; // the area's value is made anew each time
    let count = 1;
    for (let i = text.indexOf("\n"); i >= 0 && count < MAX_LINES; i = text.indexOf("\n", i + 1)) count++;
    if (this.#numbers.childElementCount === 0 && this.#numbers.dataset.count === String(count)) return;
    this.#numbers.dataset.count = String(count);
    this.#numbers.textContent = Array.from({ length: count }, (_, i) => i + 1).join("\n");
    this.#scroll();
  }
}
