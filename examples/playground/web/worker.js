/**
 * The worker: reads YAML and holds the engine. One message, one answer, in
 * order. The first message names the engine.
 */
import { open } from "./engine.mjs";
import { read } from "./yaml.js";

let engine;
let load = "";

async function answer({ read: text, request, load: changed }) {
  if (text !== undefined) return read(text);
  if (changed !== undefined) load = changed;
  const ask = await engine;
  return ask({ ...request, load: request.load ? load : "" });
}

self.onmessage = async ({ data }) => {
  if (data.engine !== undefined) {
    engine = open(data.engine);
    engine.then(() => self.postMessage({ ready: true }), (error) => self.postMessage({ broken: String(error) }));
    return;
  }
  try {
    self.postMessage({ id: data.id, answer: await answer(data) });
  } catch (error) {
    self.postMessage({ id: data.id, crashed: String(error) });
  }
};
