/** An autoscaler's part of the page: its text, documents, release and messages. */
import { $, debounce, el, fill, options } from "./dom.js";
import { Editor } from "./editor.js";
import { lineOf } from "./yaml.js";

const RELEASES = ["1.37", "1.36", "1.35", "1.34", "1.33", "1.32", "1.31", "1.30", "1.29"];

/** The most messages of a kind that are shown. */
const MOST = 100;

export class Autoscaler {
  #state;
  #client;
  #changed;
  #id;
  #editor;
  #documents = [];
  #problems = [];
  #refused = [];
  #about = null;
  #findings = [];

  /**
   * @param {"a"|"b"} id
   * @param {import("./client.js").Client} client
   * @param {() => void} changed is called once the document is read
   */
  constructor(id, client, changed) {
    this.#id = id;
    this.#client = client;
    this.#changed = changed;
    const soon = debounce(() => this.#read(), 200);
    this.#editor = new Editor($(`editor-${id}`), () => {
      this.#state.text = this.#editor.text;
      soon();
    }, () => {
      this.#refused = [{ line: 1, message: "What was pasted is longer than 3 MiB, the API server's limit, and not taken." }];
      this.#draw();
    });
    $(`document-${id}`).addEventListener("change", (event) => {
      this.#state.document = Number(event.target.value);
      this.#draw();
      this.#changed();
    });
    options($(`release-${id}`), RELEASES.map((r) => [r === RELEASES[0] ? "" : r, r]), "");
    $(`release-${id}`).addEventListener("change", (event) => {
      this.#state.release = event.target.value;
      this.#changed();
    });
  }

  /**
   * set shows a state, keeps it up to date, and resolves once its document is read.
   * @param {{text: string, document: number, release: string}} state
   */
  set(state) {
    this.#state = state;
    this.#editor.text = state.text;
    $(`release-${this.#id}`).value = state.release;
    return this.#read();
  }

  /** name is the selected document's, for people and files. */
  get name() {
    return this.#documents[this.#state.document]?.name;
  }

  /** request is the autoscaler of a Request; undefined while nothing can be read. */
  get request() {
    const document = this.#documents[this.#state.document];
    if (document === undefined || this.#problems.length > 0) return undefined;
    return { manifest: document.value, flags: this.#state.release ? { release: this.#state.release } : {} };
  }

  /** show shows an About: problems and defaults. */
  show(about) {
    this.#about = about;
    this.#draw();
  }

  /** showFindings shows the findings of an About. */
  showFindings(about) {
    this.#findings = about?.findings ?? [];
    this.#draw();
  }

  async #read() {
    const { text } = this.#state;
    const answer = await this.#client.read(`read-${this.#id}`, text);
    if (answer === undefined || text !== this.#state.text) return;
    this.#documents = answer.documents;
    this.#problems = answer.problems;
    this.#refused = [];
    this.#about = null;
    if (this.#state.document >= this.#documents.length) this.#state.document = 0;
    const menu = $(`document-${this.#id}`);
    options(menu, this.#documents.map((d, i) => [i, d.name]), this.#state.document);
    menu.closest("label").hidden = this.#documents.length < 2;
    this.#draw();
    this.#changed();
  }

  #draw() {
    const lines = this.#documents[this.#state.document]?.lines ?? new Map();
    const at = (field) => lineOf(lines, field ?? "");
    const messages = [
      ...[...this.#refused, ...this.#problems].map((p) => ({ mark: "error", line: p.line, text: p.message })),
      ...(this.#about?.problems ?? []).map((p) => ({
        mark: "error", line: at(p.field), text: p.field && !p.message.includes(p.field) ? `${p.field}: ${p.message}` : p.message,
      })),
      ...this.#findings.slice(0, MOST).map((f) => ({ mark: "warning", line: at(f.field), text: `${f.kind}: ${f.message}`, shows: f.shows })),
    ];
    const defaults = (this.#about?.defaults ?? []).slice(0, MOST).map((d) => ({
      mark: "info", line: at(d.field), text: `the API server fills in ${d.field.replace(/^spec\./, "")}: ${written(d.value)}`,
    }));
    this.#editor.mark([...messages, ...defaults].map((m) => [m.line, m.mark]));
    const fold = defaults.length === 0 ? null : el("li", {}, el("details", {},
      el("summary", { textContent: `Defaults that the API server fills in: ${defaults.length}` }),
      el("ul", {}, ...defaults.map((m) => this.#item(m)))));
    fill($(`messages-${this.#id}`), ...messages.map((m) => this.#item(m)), fold);
  }

  #item({ mark, line, text, shows }) {
    const button = el("button", { type: "button", className: mark, onclick: () => this.#editor.go(line) },
      el("b", { textContent: `line ${line}:` }), ` ${text}`);
    const details = shows?.length
      ? el("details", {}, el("summary", { textContent: "a case" }), el("ol", {}, ...shows.map((s) => el("li", { textContent: s }))))
      : null;
    return el("li", {}, button, details);
  }
}

const written = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
