import assert from "node:assert/strict";
import { test } from "node:test";
import { picture } from "../picture.js";

const run = (name) => ({
  name,
  rows: {
    start: Date.UTC(2026, 4, 4, 12), time: [0, 15_000, 30_000], load: [100, 900, 100], unserved: [0, 500, 0], capacity: [400, 400, 800],
    desired: [10, 20, 20], ready: [10, 10, 20], held: [32, 2, 0],
  },
});

test("a picture holds names as text", () => {
  const evil = `"><script>alert(1)</script>&`;
  const svg = picture([run(evil), run("B")], evil);
  assert.ok(!svg.includes("<script"));
  assert.equal(svg.match(/&#60;script&#62;/g).length, 3); // the title twice, and the legend
});

test("a picture has its lanes, lines and lost load", () => {
  const svg = picture([run("A")], "A on a step");
  for (const text of ["policy", "tolerance", "12:00:15"]) assert.ok(svg.includes(`>${text}<`), text);
  assert.ok(!svg.includes(">window<"));
  assert.equal(svg.match(/<rect /g).length, 2); // the ground, and one stretch of lost load
});
