// The drawn plate of a recipe without a photo: its own ingredients, the same picture on every visit.

import { svg } from "../tools/dom.js";
import { chance, hash } from "../tools/random.js";
import { lookOf } from "./foods.js";
import { disc, shade } from "./paint.js";
import { piece } from "./pieces.js";
import { sceneOf } from "./scenes.js";
import { named } from "./titles.js";

const [X, Y, RADIUS] = [160, 120, 82]; // of the food, in a picture of 320 by 240
const GOLDEN = 2.399963; // the angle that spreads points evenly over a disc
const MANY = {
  grain: 130,
  strand: 34,
  ball: 16,
  dust: 26,
  herb: 5,
  leaf: 11,
  slab: 1,
  egg: 2,
  spear: 5,
  wedge: 3,
  disc: 1,
};
const SPREAD = new Set(["grain", "strand", "leaf"]); // what lies under the rest
const SCATTERED = new Set(["herb", "dust"]); // what lies on top
const FLAT = new Set(["pool", "liquid", "disc", "dough"]);
const TABLES = [28, 42, 14, 88, 160, 205, 340]; // hues of the tablecloth

const VESSELS = [
  [
    "bowl",
    named(`soup suppe_ soupe_ sopa zuppa minestrone stew chowder chili_ chilli_ curry masala korma broth ramen _pho_
      gumbo bisque _dal_ daal porridge oatmeal pudding smoothie lassi kheer goulash borscht congee laksa gazpacho dip_
      hummus guacamole cereal granola yogurt salad sauce tagine tajine risotto ceviche mousse`),
  ],
  [
    "tin",
    named(`cake _pie_ tart quiche pizza cobbler crumble gratin casserole lasagn bake brownie clafoutis frittata moussaka
      focaccia bread muffin shepherd baklava`),
  ],
  [
    "pan",
    named(`skillet fried fry _pan_ paella omelet hash shakshuka menemen sauté sear fajita jambalaya stir
      tortilla+española scramble`),
  ],
];
const isDry = named("salad slaw ceviche");

/** The picture, decorative: the words beside it say what it is. */
export function plate({ title = "", ingredients = [], main = null }) {
  const tokens = [...new Set(ingredients)];
  const random = chance(hash(tokens.join(" ") + (main ?? "")));
  const foods = looks(tokens, main);
  const scene = sceneOf(title, foods);
  const vessel = scene?.vessel ?? vesselOf(title, tokens);
  const picture = svg("svg", {
    class: "plate",
    viewBox: "0 0 320 240",
    preserveAspectRatio: "xMidYMid slice",
    "aria-hidden": "true",
  });
  picture.style.setProperty("--hue", String(TABLES[Math.floor(random() * TABLES.length)]));
  const food = scene ? scene.draw(foods, random) : served(vessel, foods, isDry(title), random);
  picture.append(...table(), ...dish(vessel), ...food.flat(Infinity));
  return picture;
}

function vesselOf(title, tokens) {
  const named = VESSELS.find(([, fits]) => fits(title))?.[0];
  return named ?? (tokens.some((token) => /broth|stock$/.test(token)) ? "bowl" : "plate");
}

// The main ingredient first; at most a handful, as a plate with everything shows nothing.
function looks(tokens, main) {
  const ordered = main ? [main, ...tokens.filter((token) => token !== main)] : tokens;
  const seen = ordered.map((token) => lookOf(token)).filter(Boolean);
  const unique = seen.filter(
    (look, i) => seen.findIndex((other) => other.colour === look.colour && other.shape === look.shape) === i,
  );
  const of = (test, most) => unique.filter(test).slice(0, most);
  return {
    pools: of((look) => look.shape === "pool", 2),
    liquids: of((look) => look.shape === "liquid", 1),
    discs: of((look) => look.shape === "disc", 1),
    doughs: of((look) => look.shape === "dough", 1),
    spread: of((look) => SPREAD.has(look.shape), 2),
    body: of((look) => !SPREAD.has(look.shape) && !SCATTERED.has(look.shape) && !FLAT.has(look.shape), 4),
    scattered: of((look) => SCATTERED.has(look.shape), 3),
  };
}

function table() {
  const stripes = Array.from({ length: 8 }, (_, i) =>
    svg("rect", { class: "plate-stripe", x: i * 42 + 5, y: 0, width: 14, height: 240 }),
  );
  return [svg("rect", { class: "plate-table", width: 320, height: 240 }), ...stripes];
}

const circle = (r, name, dy = 0) => svg("circle", { cx: X, cy: Y + dy, r, class: name });

