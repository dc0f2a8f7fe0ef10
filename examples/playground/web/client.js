/**
 * The page's side of the worker. Of each kind of question only the newest waits
 * while the worker is busy. A worker that crashes, or takes too long, is ended
 * and started again.
 */

/** How long an answer, and the start of the engine, may take. */
const PATIENCE = 20_000;
const START = 120_000;

export class Client {
  #worker = null;
  #waiting = new Map(); // kind -> question
  #current = null;
  #next = 1;
  #load = undefined; // what the worker has
  #timer = 0;
  #ready = false;
  #engine;
  #say;

  /**
   * @param {string} engine the URL of the engine
   * @param {(message: string) => void} say tells people what happened
   */
  constructor(engine, say) {
    this.#engine = engine;
    this.#say = say;
    this.#start();
  }

  /** read resolves to what read of yaml.js returns, or to undefined if a newer question came. */
  read(kind, text) {
    return this.#ask(kind, { read: text });
  }

  /**
   * ask resolves to a Response, or to undefined if a newer question of the kind
   * came or the worker failed.
   * @param {string} kind
   * @param {object} request a Request; its load may be long, and is sent once
   */
  ask(kind, request) {
    return this.#ask(kind, { request });
  }

  #ask(kind, question) {
    return new Promise((resolve) => {
      this.#waiting.get(kind)?.resolve(undefined);
      this.#waiting.delete(kind);
      this.#waiting.set(kind, { ...question, resolve });
      this.#pump();
    });
  }

  #start() {
    this.#worker?.terminate();
    this.#ready = false;
    this.#load = undefined;
    this.#current = null;
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail("The engine stopped, and was started again.");
    };
    this.#worker.postMessage({ engine: this.#engine });
  }

  #receive(data) {
    if (data.ready) {
      this.#ready = true;
      this.#watch();
    } else if (data.broken) {
      this.#say(`The engine cannot be loaded: ${data.broken}`);
    } else if (data.id === this.#current?.id) {
      clearTimeout(this.#timer);
      if (data.crashed !== undefined) {
        this.#fail(`The engine failed, and was started again: ${data.crashed}`);
        return;
      }
      const { resolve } = this.#current;
      this.#current = null;
      resolve(data.answer);
      this.#pump();
    }
  }

  #pump() {
    if (this.#current !== null || this.#waiting.size === 0) return;
    const [kind, { read, request, resolve }] = this.#waiting.entries().next().value;
    this.#waiting.delete(kind);
    const message = { id: this.#next++ };
    if (read !== undefined) message.read = read;
    else {
      message.request = { ...request, load: Boolean(request.load) };
      if (request.load && request.load !== this.#load) message.load = this.#load = request.load;
    }
    this.#current = { id: message.id, resolve };
    this.#worker.postMessage(message);
    this.#watch();
  }

  #watch() {
    clearTimeout(this.#timer);
    if (this.#current === null) return;
    this.#timer = setTimeout(
      () => this.#fail(`The engine took more than ${PATIENCE / 1000} seconds. It was stopped, and started again.`),
      this.#ready ? PATIENCE : START,
    );
  }

  #fail(message) {
    clearTimeout(this.#timer);
    const failed = this.#current;
    this.#start();
    this.#say(message);
    failed?.resolve(undefined);
    this.#pump();
  }
}
