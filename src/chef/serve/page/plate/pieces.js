// Brushes, and single pieces of food seen from above, in SVG.

import { svg } from "../tools/dom.js";

const [LIGHT, DARK] = ["#fffaf0", "#2a140a"];
const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
const round = (value) => Math.round(value * 100) / 100; // shorter paths

/** The mean of some colours "#rrggbb"; the first may count less: mixed([a, b], 0.2) is mostly b. */
export function mixed(colours, share = 1 / colours.length) {
  const others = (1 - share) / Math.max(1, colours.length - 1);
  const sums = [0, 1, 2].map((i) => colours.reduce((sum, one, n) => sum + parts(one)[i] * (n ? others : share), 0));
  return `#${sums.map((sum) => Math.round(sum).toString(16).padStart(2, "0")).join("")}`;
}

/** Lighter (amount > 0) or darker (amount < 0). */
export const shade = (colour, amount) => mixed([colour, amount > 0 ? LIGHT : DARK], 1 - Math.abs(amount));

/** Filled, with a darker line around; a line without a filling. */
export const outline = (colour, width = 1) => ({ fill: colour, stroke: shade(colour, -0.22), "stroke-width": width });
export const line = (colour, width) => ({ fill: "none", stroke: colour, "stroke-width": width });

/** A closed, softly irregular outline around a point. */
export function blob(x, y, rx, ry, rough, random, corners = 7) {
  const start = random() * 7;
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = start + (i / corners) * Math.PI * 2;
    const reach = 1 - rough / 2 + random() * rough;
    return [x + Math.cos(angle) * rx * reach, y + Math.sin(angle) * ry * reach];
  });
  const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2].map(round);
  const curves = points.map((point, i) => `Q${point.map(round)} ${middle(point, points[(i + 1) % corners])}`);
  return `M${middle(points.at(-1), points[0])}${curves.join("")}Z`;
}

/** A flat disc of dough, sauce or soup, with a light on it. */
export function disc([x, y], radius, colour, rough, random, flat = 1) {
  const light = blob(x - radius * 0.18, y - radius * 0.22 * flat, radius * 0.6, radius * 0.5 * flat, 0.3, random, 9);
  return [
    svg("path", { d: blob(x, y, radius, radius * flat, rough, random, 12), ...outline(colour, 1.5) }),
    svg("path", { d: light, opacity: 0.45, fill: shade(colour, 0.3) }),
  ];
}

// Strokes of a piece, waiting for its colour and size: a filled path, one without an edge, a line, a shadow.
const path = (d, paint) => svg("path", { d, ...paint });
const full = (d, tone = 0) => (colour, size) => path(d, outline(shade(colour, tone), 1 / size));
const soft = (d, tone = 0) => (colour) => path(d, { fill: shade(colour, tone) });
const drawn = (d, tone, width) => (colour, size) => path(d, line(shade(colour, tone), width / size));
const oval = (x, y, rx, ry = rx) => `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`;
const dark = (rx, ry) => (_, size) => path(oval(1.5 / size, 3 / size, rx, ry), { class: "food-shadow" });
const lump = (random, rough, flat) => [
  dark(1, flat),
  full(blob(0, 0, 1, flat, rough, random)),
  soft(blob(-0.15, -0.2 * flat, 0.55, 0.4 * flat, rough, random), 0.17),
];
const bent = (random, much) => ((random() - 0.5) * much).toFixed(2);
const slice = () => [
  1,
  [dark(1, 1), full(oval(0, 0, 1)), soft(oval(0, 0, 0.68), 0.28)],
  [0, 1.26, 2.51, 3.77, 5.03].map((a) => soft(oval(Math.cos(a) * 0.36, Math.sin(a) * 0.36, 0.11), 0.6)),
];
const strip = (random) => {
  const d = `M-1.3 0Q0 ${bent(random, 1)} 1.3 0`;
  return [1, drawn(d, -0.25, 6.5), drawn(d, 0, 5), drawn(d, 0.3, 1.2)];
};

