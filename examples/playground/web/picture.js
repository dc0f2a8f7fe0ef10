/** The chart as a picture that stands alone: SVG in light colours. */
import { clock, number } from "./dom.js";
import { lanesOf, stretches } from "./held.js";

const WIDTH = 1000;
const [LEFT, RIGHT, TOP, UPPER, LOWER, GAP, LANE] = [80, 50, 46, 260, 150, 16, 18];
const COLOURS = { load: "#5b6472", lost: ["#c81e3a", "#8a3ffc"], run: ["#0b5cad", "#a64b00"] };
const MOST = 2000; // steps of a line; more are not seen

const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const fixed = (v) => String(Math.round(v * 10) / 10);

/** steps writes a line of steps through the values; the last one lasts until the end. */
function steps(values, x, y) {
  let path = `M${fixed(x(0))} ${fixed(y(values[0]))}`;
  for (let i = 1; i < values.length; i++) if (values[i] !== values[i - 1]) path += `H${fixed(x(i))}V${fixed(y(values[i]))}`;
  return `${path}H${WIDTH - RIGHT}`;
}

/** thin keeps every nth row of a long run, and the highest values between. */
function thin(rows) {
  const n = Math.ceil(rows.time.length / MOST);
  if (n === 1) return { ...rows, index: rows.time.map((_, i) => i) };
  const index = rows.time.map((_, i) => i).filter((i) => i % n === 0);
  const highest = (list) => index.map((i) => Math.max(...list.slice(i, i + n)));
  return { index, load: highest(rows.load), unserved: highest(rows.unserved), capacity: highest(rows.capacity), desired: highest(rows.desired), ready: highest(rows.ready) };
}

/** ticks returns about five round values from 0 to max. */
function ticks(max) {
  const raw = max / 5 || 1;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * [1, 2, 5, 10].find((f) => f * unit >= raw);
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, i) => i * step);
}

/**
 * picture returns the SVG of one or two runs.
 * @param {{name: string, rows: object}[]} runs
 * @param {string} title
 */
export function picture(runs, title) {
  const { start, time } = runs[0].rows;
  const end = time.at(-1) || 1;
  const at = (ms) => LEFT + (ms / end) * (WIDTH - LEFT - RIGHT);
  const most = (key) => Math.max(1, ...runs.map(({ rows }) => rows[key].reduce((a, b) => Math.max(a, b), 0)));
  const [loads, pods] = [Math.max(most("load"), most("capacity")) * 1.04, Math.max(most("desired"), most("ready")) * 1.04];
  const base = TOP + UPPER + GAP + LOWER;
  const yLoad = (v) => TOP + UPPER - (v / loads) * UPPER;
  const yPods = (v) => base - (v / pods) * LOWER;
  const lanes = lanesOf(runs);
  const below = base + 30;
  const height = below + lanes.length * LANE + 10;
  const out = [];
  const text = (x, y, content, anchor = "start", fill = "#444c56") => out.push(`<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}" fill="${fill}">${escape(content)}</text>`);
  const path = (d, attributes) => out.push(`<path d="${d}" ${attributes}/>`);

  for (const [max, y] of [[loads, yLoad], [pods, yPods]]) {
    for (const v of ticks(max)) {
      path(`M${LEFT} ${fixed(y(v))}H${WIDTH - RIGHT}`, 'stroke="#e3e6ea" fill="none"');
      text(LEFT - 6, y(v) + 4, number(v), "end");
    }
  }
  for (let i = 0; i <= 6; i++) text(at((end * i) / 6), base + 16, clock(start + (end * i) / 6).slice(0, end < 600_000 ? 8 : 5), "middle");

  runs.forEach(({ rows }, r) => {
    const t = thin(rows);
    const x = (i) => at(time[t.index[i]]);
    if (r === 0) path(`${steps(t.load, x, yLoad)}V${yLoad(0)}H${LEFT}Z`, `fill="${COLOURS.load}" fill-opacity=".15"`);
    t.unserved.forEach((lost, i) => {
      if (lost <= 0) return;
      const to = i + 1 < t.index.length ? x(i + 1) : WIDTH - RIGHT;
      out.push(`<rect x="${fixed(x(i))}" y="${fixed(yLoad(t.load[i]))}" width="${fixed(to - x(i))}" height="${fixed(yLoad(t.load[i] - lost) - yLoad(t.load[i]))}" fill="${COLOURS.lost[r]}" fill-opacity=".3"/>`);
    });
    if (r === 0) path(steps(t.load, x, yLoad), `fill="none" stroke="${COLOURS.load}" stroke-width="1.5"`);
    const line = `fill="none" stroke="${COLOURS.run[r]}" stroke-width="1.5"${r > 0 ? ' stroke-dasharray="6 4"' : ""}`;
    path(steps(t.capacity, x, yLoad), line);
    path(`${steps(t.ready, x, yPods)}V${yPods(0)}H${LEFT}Z`, `fill="${COLOURS.run[r]}" fill-opacity=".15"`);
    path(steps(t.desired, x, yPods), line);
  });

  lanes.forEach((lane, n) => {
    const y = below + n * LANE;
    text(LEFT - 6, y + 12, lane.name, "end");
    runs.forEach(({ rows }, r) => {
      const part = (LANE - 4) / runs.length;
      let d = "";
      stretches(rows.held, lane.bit, 0, rows.time.length, (first, last) => {
        d += `M${fixed(at(time[first]))} ${fixed(y + 2 + r * part)}H${fixed(last < time.length ? at(time[last]) : WIDTH - RIGHT)}v${fixed(part)}H${fixed(at(time[first]))}z`;
      });
      if (d) path(d, `fill="${COLOURS.run[r]}"`);
    });
  });

  text(LEFT, 18, title, "start", "#1c2128");
  let x = LEFT;
  const key = (colour, label, dash = "") => {
    out.push(`<path d="M${x} 34h18" stroke="${colour}" stroke-width="3"${dash}/>`);
    text(x + 24, 38, label);
    x += 38 + label.length * 6.6;
  };
  key(COLOURS.load, "load");
  runs.forEach(({ name }, r) => {
    key(COLOURS.run[r], `${name}: capacity, and size below`, r > 0 ? ' stroke-dasharray="6 4"' : "");
    key(COLOURS.lost[r], "lost");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="13"><title>${escape(title)}</title><rect width="100%" height="100%" fill="#fff"/>${out.join("")}</svg>\n`;
}
