// Dishes of dough: each draws itself of the foods of a recipe.

import { blob, disc, painted, round, shade } from "./paint.js";
import { piece } from "./pieces.js";
import { X, Y, crust, filling, edge, ring, tops, TAU } from "./scene.js";

export function cookies(foods, random) {
  const colour = shade(crust(foods), -0.06);
  const one = (x, y) => [
    disc(x, y, 27, colour, 0.09, random),
    tops(foods, 2).flatMap((look) =>
      Array.from({ length: 4 }, () =>
        piece(look, x + (random() - 0.5) * 30, y + (random() - 0.5) * 30, 5.5, random() * 360, random),
      ),
    ),
  ];
  return [one(X, Y), ring(6, 55, one, random())];
}

export function stack(foods, random) {
  const colour = crust(foods);
  const layers = [6, 2, -3, -7].map((dy, i) =>
    disc(X + (random() - 0.5) * 8, Y + dy, 76 - i * 4, shade(colour, i % 2 ? 0.12 : -0.06), 0.06, random),
  );
  const sauce = foods.pools[0] ?? foods.liquids[0];
  return [
    layers,
    sauce && disc(X, Y - 6, 40, sauce.colour, 0.3, random),
    tops(foods, 2).flatMap((look, i) =>
      Array.from({ length: look.shape === "dust" ? 14 : 5 }, () =>
        piece(look, X + (random() - 0.5) * 62, Y - 6 + (random() - 0.5) * 58, 10 - i * 2, random() * 360, random),
      ),
    ),
  ].filter(Boolean);
}

export function pie(foods, random) {
  const colour = crust(foods);
  const strips = [-50, -25, 0, 25, 50].flatMap((at) => {
    const half = round(Math.sqrt(78 * 78 - at * at));
    const strip = (d) => painted("path", { d }, { stroke: shade(colour, 0.1), "stroke-width": "11", fill: "none" });
    return [strip(`M${X + at} ${Y - half}V${Y + half}`), strip(`M${X - half} ${Y + at}H${X + half}`)];
  });
  return [
    disc(X, Y, 92, colour, 0.02, random),
    disc(X, Y, 78, filling(foods).colour, 0.04, random),
    strips,
    ring(26, 84, (x, y) => painted("circle", { cx: round(x), cy: round(y), r: 8 }, edge(shade(colour, 0.06)))),
  ];
}

export function cake(foods, random) {
  const top = foods.pools[0]?.colour ?? filling(foods).colour;
  const cuts = ring(8, 84, (x, y) =>
    painted(
      "path",
      { d: `M${X} ${Y}L${round(x)} ${round(y)}`, opacity: 0.35 },
      { stroke: shade(top, -0.5), "stroke-width": "1.5" },
    ),
  );
  const [first] = tops(foods, 1);
  return [
    disc(X, Y, 92, crust(foods), 0.02, random),
    disc(X, Y, 85, top, 0.03, random),
    cuts,
    first ? ring(8, 62, (x, y) => piece(first, x, y, 11, random() * 360, random), TAU / 16) : [],
  ];
}

export function pizza(foods, random) {
  const sauce = foods.pools[0]?.colour ?? "#cf4a2c";
  const toppings = [...foods.body, ...foods.spread.filter((look) => look.shape === "leaf")].slice(0, 4);
  return [
    disc(X, Y, 96, crust(foods), 0.04, random),
    disc(X, Y, 80, sauce, 0.08, random),
    disc(X, Y, 70, "#f8dd98", 0.25, random),
    toppings.flatMap((look, i) =>
      ring(
        look.shape === "slab" ? 2 : 6,
        22 + 22 * (i % 3),
        (x, y) => piece(look, x, y, 10, random() * 360, random),
        i,
      ),
    ),
    foods.scattered
      .slice(0, 2)
      .flatMap((look) => ring(7, 50, (x, y) => piece(look, x, y, 11, random() * 360, random), random())),
  ];
}

export function loaf(foods, random) {
  const colour = shade(crust(foods), -0.1);
  const cuts = [-44, -15, 14, 43].map((x) =>
    painted(
      "path",
      { d: `M${X + x - 8} ${Y + 28}Q${X + x + 4} ${Y} ${X + x + 16} ${Y - 28}` },
      { stroke: shade(colour, 0.45), "stroke-width": "7", fill: "none", "stroke-linecap": "round" },
    ),
  );
  return [
    painted("path", { d: blob(X, Y + 6, 104, 62, 0.06, random, 12), opacity: 0.2 }, { fill: "#2a140a" }),
    painted("path", { d: blob(X, Y, 102, 60, 0.06, random, 12) }, edge(colour)),
    painted(
      "path",
      { d: blob(X - 8, Y - 12, 76, 34, 0.2, random, 10), opacity: 0.35 },
      { fill: shade(colour, 0.35) },
    ),
    cuts,
  ];
}
