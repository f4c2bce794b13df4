// Brushes: outlines, shades and discs that pieces and scenes share.

import { svg } from "../tools/dom.js";

const TAU = Math.PI * 2;
/** To a tenth: shorter paths. */
export const round = (value) => Math.round(value * 10) / 10;

/** A path written for size 1, drawn larger: scaled("M-1 0L1 0", 10) is "M-10 0L10 0". No arcs: flags are no sizes. */
export const scaled = (d, size) => d.replace(/-?\d*\.?\d+/g, (number) => String(round(Number(number) * size)));

/** A closed, softly irregular outline around a point. */
export function blob(x, y, rx, ry, rough, random, corners = 7) {
  const start = random() * TAU;
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = start + (i / corners) * TAU;
    const reach = 1 - rough / 2 + random() * rough;
    return [x + Math.cos(angle) * rx * reach, y + Math.sin(angle) * ry * reach];
  });
  const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const first = middle(points.at(-1), points[0]);
  let d = `M${first.map(round)}`;
  points.forEach((point, i) => {
    d += `Q${point.map(round)} ${middle(point, points[(i + 1) % corners]).map(round)}`;
  });
  return `${d}Z`;
}

const LIGHT = [0xff, 0xfa, 0xf0];
const DARK = [0x2a, 0x14, 0x0a];

/** Lighter (amount > 0) or darker (amount < 0): "#rrggbb" mixed with a warm white or black. */
export function shade(colour, amount) {
  const share = Math.abs(amount);
  const parts = (amount > 0 ? LIGHT : DARK).map((target, i) => {
    const own = parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
    return Math.round(own + (target - own) * share);
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** An SVG element with its colours. */
export const painted = (tag, attributes, paint) => svg(tag, { ...attributes, ...paint });

/** Filled, with a darker line around. */
export const outline = (colour) => ({ fill: colour, stroke: shade(colour, -0.22), "stroke-width": "1" });

/** A flat disc of dough, sauce or soup. */
export function disc(x, y, radius, colour, rough, random) {
  return [
    painted(
      "path",
      { d: blob(x, y, radius, radius, rough, random, 12) },
      { fill: colour, stroke: shade(colour, -0.18), "stroke-width": "1.5" },
    ),
    painted(
      "path",
      {
        d: blob(x - radius * 0.18, y - radius * 0.22, radius * 0.6, radius * 0.5, 0.3, random, 9),
        opacity: 0.45,
      },
      { fill: shade(colour, 0.3) },
    ),
  ];
}
