import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_LINK, decode, encode, encodeShort } from "../link.js";

const state = () => ({
  autoscalers: [{ text: "kind: Ü\n", document: 0, release: "" }, { text: "", document: 1, release: "1.30" }],
  compare: true, load: { name: "drawn", slope: true, values: [1, 2, 3], seconds: 60 }, flags: { startup: "45s" }, sync: 7,
});

/** noise is text that does not deflate well. */
function noise(length) {
  let x = 1;
  return Array.from({ length }, () => String.fromCharCode(33 + ((x = (x * 48271) % 2147483647) % 90))).join("");
}

test("a state survives its link", async () => {
  assert.deepEqual(await decode(`#${await encode(state())}`), state());
});

test("a load that is too long is left out, and nothing else", async () => {
  const long = { ...state(), load: { name: "big.csv", slope: false, text: noise(200_000) } };
  const { fragment, whole } = await encodeShort(long);
  assert.equal(whole, false);
  assert.ok(fragment.length < MAX_LINK);
  assert.deepEqual(await decode(fragment), { ...long, load: { name: "big.csv", slope: false } });
  assert.equal((await encodeShort(state())).whole, true);
  const hopeless = { ...state(), autoscalers: [{ text: noise(200_000), document: 0, release: "" }, state().autoscalers[1]] };
  assert.deepEqual(await encodeShort(hopeless), { fragment: "", whole: false });
});

test("hostile fragments are refused with a sentence", async () => {
  const good = await encode(state());
  const bomb = await encode({ ...state(), load: { name: "x", slope: false, text: "0".repeat(9 << 20) } });
  assert.ok(bomb.length < 20_000);
  for (const [fragment, message] of [
    ["", /not one of this page/], ["#x", /not one of this page/], ["#1.<script>", /not one of this page/],
    ["#2.abc", /version 2/], ["#1.", /cannot be read/], ["#1.AAAA", /cannot be read/], [good.slice(0, 40), /cannot be read/],
    [bomb, /8 MiB/],
    [await encode(null), /cannot be read/], [await encode([]), /cannot be read/], [await encode({ ...state(), flags: { a: 1 } }), /cannot be read/],
    [await encode({ ...state(), autoscalers: [] }), /cannot be read/], [await encode({ ...state(), sync: -1 }), /cannot be read/],
    [await encode({ ...state(), load: { name: "x", values: [1, "2"], seconds: 1 } }), /cannot be read/],
    [await encode({ ...state(), load: { ...state().load, highest: -1 } }), /cannot be read/],
    [await encode({ ...state(), load: { name: "x", values: [1, 2], seconds: 0 } }), /cannot be read/],
  ]) await assert.rejects(decode(fragment), { message }, fragment.slice(0, 60));
});
