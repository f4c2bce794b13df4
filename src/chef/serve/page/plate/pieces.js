// Pieces of food seen from above: each shape draws one piece at a place, in SVG.

import { svg } from "../tools/dom.js";
import { blob, outline, painted, round, scaled, shade } from "./paint.js";

const TAU = Math.PI * 2;
const LEAF = "M-1 0C-.4 -.8 .5 -.7 1 0C.5 .7 -.4 .8 -1 0Z";
const SPRIG = "M0 0C-.5 -.5 -.35 -1.3 0 -1.5C.35 -1.3 .5 -.5 0 0Z";
const CUBE = {
  top: "M-1 -.4L0 -1L1 -.4L0 .2Z",
  left: "M-1 -.4L0 .2L0 1L-1 .4Z",
  right: "M1 -.4L0 .2L0 1L1 .4Z",
};
const WEDGE = "M-1 .45Q0 -1.3 1 .45Q0 .75 -1 .45Z";
const CRUMB = "M-.6 .25Q0 -.75 .6 .25Z";
const SHELL = "M-1.3 .5Q0 -1.9 1.3 .5Q0 1.1 -1.3 .5Z";
const CAP = "M-1 .2C-1 -1.1 1 -1.1 1 .2Q0 .5 -1 .2Z";
const CURL = "M-1 .3C-1 -1.1 1.1 -1.4 1.1 .1C1.1 .5 .9 .8 .6 .9";

const path = (d, size, paint, opacity = null) => painted("path", { d: scaled(d, size), opacity }, paint);
const line = (colour, width) => ({ fill: "none", stroke: colour, "stroke-width": width, "stroke-linecap": "round" });
const shadow = (rx, ry) => svg("ellipse", { cx: 1.5, cy: 3, rx: round(rx), ry: round(ry), class: "food-shadow" });

function lump(size, colour, random, rough, flat) {
  const body = blob(0, 0, size, size * flat, rough, random);
  const light = blob(-size * 0.15, -size * 0.2 * flat, size * 0.55, size * 0.4 * flat, rough, random);
  return [
    shadow(size, size * flat),
    painted("path", { d: body }, outline(colour)),
    painted("path", { d: light, opacity: 0.5 }, { fill: shade(colour, 0.35) }),
  ];
}

function seeds(size, colour) {
  return [0, 1, 2, 3, 4].map((i) => {
    const [cx, cy] = [Math.cos((i / 5) * TAU) * size, Math.sin((i / 5) * TAU) * size];
    return painted("circle", { cx: round(cx), cy: round(cy), r: round(size * 0.3) }, { fill: colour });
  });
}

