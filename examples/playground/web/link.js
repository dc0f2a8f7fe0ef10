/**
 * Links hold everything: "#1." and the base64url of the deflated JSON of the
 * page's state. Nothing of it reaches a server.
 */

const VERSION = "1";
const MAX_INFLATED = 8 << 20;

/** The most characters of a fragment; a longer one leaves the load out. */
export const MAX_LINK = 100_000;

/** encode resolves to the fragment of a state, without "#". */
export async function encode(state) {
  const deflated = await pipe(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (let i = 0; i < deflated.length; i += 0x8000) binary += String.fromCharCode(...deflated.subarray(i, i + 0x8000));
  return `${VERSION}.${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/**
 * encodeShort resolves to a fragment, and whether it holds all: a load's text is
 * left out of a long one. It is empty if even the rest is too long.
 */
export async function encodeShort(state) {
  const whole = await encode(state);
  if (whole.length <= MAX_LINK) return { fragment: whole, whole: true };
  const { text, ...load } = state.load;
  const rest = await encode({ ...state, load });
  return { fragment: rest.length <= MAX_LINK ? rest : "", whole: false };
}

/** decode resolves to the state of a fragment. What cannot be read is an Error for people. */
export async function decode(fragment) {
  const [, version, data] = /^#?(\d+)\.([\w-]*)$/.exec(fragment) ?? [];
  if (version === undefined) throw new Error("The link is not one of this page, or was cut off.");
  if (version !== VERSION) throw new Error(`The link is of version ${version}, which this page does not know.`);
  let state;
  try {
    const binary = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    const inflated = await pipe(Uint8Array.from(binary, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"), MAX_INFLATED);
    state = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(inflated));
  } catch (error) {
    throw new Error(error.tooLong ? "The link expands to more than 8 MiB." : "The link cannot be read. Was it cut off?");
  }
  if (!valid(state)) throw new Error("The link cannot be read. Its content is not a state of this page.");
  return state;
}

const strings = (o) => o !== null && typeof o === "object" && !Array.isArray(o) && Object.values(o).every((v) => typeof v === "string");

/** valid reports whether a state has the types that the page relies on. */
export function valid(state) {
  const { autoscalers, load, flags, sync } = state ?? {};
  return Array.isArray(autoscalers) && autoscalers.length === 2
    && autoscalers.every((a) => typeof a?.text === "string" && Number.isInteger(a.document) && a.document >= 0 && typeof a.release === "string")
    && typeof load?.name === "string"
    && (load.highest === undefined || (Number.isFinite(load.highest) && load.highest > 0))
    && (load.text === undefined || typeof load.text === "string")
    && (load.values === undefined || (Array.isArray(load.values) && load.values.length >= 2 && load.values.length <= 1000
      && load.values.every((v) => Number.isFinite(v) && v >= 0) && Number.isFinite(load.seconds) && load.seconds > 0 && load.seconds <= 1e8))
    && strings(flags) && Number.isInteger(sync) && sync >= 0;
}

/** pipe resolves to the bytes that a transform makes, or fails beyond a limit. */
async function pipe(bytes, transform, limit) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const chunks = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw Object.assign(new Error("too long"), { tooLong: true });
    }
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
