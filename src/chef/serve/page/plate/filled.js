// Dishes that hold or wrap their food: each draws itself of the foods of a recipe.

import { disc, painted, round, shade } from "./paint.js";
import { piece } from "./pieces.js";
import { X, Y, filling, edge, ring, tops } from "./scene.js";

export function dumplings(foods, random) {
  const moon = (x, y, i) => {
    const turn = `translate(${round(x)} ${round(y)}) rotate(${round((i * 360) / 7 + random() * 14)})`;
    const body = painted("path", { d: "M-26 8Q0 -34 26 8Q0 20 -26 8Z", transform: turn }, edge("#f1dfba"));
    const pleats = painted(
      "path",
      { d: "M-18 -1l3 7M-9 -8l2 8M0 -10v8M9 -8l-2 8M18 -1l-3 7", transform: turn },
      { stroke: "#cfae7a", "stroke-width": "1.6", fill: "none", "stroke-linecap": "round" },
    );
    return [body, pleats];
  };
  const dip = foods.liquids[0] ?? foods.pools[0];
  return [
    ring(7, 55, moon),
    dip ? disc(X, Y, 20, dip.colour, 0.04, random) : moon(X, Y, 2),
    foods.scattered
      .slice(0, 1)
      .flatMap((look) => ring(5, 50, (x, y) => piece(look, x, y, 11, random() * 360, random), 1)),
  ];
}

export function skewers(foods, random) {
  const threaded = foods.body
    .filter((look) => look.shape !== "egg")
    .slice(0, 3)
    .map((look) => (look.shape === "slab" ? { ...look, shape: "chunk" } : look));
  const pieces = threaded.length ? threaded : [filling(foods)];
  return [
    foods.spread.slice(0, 1).flatMap((look) => ring(9, 45, (x, y) => piece(look, x, y, 13, random() * 360, random))),
    [-40, 0, 40].flatMap((dy) => [
      painted(
        "path",
        { d: `M${X - 96} ${Y + dy + 14}L${X + 96} ${Y + dy - 14}` },
        { stroke: "#b98a55", "stroke-width": "3", "stroke-linecap": "round" },
      ),
      [-60, -36, -12, 12, 36, 60].map((dx, i) =>
        piece(pieces[i % pieces.length], X + dx, Y + dy - dx * 0.147, 14, random() * 40, random),
      ),
    ]),
    foods.scattered
      .slice(0, 1)
      .flatMap((look) => ring(6, 50, (x, y) => piece(look, x, y, 11, random() * 360, random), 0.5)),
  ];
}

export function tacos(foods, random) {
  const inside = [...foods.body, ...foods.spread.filter((look) => look.shape === "leaf")]
    .slice(0, 4)
    .map((look) => (look.shape === "slab" ? { ...look, shape: "chunk" } : look));
  return [-46, 0, 46].map((dx, n) => {
    const place = `translate(${X + dx - 26} ${Y})`;
    const shell = painted("path", { d: "M0 -58Q60 0 0 58Q-36 0 0 -58Z", transform: place }, edge("#f0d79c"));
    const fillings = inside.length
      ? [-40, -24, -8, 8, 24, 40].map((dy, i) =>
          piece(
            inside[(i + n) % inside.length],
            X + dx - 2 - Math.abs(dy) * 0.35,
            Y + dy,
            10,
            random() * 360,
            random,
          ),
        )
      : [];
    return [
      shell,
      fillings,
      foods.scattered
        .slice(0, 1)
        .map((look) => piece(look, X + dx - 6, Y + random() * 40 - 20, 12, random() * 360, random)),
    ];
  });
}

export function rolls(foods, random) {
  const colour =
    (foods.spread.find((look) => look.shape === "leaf") ?? foods.discs[0] ?? foods.doughs[0])?.colour ?? "#ecc98c";
  const [dot] = tops(foods, 1);
  const one = (dx, dy) =>
    [
      painted(
        "rect",
        { x: X + dx - 34, y: Y + dy - 13, width: 68, height: 26, rx: 13 },
        edge(shade(colour, random() * 0.1)),
      ),
      painted(
        "path",
        { d: `M${X + dx - 20} ${Y + dy - 6}h34`, opacity: 0.5 },
        { stroke: shade(colour, 0.5), "stroke-width": "3", "stroke-linecap": "round" },
      ),
      dot && piece(dot, X + dx + 26, Y + dy, 6, 0, random),
    ].filter(Boolean);
  const sauce = foods.pools[0];
  return [
    sauce ? disc(X, Y, 74, sauce.colour, 0.2, random) : [],
    [
      [-32, -36],
      [38, -30],
      [-38, 0],
      [34, 6],
      [-30, 36],
      [36, 42],
    ].map(([dx, dy]) => one(dx, dy)),
    foods.scattered
      .slice(0, 1)
      .flatMap((look) => ring(5, 40, (x, y) => piece(look, x, y, 11, random() * 360, random))),
  ];
}

export function burger(foods, random) {
  const leaves = foods.spread.find((look) => look.shape === "leaf") ?? { shape: "leaf", colour: "#8fbc4e" };
  const slices = foods.body.filter((look) => ["round", "ring", "cube", "strip"].includes(look.shape)).slice(0, 2);
  const bun = "#d3934a";
  return [
    ring(10, 66, (x, y) => piece(leaves, x, y, 17, random() * 360, random)),
    slices.flatMap((look, i) => ring(6, 60, (x, y) => piece(look, x, y, 14, random() * 360, random), i + 0.4)),
    disc(X, Y, 68, bun, 0.03, random),
    Array.from({ length: 34 }, (_, i) => sesame(56 * Math.sqrt((i + 0.5) / 34), i * 2.4, random() * 360)),
  ];
}

function sesame(reach, angle, turn) {
  const [x, y] = [round(X + Math.cos(angle) * reach), round(Y + Math.sin(angle) * reach)];
  const transform = `translate(${x} ${y}) rotate(${round(turn)})`;
  return painted("ellipse", { rx: 3.2, ry: 1.7, transform }, { fill: "#f8e6bf" });
}
