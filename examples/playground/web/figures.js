/** The table that compares the runs. */
import { el, fill } from "./dom.js";

/**
 * showFigures fills the table with a row for each figure.
 * @param {HTMLTableElement} table
 * @param {{name: string, texts: string[], changes?: string[]}[]} figures
 * @param {string[]} names of the runs
 */
export function showFigures(table, figures, names) {
  fill(table,
    el("caption", { textContent: "What the runs cost and lost" }),
    el("thead", {}, el("tr", {}, el("td"), ...names.map((name) => el("th", { scope: "col", textContent: name })),
      ...names.slice(1).map(() => el("th", { scope: "col", textContent: "against the first" })))),
    el("tbody", {}, ...figures.map(({ name, texts, changes = [] }) => el("tr", {},
      el("th", { scope: "row", className: name.startsWith(" ") ? "inner" : "", textContent: name.trim() }),
      ...[...texts, ...changes].map((text) => el("td", { textContent: text }))))));
}
