/** What can be taken along: a link, files, a picture and commands. */
import { $, copyButton, el, fill, save } from "./dom.js";
import { encodeShort } from "./link.js";
import { picture } from "./picture.js";

export class Take {
  #page;

  /**
   * @param {object} page has state, request(want), answer, names and loadText
   * @param {import("./client.js").Client} client
   */
  constructor(page, client) {
    this.#page = page;
    const link = copyButton("Copy link", async () => {
      const { fragment, whole } = await encodeShort(page.state);
      this.note(whole, fragment);
      return `${location.href.split("#")[0]}#${fragment}`;
    });
    link.id = "link";
    const download = (id, text, click) => el("button", { type: "button", id, textContent: text, onclick: click });
    fill($("downloads"), link,
      download("save-yaml", "YAML", () => this.#each((i) => save(`${this.#file(i)}.yaml`, "application/yaml", page.state.autoscalers[i].text))),
      download("save-load", "load.csv", () => save("load.csv", "text/csv", page.loadText)),
      download("save-json", "Object JSON", () => this.#each((i) => {
        const { object } = page.answer?.autoscalers?.[i] ?? {};
        if (object) save(`${this.#file(i)}.json`, "application/json", `${JSON.stringify(object, null, 2)}\n`);
      })),
      download("save-recording", "Recording", () => this.#each(async (i) => {
        const answer = await client.ask(`recording-${i}`, page.request({ recording: i }));
        if (answer?.recording) save(`${this.#file(i)}.rec`, "text/plain", answer.recording);
      })),
      download("svg", "Picture", () => {
        const runs = page.answer?.runs;
        if (runs) save(`${this.#file(0)}.svg`, "image/svg+xml", picture(runs, `${runs.map((r) => r.name).join(" and ")} on ${page.state.load.name}`));
      }));
  }

  /** note says whether the link holds all. */
  note(whole, fragment) {
    const part = fragment === "" ? "This is too long for a link, which holds nothing." : "The load is too long for a link, which leaves it out. Save load.csv beside it.";
    $("link-note").textContent = whole ? "" : part;
  }

  /** show shows the commands of an answer. */
  show(commands = []) {
    fill($("commands"), ...commands.map(({ does, line, files }) => el("div", { className: "command" },
      el("p", { textContent: `${does}${files?.length ? `, of ${files.join(" and ")}` : ""}` }),
      el("pre", { tabIndex: 0, textContent: line }), copyButton("copy", () => line))));
  }

  #each(f) {
    for (let i = 0; i < (this.#page.answer?.autoscalers?.length ?? 0); i++) f(i);
  }

  #file(index) {
    return this.#page.answer?.autoscalers?.[index]?.file ?? "autoscaler"; // as the commands call it
  }
}
