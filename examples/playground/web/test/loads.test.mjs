import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { POINTS, csv, measured, presets, resample, shape } from "../loads.js";

test("every drawn preset is finite, positive and as high as it says", () => {
  const drawn = presets.map(([name]) => shape(name)).filter(Boolean);
  assert.equal(drawn.length, presets.length - Object.keys(measured).length);
  for (const { name, values, seconds } of drawn) {
    assert.equal(values.length, POINTS, name);
    assert.ok(values.every((v) => Number.isFinite(v) && v >= 0), name);
    assert.ok(Math.max(...values) >= 2000, name);
    assert.ok(seconds / 15 < 100_000, name);
  }
  assert.equal(shape("constructor"), undefined);
});

test("the flash sale is two minutes, one minute and seven", () => {
  const { values } = shape("flash sale");
  assert.deepEqual([24, 12, 84], [values.slice(0, 24), values.slice(24, 36), values.slice(36)].map((part, i) => part.filter((v) => v === [200, 2000, 200][i]).length));
});

test("a drawn load is a CSV file", () => {
  const lines = csv({ values: [1, 2.5], seconds: 1 }).split("\n");
  assert.deepEqual(lines, ["time,requests", "2026-05-04T12:00:00Z,1", "2026-05-04T12:00:00.500Z,2.5", ""]);
});

test("measured loads are there", async () => {
  for (const name of Object.keys(measured)) {
    const text = await readFile(new URL(`../loads/${name}.csv`, import.meta.url), "utf8");
    assert.match(text, /^timestamp,\w+\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d/);
  }
});

test("rows can be drawn on", () => {
  const rows = { start: 1000, time: [0, 60_000], load: [10, 20] };
  const { values, seconds } = resample(rows, { start: "1970-01-01T00:00:00Z", end: "1970-01-01T00:02:00Z" });
  assert.equal(seconds, 120);
  assert.deepEqual([values[0], values.at(-1), values.length], [10, 20, POINTS]);
});
