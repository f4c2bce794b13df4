// The drawn plate of a recipe without a photo: its own ingredients, the same picture on every visit.

import { svg } from "../tools/dom.js";
import { chance, hash } from "../tools/random.js";
import { DISHES } from "./dishes.js";
import { lookOf } from "./foods.js";
import { kindOfDish, vesselOf } from "./kinds.js";
import { mixed, shade } from "./pieces.js";

const TABLES = [28, 42, 14, 88, 160, 205, 340]; // hues of the tablecloth
const circle = (r, name, dy = 0) => ["circle", { cx: 160, cy: 120 + dy, r, class: name }];
const VESSELS = {
  plate: [circle(109, "plate-shadow", 6), circle(108, "plate-rim"), circle(86, "plate-inside")],
  bowl: [circle(105, "plate-shadow", 6), circle(104, "plate-rim bowl"), circle(95, "plate-inside bowl")],
  cup: [circle(85, "plate-shadow", 6), circle(84, "plate-rim"), circle(76, "plate-rim bowl")],
  tin: [circle(104, "plate-shadow", 6), circle(102, "tin-rim"), circle(94, "tin-inside")],
  pan: [
    circle(104, "plate-shadow", 6), circle(102, "pan-iron"), circle(93, "pan-inside"),
    ["path", { class: "pan-iron", d: "M249 69l74 -33a11 11 0 0 1 9 20l-74 33Z" }],
  ],
  board: [
    ["rect", { x: 42, y: 40, width: 236, height: 172, rx: 26, class: "plate-shadow" }],
    ["rect", { x: 42, y: 34, width: 236, height: 172, rx: 26, class: "board" }],
    ["path", { d: "M58 70Q160 78 262 68M58 110Q160 118 262 108M58 150Q160 158 262 148", class: "board-grain" }],
  ],
  table: [["ellipse", { cx: 166, cy: 208, rx: 52, ry: 14, class: "plate-shadow" }]],
};
const CLOTH = ["path", { class: "plate-stripe", d: "M5 120h320", "stroke-width": 240, "stroke-dasharray": "14 28" }];
const TABLE = [["rect", { class: "plate-table", width: 320, height: 240 }], CLOTH];

// What colours a sauce; rice; a dough; what a roll is wrapped in. The first that is in the dish.
const TINTS = new RegExp(
  `tomat chil paprika turmeric curry saffron cream coconut_milk yogurt spinach callaloo soy_sauce red_wine lentil bean
  split_pea peanut berbere gochu broth masala dal$ pumpkin calabaza amarillo`.replace(/\s+/g, "|"),
);
const RICE = { "tomato_p|crushed_tomato|rojo": "#e07a3c", "saffron|turmeric|curry": "#f0c040" };
const GOLD = "#dba75c";
const CRUSTS = {
  "cocoa|dates": "#5e3623", "chickpea|black_eyed": "#b3793d", teff: "#a5805c", "cornmeal|turmeric|semolina": "#e6b54c",
  "(?<!rice_)flour|dough|pastry|starch": GOLD, "glutinous|short_grain": "#f8f2e2", "^eggs": "#f2c64f", "": GOLD,
};
const WRAPS = { rice_paper: "#f1eee0", nori: "#2c3a2e", grape: "#6f8a45", ...CRUSTS };

/** The picture, decorative: the words beside it say what it is. */
export function plate({ title = "", ingredients = [], main = null }) {
  const tokens = [...new Set(ingredients)];
  const kind = kindOfDish(title);
  const picture = svg(
    "svg",
    { class: "plate", viewBox: "0 0 320 240", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    [...TABLE, ...VESSELS[vesselOf(kind)]].map(([tag, attributes]) => svg(tag, attributes)),
    DISHES[kind]({ ...foodsOf(title.toLowerCase(), tokens, main), random: chance(hash(tokens.join(" "))) }),
  );
  picture.style.setProperty("--hue", String(TABLES[hash(title) % TABLES.length]));
  return picture;
}

// The looks of the foods, those that the title names first, then the main ingredient; and the colours they make.
function foodsOf(title, tokens, main) {
  const isNamed = (token) => token.split("_").some((word) => title.includes(word.replace(/e?s$/, "")));
  const weight = (token) => (isNamed(token) ? 2 : Number(token === main));
  const ordered = [...tokens].sort((a, b) => weight(b) - weight(a));
  const seen = ordered.map(lookOf).filter(Boolean);
  const looks = seen.filter((look, i) => seen.findIndex((other) => other.colour === look.colour) === i);
  const mean = (list, otherwise) => (list.length ? mixed(list.map((look) => look.colour)) : otherwise);
  const of = (shapes, most) => looks.filter((look) => shapes.test(look.shape)).slice(0, most);
  const all = [title, ...tokens].join("\n");
  const has = (pattern) => pattern.test(all);
  const first = (table) => Object.entries(table).find(([words]) => has(new RegExp(words, "m")))?.[1];
  const drink = mean(of(/chunk|round|ball|pool|liquid|cube|grain/, 1), "#f0b644");
  const tints = ordered.filter((token) => TINTS.test(token)).map(lookOf).filter(Boolean);
  return {
    looks, has, tint: first(RICE), crust: first(CRUSTS), wrap: first(WRAPS),
    sauce: mean(tints.slice(0, 3), "#c98f52"),
    mash: has(/eggplant/) ? "#b89468" : mean(of(/^(?!herb|dust|liquid|citrus)/, 2), "#ddc38e"),
    cream: mean(of(/pool|liquid/, 3), "#fbf3e3"),
    drink: has(/milk|rice/) ? shade(drink, 0.4) : drink,
  };
}