// shape: (random) -> its size (a slice of carrot has 1) and its strokes in a square from -1 to 1.
const SHAPES = {
  slab: (random) => [
    2.5, ...lump(random, 0.22, 0.62), drawn("M-.45 -.28l.18 .52M-.05 -.28l.18 .52M.35 -.28l.18 .52", -0.3, 3),
  ],
  chunk: (random) => [1.1, ...lump(random, 0.35, 0.85)],
  round: slice,
  citrus: slice,
  ball: () => [0.55, dark(1.1, 1), full(oval(0, 0, 1.12, 1)), soft(oval(-0.3, -0.35, 0.32, 0.22), 0.55)],
  leaf: (random) => [1.5, full("M-1 0C-.4 -.8 .5 -.7 1 0C.5 .7 -.4 .8 -1 0Z", random() / 5), drawn("M-.8 0H1", 0.3, 1)],
  herb: () => [
    0.62, full("M0 0C-.5 -.5 -.35 -1.3 0 -1.5C.35 -1.3 .5 -.5 0 0Z"),
    full("M0 0C.1 -.7 .7 -1 1.1 -1C1.2 -.5 .7 0 0 0ZM0 0C-.1 -.7 -.7 -1 -1.1 -1C-1.2 -.5 -.7 0 0 0Z", 0.12),
  ],
  grain: (random) => [0.42, full(oval(0, 0, 1, 0.4), random() * 0.2)],
  strand: (random) => {
    const d = `M-1 0C-.4 ${bent(random, 1.7)} .4 ${bent(random, 1.7)} 1 0`;
    return [2.3, drawn(d, -0.25, 5), drawn(d, 0.08, 3.4)];
  },
  strip,
  tube: strip,
  ring: () => [1, drawn(oval(0, 0, 1, 0.9), -0.18, 3.6), drawn(oval(0, 0, 1, 0.9), 0.25, 2)],
  spear: () => [2.1, dark(1, 0.2), full("M-1 -.15h1.7v.3h-1.7Z", 0.15), full(oval(0.78, 0, 0.3, 0.23), -0.12)],
  cube: () => [
    0.8, dark(1, 1), soft("M-1 -.4L0 -1L1 -.4L0 .2Z", 0.35), soft("M-1 -.4L0 .2V1L-1 .4Z"),
    soft("M1 -.4L0 .2V1L1 .4Z", -0.18),
  ],
  wedge: () => [2.1, dark(0.8, 0.5), full("M-1 .45Q0 -1.3 1 .45Q0 .75 -1 .45Z"), soft("M-.6 .25Q0 -.75 .6 .25Z", 0.25)],
  shrimp: () => {
    const d = "M-1 .3C-1 -1.1 1.1 -1.4 1.1 .1C1.1 .5 .9 .8 .6 .9";
    return [1.1, drawn(d, -0.2, 9), drawn(d, 0.2, 7)];
  },
  shell: () => [1, full("M-1.3 .5Q0 -1.9 1.3 .5Q0 1.1 -1.3 .5Z"), () => path(oval(0, 0.2, 0.6, 0.3), { fill: "#fa5" })],
  mushroom: () => [
    1.15, dark(1, 0.8), full("M-.28 0h.56l-.04 .95q-.24 .15 -.48 0Z", 0.6),
    full("M-1 .2C-1 -1.1 1 -1.1 1 .2Q0 .5 -1 .2Z"),
  ],
  egg: (random) => [1.2, full(blob(0, 0, 1, 0.9, 0.2, random)), () => path(oval(0, 0, 0.45), outline("#f6b52f", 0.08))],
  dust: (random) => [0.1 + random() * 0.1, soft(oval(0, 0, 1))],
  dumpling: () => [
    1, dark(1, 0.5), full("M-1 .3Q0 -1.3 1 .3Q0 .8 -1 .3Z"),
    drawn("M-.7 0l.12 .27M-.35 -.3l.08 .3M0 -.4v.3M.35 -.3l-.08 .3M.7 0l-.12 .27", -0.25, 1.6),
  ],
  roll: () => [1, dark(1, 0.4), full("M-.7 -.4h1.4q.3 .4 0 .8h-1.4q-.3 -.4 0 -.8Z"), drawn("M-.6 -.18h1.1", 0.3, 3)],
};

/** One piece of food at a place. */
export function piece(look, [x, y], size, turn, random) {
  const [own, ...strokes] = SHAPES[look.shape](random);
  const scale = round(size * own);
  const transform = `translate(${round(x)} ${round(y)}) rotate(${round(turn)}) scale(${scale})`;
  const elements = strokes.flat().map((stroke) => stroke(look.colour, scale));
  return svg("g", { transform, "stroke-linecap": "round", "stroke-linejoin": "round" }, elements);
}
