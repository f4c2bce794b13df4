// What the scenes share: the middle of the picture, rings of pieces, and what to take for crust and filling.

import { shade } from "./paint.js";

export const [X, Y] = [160, 120];
export const TAU = Math.PI * 2;
const DOUGH = "#dba75c";
const STEW = { shape: "chunk", colour: "#b5623a" };

/** The colour of the dough. */
export const crust = (foods) => (foods.doughs[0] ?? foods.discs[0])?.colour ?? DOUGH;

/** The food inside; eggs went into the dough. */
export const filling = (foods) => foods.body.find((look) => look.shape !== "egg") ?? foods.pools[0] ?? STEW;

/** Small foods that lie on top. */
export function tops(foods, most) {
  const small = foods.body.filter((look) => look.shape !== "egg" && look.shape !== "slab");
  return [...small, ...foods.scattered].slice(0, most);
}

/** A filled outline, a little stronger than that of a piece. */
export const edge = (colour) => ({ fill: colour, stroke: shade(colour, -0.25), "stroke-width": "1.2" });

/** draw(x, y, i) at places around the middle. */
export function ring(count, radius, draw, turn = 0) {
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + (i / count) * TAU;
    return draw(X + Math.cos(angle) * radius, Y + Math.sin(angle) * radius, i);
  });
}
