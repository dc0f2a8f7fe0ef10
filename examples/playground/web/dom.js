/** Elements, made without any markup: data only ever becomes text. */

/** @returns {HTMLElement} the element with that id, which must exist. */
export const $ = (id) => document.getElementById(id);

/**
 * el makes an element. Props are properties, or attributes if their name has a
 * dash or is role or for; on… are listeners. Children are nodes or texts.
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || name === "role" || name === "for" || name === "scope") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}

/** fill replaces the children of an element. */
export const fill = (element, ...children) => element.replaceChildren(...children.filter(Boolean));

/** options replaces the options of a select: [value, text] pairs. */
export function options(select, list, value) {
  fill(select, ...list.map(([v, text]) => el("option", { value: v, textContent: text })));
  select.value = String(value);
}

/** debounce returns a function that calls f once no call came for some time. */
export function debounce(f, milliseconds) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), milliseconds);
  };
}

/** save offers a blob as a download. */
export function save(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** copyButton returns a button that copies what text() returns. */
export function copyButton(label, text) {
  const button = el("button", { type: "button", textContent: label });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(await text());
      button.textContent = "copied";
    } catch {
      button.textContent = "cannot copy";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

const compact = new Intl.NumberFormat("en", { maximumSignificantDigits: 4, notation: "compact" });

/** number writes a number in at most four digits: 1.234K. */
export const number = (n) => compact.format(n);

/** clock writes a time in milliseconds as 12:34:56 in UTC. */
export const clock = (ms) => new Date(ms).toISOString().slice(11, 19);

/** span writes seconds as a duration of Go: 1h2m3s. */
export function span(seconds) {
  if (!Number.isFinite(seconds)) return String(seconds);
  const total = Math.round(seconds * 1000) / 1000;
  const [h, m, s] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), Math.round((total % 60) * 1000) / 1000];
  return (h ? `${h}h` : "") + (m ? `${m}m` : "") + (s || total === 0 ? `${s}s` : "");
}

/** seconds reads a duration such as 30s, 10m or 1h30m; NaN if it is not one. */
export function seconds(text) {
  const units = { h: 3600, m: 60, s: 1, ms: 0.001 };
  if (/^\d+(\.\d+)?$/.test(text.trim())) return Number(text);
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text.trim())) return NaN;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)].reduce((sum, [, n, unit]) => sum + Number(n) * units[unit], 0);
}
