// The engine for JavaScript: package engine of this folder's parent, compiled to
// wasm. It needs nothing but a browser or Node 20.

import './wasm_exec.js';

/**
 * Starts an engine.
 *
 * @param {URL|string|ArrayBuffer|Uint8Array} source The wasm or where it is; it
 *   may be compressed by Brotli.
 * @returns {Promise<(request: object) => object>} From a request to its answer;
 *   see the documentation of package engine. It throws if the engine has
 *   crashed; then start another one.
 */
export async function open(source) {
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(await inflate(await read(source)), go.importObject);
  let running = true;
  const end = go.run(instance).finally(() => { running = false; });
  const answer = globalThis.hpaAnswer;
  delete globalThis.hpaAnswer;
  if (!running || !answer) {
    await end;
    throw new Error('the engine has not started');
  }
  return (request) => {
    if (!running) {
      throw new Error('the engine has stopped');
    }
    return JSON.parse(answer(JSON.stringify(request)));
  };
}

async function read(source) {
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return new Uint8Array(source);
  }
  const url = new URL(source, import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url}: ${response.status} ${response.statusText}`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

// Whether it is compressed, the bytes tell: a server may have said that it is, and
// fetch has inflated it then. The decoder is a third of the page, so it is loaded
// only if needed.
async function inflate(bytes) {
  if (bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d) { // \0asm
    return bytes;
  }
  const { decompress } = await import('./vendor/brotli.js');
  return decompress(bytes);
}