// Every shape: (size, colour, random) -> the parts of one piece around 0, 0. A size of 10 is a slice of carrot.
const SHAPES = {
  slab(size, colour, random) {
    const s = size * 2.5;
    const marks = [-0.45, -0.05, 0.35].map((x) =>
      path(`M${x} -.28L${(x + 0.18).toFixed(2)} .24`, s, line(shade(colour, -0.45), "3"), 0.5),
    );
    return [...lump(s, colour, random, 0.22, 0.62), marks];
  },
  chunk: (size, colour, random) => lump(size * 1.1, colour, random, 0.35, 0.85),
  round: (size, colour) => [
    shadow(size, size),
    painted("circle", { r: round(size) }, outline(colour)),
    painted("circle", { r: round(size * 0.68) }, { fill: shade(colour, 0.28) }),
    seeds(size * 0.36, shade(colour, 0.6)),
  ],
  ball(size, colour, random) {
    const r = size * (0.5 + random() * 0.1);
    const light = { cx: round(-r * 0.3), cy: round(-r * 0.35), rx: round(r * 0.32), ry: round(r * 0.22) };
    return [
      shadow(r, r),
      painted("ellipse", { rx: round(r * 1.12), ry: round(r) }, outline(colour)),
      painted("ellipse", light, { fill: shade(colour, 0.55) }),
    ];
  },
  leaf(size, colour, random) {
    const s = size * (1.3 + random() * 0.5);
    return [
      shadow(s, s * 0.5),
      path(LEAF, s, outline(shade(colour, random() * 0.2))),
      path("M-.8 0L.8 0", s, line(shade(colour, 0.4), "1"), 0.6),
    ];
  },
  herb: (size, colour, random) =>
    [-1, 0, 1].map((side) =>
      svg(
        "g",
        { transform: `rotate(${round(side * 48 + random() * 20)})` },
        path(SPRIG, size * 0.62, outline(shade(colour, random() * 0.15))),
      ),
    ),
  grain(size, colour, random) {
    const paint = { fill: shade(colour, (random() - 0.6) * 0.24), stroke: shade(colour, -0.2), "stroke-width": ".6" };
    return [painted("ellipse", { rx: round(size * 0.42), ry: round(size * 0.17) }, paint)];
  },
  strand(size, colour, random) {
    const bend = ((random() - 0.5) * 1.7).toFixed(2);
    const d = `M-1 0C-.4 ${bend} .4 ${-bend} 1 ${(bend * 0.3).toFixed(2)}`;
    return [
      path(d, size * 2.3, line(shade(colour, -0.25), "5")),
      path(d, size * 2.3, line(shade(colour, random() * 0.15), "3.4")),
    ];
  },
  ring(size, colour) {
    const place = { rx: round(size), ry: round(size * 0.9) };
    return [
      painted("ellipse", place, line(shade(colour, -0.18), "3.6")),
      painted("ellipse", place, line(shade(colour, 0.25), "2")),
    ];
  },
  strip(size, colour, random) {
    const d = `M-1.3 0Q0 ${(random() - 0.5).toFixed(2)} 1.3 0`;
    return [
      path(d, size, line(shade(colour, -0.25), "6.5")),
      path(d, size, line(colour, "5")),
      path(d, size, line(shade(colour, 0.45), "1.2"), 0.6),
    ];
  },
  spear(size, colour) {
    const s = size * 2.1;
    const stalk = { x: round(-s), y: round(-size * 0.32), width: round(s * 1.7), height: round(size * 0.64) };
    return [
      shadow(s, size * 0.4),
      painted("rect", { ...stalk, rx: round(size * 0.32) }, outline(shade(colour, 0.15))),
      painted(
        "ellipse",
        { cx: round(s * 0.78), rx: round(s * 0.3), ry: round(size * 0.48) },
        outline(shade(colour, -0.12)),
      ),
    ];
  },
  cube(size, colour, random) {
    const s = size * (0.75 + random() * 0.15);
    return [
      shadow(s, s),
      path(CUBE.top, s, { fill: shade(colour, 0.35) }),
      path(CUBE.left, s, { fill: colour }),
      path(CUBE.right, s, { fill: shade(colour, -0.18) }),
    ];
  },
  wedge(size, colour) {
    const s = size * 2.1;
    return [
      shadow(s * 0.8, s * 0.5),
      path(WEDGE, s, outline(colour)),
      path(CRUMB, s, { fill: shade(colour, 0.4) }, 0.6),
    ];
  },
  shrimp(size, colour) {
    const s = size * 1.1;
    return [
      path(CURL, s, line(shade(colour, -0.2), "9")),
      path(CURL, s, line(shade(colour, 0.2), "7")),
      path(CURL, s, { ...line(colour, "7"), "stroke-linecap": "butt", "stroke-dasharray": "2.5 4" }),
    ];
  },
  shell: (size, colour) => [
    shadow(size * 1.2, size * 0.9),
    path(SHELL, size, outline(colour)),
    painted(
      "ellipse",
      { cy: round(size * 0.25), rx: round(size * 0.62), ry: round(size * 0.34) },
      { fill: "#f0a45c" },
    ),
  ],
  mushroom(size, colour) {
    const s = size * 1.15;
    const stem = { x: round(-s * 0.28), y: 0, width: round(s * 0.56), height: round(s * 0.95), rx: round(s * 0.24) };
    return [shadow(s, s * 0.8), painted("rect", stem, outline(shade(colour, 0.6))), path(CAP, s, outline(colour))];
  },
  egg(size, colour, random) {
    const light = {
      cx: round(-size * 0.25),
      cy: round(-size * 0.28),
      rx: round(size * 0.24),
      ry: round(size * 0.16),
    };
    return [
      shadow(size * 1.7, size * 1.5),
      painted("path", { d: blob(0, 0, size * 1.9, size * 1.7, 0.28, random) }, outline("#fffdf6")),
      painted("circle", { r: round(size * 0.78) }, { fill: "#f6b52f", stroke: "#dd9418", "stroke-width": "1" }),
      painted("ellipse", light, { fill: "#fbdc8a" }),
    ];
  },
  dust: (size, colour, random) => [painted("circle", { r: round(size * (0.1 + random() * 0.1)) }, { fill: colour })],
};

/** One piece of food at x, y. */
export function piece(look, x, y, size, turn, random) {
  const transform = `translate(${round(x)} ${round(y)}) rotate(${round(turn)})`;
  return svg("g", { transform }, SHAPES[look.shape](size, look.colour, random));
}
