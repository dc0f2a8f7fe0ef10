import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_LENGTH, lineOf, read } from "../yaml.js";

const one = (text) => {
  const { documents, problems } = read(text);
  assert.deepEqual(problems, []);
  assert.equal(documents.length, 1);
  return documents[0];
};

const hpa = `# an autoscaler
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  maxReplicas: 10
  behavior:
    scaleUp:
      policies:
      - type: Pods
        value: 4
      - {type: Percent,
         value: 100}
`;

test("fields have lines, and missing ones those of their ancestors", () => {
  const { lines } = one(hpa);
  for (const [path, line] of [
    ["spec.maxReplicas", 7],
    ["spec.behavior.scaleUp.policies[0]", 11],
    ["spec.behavior.scaleUp.policies[0].value", 12],
    ["spec.behavior.scaleUp.policies[1].value", 14],
    ["spec.behavior.scaleUp.policies[1].periodSeconds", 13],
    ["spec.behavior.scaleUp.policies[7].value", 10],
    ["spec.behavior.scaleDown.policies[0]", 8],
    ["spec.minReplicas", 6],
    ["metadata.annotations[a.b/c]", 4],
    ["status", 2],
    ["", 2],
    ["]].[[", 2],
  ]) assert.equal(lineOf(lines, path), line, path);
});

test("JSON is YAML", () => {
  const { value, lines } = one('{"kind": "HorizontalPodAutoscaler",\n "spec": {"maxReplicas": 3}}');
  assert.equal(value.spec.maxReplicas, 3);
  assert.equal(lineOf(lines, "spec.maxReplicas"), 2);
});

test("scalars are those of YAML 1.1, without times", () => {
  assert.deepEqual(one("a: yes\nb: Off\nc: \"yes\"\nd: 010\ne: 0x1F\nf: 1.5\ng: 500m\nh: 2026-05-04\ni: 12:30:00\nj: ~\nk:\nl: 1_000").value,
    { a: true, b: false, c: "yes", d: 8, e: 31, f: 1.5, g: "500m", h: "2026-05-04", i: "12:30:00", j: null, k: null, l: 1000 });
});

test("numbers that JSON does not have are refused", () => {
  for (const text of ["a: .inf", "a: .nan", "a: [-.inf]"]) assert.match(read(text).problems[0].message, /not a number of JSON/);
});

test("merge keys and aliases are followed", () => {
  assert.deepEqual(one("base: &b {value: 1, periodSeconds: 15}\nown: {<<: *b, value: 2}\nsame: *b").value.own, { value: 2, periodSeconds: 15 });
});

test("duplicate keys and broken texts are refused with their line", () => {
  assert.deepEqual(read("a: 1\nb: 2\na: 3").problems.map((p) => p.line), [3]);
  assert.equal(read("a:\n  - b\n c: [").problems.length > 0, true);
  assert.equal(read("\ta: 1").problems.length > 0, true);
});

test("autoscalers are picked from many documents and lists", () => {
  const names = (text) => read(text).documents.map((d) => d.name);
  const doc = (name, kind = "HorizontalPodAutoscaler") => `kind: ${kind}\nmetadata: {name: ${name}, namespace: shop}\n`;
  assert.deepEqual(names(`${doc("a")}---\n${doc("b", "Service")}---\n${doc("c")}`), ["shop/a", "shop/c"]);
  assert.deepEqual(names(doc("b", "Service")), ["shop/b"]);
  const list = read("kind: List\nitems:\n- kind: HorizontalPodAutoscaler\n  metadata:\n    name: x\n- kind: Pod\n");
  assert.deepEqual(list.documents.map((d) => d.name), ["x"]);
  assert.equal(lineOf(list.documents[0].lines, "metadata.name"), 5);
  assert.equal(lineOf(list.documents[0].lines, "spec"), 3);
});

test("comments alone are no autoscaler", () => {
  for (const text of ["", "# nothing\n", "---\n---\n# x\n"]) {
    const { documents, problems } = read(text);
    assert.equal(documents.length, 0);
    assert.match(problems[0].message, /no HorizontalPodAutoscaler/);
  }
});

test("hostile texts end with a message", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghi".split("").map((c, i) => `${c}: &${c} [${Array(9).fill(`*${"abcdefgh"[i]}`).join()}]`).join("\n")}\n`;
  for (const text of [bomb, "[".repeat(50_000), "{a: ".repeat(5_000), "- ".repeat(5_000), "&a [*a]", "x".repeat(MAX_LENGTH + 1), "%YAML 9.9\n---\n: :", "? [a]\n: b\n"]) {
    const { problems, documents } = read(text);
    assert.ok(problems.length + documents.length > 0);
  }
  assert.match(read(bomb).problems[0].message, /Aliases/);
  assert.match(read("[".repeat(50_000)).problems[0].message, /nested|Flow/);
  assert.match(read("#".repeat(MAX_LENGTH + 1)).problems[0].message, /3 MiB/);
  assert.match(read("[".repeat(1_000_000)).problems[0].message, /nested/); // exhausts the parser
  assert.equal({}.polluted, undefined);
  read("__proto__: {polluted: 1}");
  assert.equal({}.polluted, undefined);
});