function dish(vessel) {
  if (vessel === "bowl")
    return [circle(105, "plate-shadow", 6), circle(104, "plate-rim bowl"), circle(95, "plate-inside bowl")];
  if (vessel === "pan") {
    const handle = svg("rect", {
      x: X + 80,
      y: Y - 11,
      width: 120,
      height: 22,
      rx: 11,
      class: "pan-iron",
      transform: `rotate(-24 ${X} ${Y})`,
    });
    return [circle(104, "plate-shadow", 6), handle, circle(102, "pan-iron"), circle(93, "pan-inside")];
  }
  if (vessel === "tin") return [circle(104, "plate-shadow", 6), circle(102, "tin-rim"), circle(94, "tin-inside")];
  if (vessel === "board") {
    const board = (name, dy) => svg("rect", { x: 42, y: 34 + dy, width: 236, height: 172, rx: 26, class: name });
    return [
      board("plate-shadow", 6),
      board("board", 0),
      [70, 110, 150].map((y) => svg("path", { d: `M58 ${y}Q160 ${y + 8} 262 ${y - 2}`, class: "board-grain" })),
    ].flat();
  }
  return [circle(109, "plate-shadow", 6), circle(108, "plate-rim"), circle(86, "plate-inside")];
}

function served(vessel, foods, dry, random) {
  const parts = [];
  const isBowl = vessel === "bowl";
  const room = vessel === "plate" ? RADIUS - 4 : RADIUS + 4;
  const sauce = foods.pools[0]?.colour ?? (isBowl && !dry ? (foods.liquids[0]?.colour ?? mixed(foods)) : null);
  const base = (vessel === "tin" && foods.doughs[0]) || foods.discs[0];
  if (base) parts.push(disc(X, Y, vessel === "plate" ? room * 0.8 : room + 4, base.colour, 0.05, random));
  if (sauce)
    parts.push(
      isBowl && !dry
        ? disc(X, Y, 90, sauce, 0.03, random)
        : disc(X, Y + 2, room * (vessel === "tin" ? 0.86 : 0.74), sauce, 0.24, random),
    );
  for (const look of foods.spread) parts.push(spread(look, room * 0.94, random));
  // Eggs that went into a dough or a soup are not seen.
  const isInside = vessel === "tin" || isBowl || (foods.doughs.length && vessel !== "pan");
  const body = isInside ? foods.body.filter((look) => look.shape !== "egg") : foods.body;
  parts.push(pieces(body, room, random));
  for (const look of foods.scattered) parts.push(scattered(look, room, random));
  return parts;
}

const mixed = (foods) => shade((foods.body[0] ?? foods.spread[0] ?? foods.scattered[0])?.colour ?? "#d9a650", 0.15);

function spread(look, room, random) {
  const many = MANY[look.shape];
  return Array.from({ length: many }, (_, i) => {
    const reach = room * Math.sqrt((i + 0.5) / many) * (look.shape === "strand" ? 0.74 : 0.94);
    const angle = i * GOLDEN + random() * 0.8;
    return piece(look, X + Math.cos(angle) * reach, Y + Math.sin(angle) * reach, 13, random() * 360, random);
  });
}

// The main food takes about half of the places; each food lies together, as a cook would serve it.
function pieces(foods, room, random) {
  if (!foods.length) return [];
  const shares = foods.map((look, i) => Math.max(1, Math.round((MANY[look.shape] ?? 8) * (i ? 0.65 : 1))));
  const turn = random() * Math.PI * 2;
  const alone = foods.length === 1;
  const placed = foods.flatMap((look, i) => {
    const angle = turn + (i / foods.length) * Math.PI * 2;
    const away = alone ? 0 : room * (i ? 0.52 : 0.36);
    const [cx, cy] = [X + Math.cos(angle) * away, Y + Math.sin(angle) * away];
    const reach = room * (alone ? 0.8 : i ? 0.42 : 0.5);
    return Array.from({ length: shares[i] }, (_, n) => {
      const r = shares[i] === 1 ? 0 : reach * Math.sqrt((n + 0.4) / shares[i]);
      const a = n * GOLDEN + random() * 0.5 + i;
      const size = 12.5 + random() * 3 + (i ? 0 : 2);
      return {
        y: cy + Math.sin(a) * r,
        draw: () => piece(look, cx + Math.cos(a) * r, cy + Math.sin(a) * r, size, random() * 360, random),
      };
    });
  });
  // What is nearer to the eye covers what is farther.
  return placed.sort((a, b) => a.y - b.y).map((one) => one.draw());
}

function scattered(look, room, random) {
  return Array.from({ length: MANY[look.shape] }, () => {
    const [angle, reach] = [random() * Math.PI * 2, room * 0.85 * Math.sqrt(random())];
    return piece(look, X + Math.cos(angle) * reach, Y + Math.sin(angle) * reach, 13, random() * 360, random);
  });
}
