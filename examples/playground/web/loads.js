/**
 * Loads: shapes that can be drawn, and measured ones. A load is kept as its name
 * and, if it is drawn, POINTS values that are evenly spaced over a time.
 */

/** How many values a drawn load has. */
export const POINTS = 120;

/** When drawn loads begin. */
export const START = Date.UTC(2026, 4, 4, 12);

/**
 * @typedef {object} Load
 * @property {string} name a preset's name, "drawn", or that of a file
 * @property {boolean} slope straight lines between values
 * @property {number[]} [values] of a drawn load
 * @property {number} [seconds] how long a drawn load takes
 * @property {string} [text] the file, if it is not drawn
 */

const HOUR = 3600;

/** hump is 1 at the middle and falls to 0 within width. */
const hump = (t, middle, width) => Math.max(0, Math.cos(Math.min(1, Math.abs(t - middle) / width) * Math.PI / 2)) ** 2;

/** busy is the load of a day by the hour from 0 to 24, 0 to 1. */
const busy = (hour) => 0.18 + 0.55 * hump(hour, 11, 6) + 0.82 * hump(hour, 19.5, 5) + 0.25 * hump(hour, 15, 5);

/** Shapes: of the share of time that has passed, 0 to 1, the share of the highest value. */
const shapes = {
  "flash sale": { seconds: 600, highest: 2000, slope: false, of: (t) => (t >= 0.2 && t < 0.3 ? 1 : 0.1) },
  step: { seconds: HOUR / 2, highest: 2000, slope: false, of: (t) => (t >= 0.25 ? 1 : 0.2) },
  ramp: { seconds: HOUR, highest: 2000, slope: true, of: (t) => 0.1 + 0.9 * Math.min(1, Math.max(0, (t - 0.1) / 0.6)) },
  spike: { seconds: HOUR, highest: 2000, slope: true, of: (t) => 0.15 + (t < 0.3 ? 0 : 0.85 * Math.exp((0.3 - t) / 0.06)) },
  day: { seconds: 24 * HOUR, highest: 2000, slope: true, of: (t) => busy((12 + 24 * t) % 24) },
  "Black Friday": {
    seconds: 24 * HOUR, highest: 6000, slope: true,
    of: (t) => 0.3 * busy((12 + 24 * t) % 24) + (t < 0.5 ? 0 : 0.75 * Math.exp((0.5 - t) / 0.05)) + 0.6 * hump(t, 0.92, 0.18),
  },
};

/** Measured loads, by name: the file and what its values count. */
export const measured = {
  elb: { title: "AWS load balancer, busiest of 14 days", unit: "requests / 5 min" },
  taxi: { title: "New York taxis, marathon", unit: "passengers / 30 min" },
  worldcup: { title: "World Cup 98, peak", unit: "requests / min" },
  azure: { title: "Azure LLM conversations", unit: "requests / 10 s" },
};

/** presets lists what a menu offers: [name, title]. */
export const presets = [
  ...Object.keys(shapes).map((name) => [name, name[0].toUpperCase() + name.slice(1)]),
  ...Object.entries(measured).map(([name, { title }]) => [name, title]),
];

/** @returns {Load|undefined} the drawn load of that name. */
export function shape(name) {
  if (!Object.hasOwn(shapes, name)) return undefined;
  const { seconds, highest, slope, of } = shapes[name];
  const raw = Array.from({ length: POINTS }, (_, i) => of(i / POINTS));
  const top = Math.max(...raw);
  return { name, slope, seconds, values: raw.map((v) => round((v / top) * highest)) };
}

/** round keeps a drawn value to three digits, so that files and links are short. */
export const round = (value) => Number(Math.max(0, value).toPrecision(3));

/** csv writes a drawn load. The last value holds as long as each other one. */
export function csv({ values, seconds }) {
  const step = (seconds * 1000) / values.length;
  const lines = values.map((v, i) => `${new Date(START + Math.round(i * step)).toISOString().replace(".000Z", "Z")},${v}`);
  return `time,requests\n${lines.join("\n")}\n`;
}

/** fetchMeasured resolves to the load of that name. */
export async function fetchMeasured(name) {
  const response = await fetch(new URL(`./loads/${name}.csv`, import.meta.url));
  if (!response.ok) throw new Error(`${name}.csv: ${response.status} ${response.statusText}`);
  return { name, slope: false, text: await response.text() };
}

/**
 * resample turns the rows of an answer into a drawn load, to draw on.
 * @param {{start: number, time: number[], load: number[]}} rows
 * @param {{start: string, end: string}} info
 */
export function resample(rows, info) {
  const [start, end] = [Date.parse(info.start), Date.parse(info.end)];
  let i = 0;
  const values = Array.from({ length: POINTS }, (_, p) => {
    const at = start + ((end - start) * (p + 0.5)) / POINTS - rows.start;
    while (i + 1 < rows.time.length && rows.time[i + 1] <= at) i++;
    return round(rows.load[i] ?? 0);
  });
  return { name: "drawn", seconds: (end - start) / 1000, values };
}
