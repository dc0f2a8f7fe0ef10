/**
 * YAML as kubectl reads it: YAML 1.1 without times, with merge keys, without
 * duplicate keys, as JSON. And where each field stands.
 */
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "./vendor/yaml.js";

/** The longest text: about the API server's limit for a request. */
export const MAX_LENGTH = 3 << 20;

/** Deeper nesting than this is refused. An autoscaler has 8 levels. */
const MAX_DEPTH = 64;

/** The most documents that a menu lists. */
const MAX_DOCUMENTS = 500;

/** More brackets or dashes within each other than this exhaust the parser. */
const MAX_OPEN = 500;

const KIND = "HorizontalPodAutoscaler";

/**
 * @typedef {{line: number, message: string}} Problem
 * @typedef {{name: string, value: any, lines: Map<string, number>}} Document
 *   lines maps the path of a field to its line, from 1; "" is the document.
 */

/**
 * read returns the autoscalers in a text, items of lists included. Without any,
 * all documents count, so that the API server's text says what is wrong.
 * @param {string} text
 * @returns {{documents: Document[], problems: Problem[]}}
 */
export function read(text) {
  if (text.length > MAX_LENGTH) return refuse(1, "This is longer than 3 MiB, the API server's limit.");
  if (nested(text)) return refuse(1, TOO_DEEP);
  const counter = new LineCounter();
  const problems = [];
  const documents = [];
  try {
    for (const doc of parseAllDocuments(text, {
      version: "1.1", merge: true, lineCounter: counter, prettyErrors: false, uniqueKeys: true,
      logLevel: "silent", customTags: (tags) => tags.filter((t) => t.format !== "TIME" && !/timestamp/.test(t.tag)),
    })) {
      if (doc.errors.length > 0) {
        problems.push(...doc.errors.slice(0, 20).map((e) => ({ line: counter.linePos(e.pos[0]).line, message: hostile(e) })));
        continue;
      }
      if (doc.contents === null || (isScalar(doc.contents) && doc.contents.value === null)) continue;
      const lines = new Map();
      locate(doc, doc.contents, "", lines, counter, 0);
      const value = doc.toJS({ maxAliasCount: 50 });
      checkNumbers(value, 0);
      documents.push(...expand(value, lines));
    }
  } catch (error) {
    problems.push({ line: 1, message: hostile(error) });
  }
  const autoscalers = documents.filter((d) => d.value?.kind === KIND);
  if (documents.length === 0 && problems.length === 0) return refuse(1, `There is no ${KIND} here.`);
  return { documents: (autoscalers.length > 0 ? autoscalers : documents).slice(0, MAX_DOCUMENTS), problems };
}

const TOO_DEEP = "This is nested too deeply.";

/** nested reports whether brackets, or indicators in a line, nest too deeply to be parsed. */
function nested(text) {
  let open = 0;
  let indicators = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5b || c === 0x7b) open++; // [ {
    else if ((c === 0x5d || c === 0x7d) && open > 0) open--; // ] }
    else if (c === 0x0a) indicators = 0;
    else if ((c === 0x2d || c === 0x3f || c === 0x3a) && text[i + 1] === " ") indicators++; // - ? :
    if (open > MAX_OPEN || indicators > 20 * MAX_OPEN) return true;
  }
  return false;
}

const refuse = (line, message) => ({ documents: [], problems: [{ line, message }] });

function hostile(error) {
  if (error instanceof RangeError || /call stack/.test(error.message)) return TOO_DEEP;
  if (/alias count/i.test(error.message)) return "Aliases expand this to an excessive size.";
  return error.message;
}

/** expand returns the items of a list, or the document itself. */
function expand(value, lines) {
  if (!Array.isArray(value?.items) || !String(value.kind).endsWith("List")) return [named(value, lines)];
  return value.items.map((item, i) => {
    const prefix = `items[${i}]`;
    const own = new Map();
    for (const [path, line] of lines) {
      if (path === prefix) own.set("", line);
      else if (path.startsWith(`${prefix}.`)) own.set(path.slice(prefix.length + 1), line);
    }
    return named(item, own);
  });
}

function named(value, lines) {
  const { name, namespace } = value?.metadata ?? {};
  const own = typeof name === "string" && name !== "" ? name : `line ${lines.get("") ?? 1}`;
  return { name: typeof namespace === "string" ? `${namespace}/${own}` : own, value, lines };
}

/** locate records the line of each field. Aliases have the line where they stand. */
function locate(doc, node, path, lines, counter, depth) {
  if (depth > MAX_DEPTH) throw new RangeError("depth");
  if (node === null || node === undefined) return;
  if (!lines.has(path)) lines.set(path, counter.linePos(node.range?.[0] ?? 0).line);
  if (isAlias(node)) return;
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : key);
      const child = path === "" ? name : `${path}.${name}`;
      lines.set(child, counter.linePos(key?.range?.[0] ?? node.range[0]).line);
      locate(doc, value, child, lines, counter, depth + 1);
    }
  } else if (isSeq(node)) {
    node.items.forEach((item, i) => locate(doc, item, `${path}[${i}]`, lines, counter, depth + 1));
  }
}

/** checkNumbers refuses what JSON has no number for, as kubectl does. */
function checkNumbers(value, depth) {
  if (depth > MAX_DEPTH) throw new RangeError("depth");
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${value} is not a number of JSON.`);
  if (typeof value === "bigint") throw new Error(`${value} is too large.`);
  if (value !== null && typeof value === "object") Object.values(value).forEach((v) => checkNumbers(v, depth + 1));
}

/**
 * lineOf returns the line of a field, or of its deepest ancestor that is there.
 * @param {Map<string, number>} lines
 * @param {string} path such as spec.behavior.scaleUp.policies[1].value
 */
export function lineOf(lines, path) {
  for (let p = path; p !== ""; p = p.replace(/(^|\.)[^.[\]]+$|\[[^\]]*\]$|.$/, "")) {
    if (lines.has(p)) return lines.get(p);
  }
  return lines.get("") ?? 1;
}
