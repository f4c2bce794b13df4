// How each kind of dish is drawn of its foods.

import { svg } from "../tools/dom.js";
import { blob, disc, line, mixed, outline, piece, shade } from "./pieces.js";

const [X, Y, TAU] = [160, 120, Math.PI * 2];
const GOLD = "#d9a04e"; // fried or baked
const MEAT = { shape: "chunk", colour: "#8a4f35" };
// How many pieces of a shape make a serving, where it is not 8.
const SERVING = { grain: 130, strand: 34, tube: 60, ball: 16, dust: 26, herb: 5, leaf: 13, slab: 1, egg: 1, spear: 5 };
const servingOf = ({ shape }) => SERVING[shape] ?? { wedge: 3, shell: 14, citrus: 2 }[shape] ?? 8;
const PIECES = /chunk|round|ball|ring|strip|spear|cube|wedge|shrimp|shell|mushroom/;

// Places: [x, y] on a circle, or spread evenly over a disc (each turned by the golden angle).
const polar = (reach, angle, x = X, y = Y) => [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach];
const some = (many, make) => Array.from({ length: many }, (_, i) => make(i));
const circle = (many, reach, turn = 0) => some(many, (i) => polar(reach, turn + (i / many) * TAU));
const evenly = (d, many, room, at = [X, Y]) =>
  some(many, (i) => polar(room * Math.sqrt((i + 0.4) / many), i * 2.399963 + d.random() * 0.7, ...at));

// Brushes.
const lay = (d, look, places, size = 13, turn = null) =>
  places.map((at) => piece(look, at, size, turn ?? d.random() * 360, d.random));
const flat = (d, radius, colour, rough = 0.03, at = [X, Y], flatness = 1) =>
  disc(at, radius, colour, rough, d.random, flatness);
const stroke = (path, colour, width, opacity = 1) =>
  svg("path", { d: path, opacity, "stroke-linecap": "round", ...line(colour, width) });
const patches = (d, colour, places, size) =>
  places.map(([x, y]) => svg("path", { d: blob(x, y, size, size * 0.6, 0.5, d.random), opacity: 0.45, fill: colour }));
const cuts = (d, paths) => paths.map((path) => stroke(path, d.has(/cocoa|dates/) ? "#fff5e0" : "#4a2c14", 1.5, 0.35));

// The foods of a dish, by their shapes. What is cut for a stew or a salad has no slabs; cooked onions melt away.
const of = (d, shapes, most = 9) => d.looks.filter((look) => shapes.test(look.shape)).slice(0, most);
const cut = (d, most = 4, shapes = PIECES) =>
  of({ looks: d.looks.map((look) => (look.shape === "slab" ? { ...look, shape: "chunk" } : look)) }, shapes, most);
const cooked = (d, most = 4) => cut(d, most, /chunk|round|ball|strip|spear|cube|wedge|shrimp|shell|mushroom/);
const egg = (d) => of(d, /egg/, 1);
const strewn = (d, room = 68) => of(d, /herb|dust/, 3).map((look) => lay(d, look, evenly(d, servingOf(look), room)));
const pool = (d, radius) => of(d, /pool/, 1).map((look) => flat(d, radius, look.colour, 0.24));

/** Each food lies together, as a cook would serve it; the first takes about half of the plate. */
function heap(d, looks, room, share = 1) {
  const turn = d.random() * TAU;
  const alone = looks.length === 1;
  const placed = looks.flatMap((look, i) => {
    const many = Math.max(alone ? 3 : 1, Math.round(servingOf(look) * share * (i ? 0.65 : 1)));
    const middle = polar(alone ? 0 : room * (i ? 0.52 : 0.36), turn + (i / looks.length) * TAU);
    const reach = many === 1 ? 0 : room * (alone ? 0.8 : i ? 0.42 : 0.5);
    return evenly(d, many, reach, middle).map((at) => ({ y: at[1], drawn: lay(d, look, [at], i ? 13 : 15.5) }));
  });
  // What is nearer to the eye covers what is farther.
  return placed.sort((a, b) => a.y - b.y).map((one) => one.drawn);
}

const inLiquid = (share, ground, beds) => (d) => {
  const bed = of(d, beds, 1).map((look) => lay(d, look, evenly(d, servingOf(look) / 2, 66), 11));
  return [flat(d, 90, mixed([ground, d.sauce], 0.3)), bed, heap(d, cooked(d), 72, share), strewn(d)];
};
const onBed = (shapes, otherwise, reach) => (d) => {
  const [bed = otherwise] = of(d, shapes, 1);
  const isGrain = bed.shape === "grain";
  const colour = isGrain && d.tint ? mixed([bed.colour, d.tint]) : bed.colour;
  const laid = [flat(d, 74, shade(colour, -0.08), 0.08), lay(d, { ...bed, colour }, evenly(d, servingOf(bed), reach))];
  const onTop = heap(d, [...cooked(d), ...(isGrain ? egg(d) : [])], 56, 0.7);
  return [laid, isGrain ? [] : pool(d, 42), onTop, strewn(d, 60)];
};
const bread = (d, at, radius, spots) => [
  flat(d, radius, d.crust, 0.06, at),
  patches(d, shade(d.crust, -0.45), evenly(d, spots, radius * 0.8, at), radius * 0.1),
];
const topped = (d, most, size) => cut(d, most).map((look, i) => lay(d, look, circle(6, 18 + 20 * (i % 3), i), size));
const filled = (d) => [...cut(d, 3), ...of(d, /leaf|herb/, 1), MEAT].slice(0, 4);
const friedEggs = (d) => lay(d, { shape: "egg", colour: "#fffdf6" }, circle(2, 28, 0.3), 25);
// Lines up, down and across a disc of this radius.
const grid = (radius) =>
  [-50, -25, 0, 25, 50].flatMap((at) => {
    const half = Math.round(Math.sqrt(radius * radius - at * at));
    return [`M${X + at} ${Y - half}v${2 * half}`, `M${X - half} ${Y + at}h${2 * half}`];
  });

/** kind: (dish of plate.js) -> its elements, nested as they come. */
export const DISHES = {
  soup: inLiquid(0.5, "#ecc684", /grain|strand|tube|leaf/),
  stew: inLiquid(1, "#a5683a", /leaf/),
  rice: onBed(/grain/, { shape: "grain", colour: "#f8f2e2" }, 72),
  noodles: onBed(/strand|tube/, { shape: "strand", colour: "#f1d283" }, 60),
  salad: (d) => {
    const beds = of(d, of(d, /leaf/).length ? /leaf|grain|strand/ : /herb|grain|strand/, 2);
    const bed = beds.map((look) => lay(d, look, evenly(d, Math.max(30, servingOf(look)), 74)));
    return [bed, heap(d, [...cut(d), ...egg(d)], 76), strewn(d)];
  },
  shreds: (d) => {
    const dyed = (colour) => mixed([colour, "#d0401f"], d.has(/gochugaru/) ? 0.3 : 1);
    const shred = ({ colour }, i) => lay(d, { shape: "strand", colour: dyed(colour) }, evenly(d, i ? 14 : 60, 64));
    return [cut(d, 3, /leaf|round|chunk|ring|strip|strand/).map(shred), strewn(d)];
  },
  meat: (d) => {
    const slab = of(d, /slab/, 1).map((look) => (d.has(/crumbs/) ? { ...look, colour: GOLD } : look));
    return [pool(d, 58), heap(d, [...slab, ...of(d, PIECES, 3), ...of(d, /citrus/, 1)], 74), strewn(d)];
  },
  fried: (d) => {
    const browned = cooked(d).map((look) => ({ ...look, colour: mixed([look.colour, GOLD]) }));
    const scrambled = egg(d).map(() => ({ shape: "chunk", colour: "#f8d75c" }));
    return [heap(d, [...browned, ...scrambled, ...of(d, /citrus/, 1)], 74), strewn(d)];
  },
  bake: (d) => {
    const top = d.has(/cheese|milk|cream|potato|egg/) ? "#f0cd88" : mixed([d.sauce, GOLD]);
    const browned = patches(d, shade(GOLD, -0.2), circle(9, 54), 17);
    return [flat(d, 90, d.sauce), flat(d, 84, top, 0.14), browned, topped(d, 1, 8), strewn(d)];
  },
  pie: (d) => {
    const lattice = grid(78).map((path) => stroke(path, shade(d.crust, 0.1), 11));
    const crimped = circle(26, 84).map(([cx, cy]) => svg("circle", { cx, cy, r: 8, ...outline(d.crust) }));
    return [flat(d, 92, d.crust), flat(d, 78, cut(d, 1)[0]?.colour ?? d.sauce), lattice, crimped];
  },
  tray: (d) => {
    const diamonds = svg("g", { transform: `rotate(45 ${X} ${Y})` }, cuts(d, grid(84)));
    return [flat(d, 88, d.crust), diamonds, topped(d, 1, 6), strewn(d)];
  },
  tart: (d) => {
    const rings = cut(d, 2).map((look, i) => lay(d, look, circle(i ? 5 : 10, i ? 26 : 56), 13));
    return [flat(d, 92, d.crust), flat(d, 78, d.has(/egg|cheese/) ? "#f2d384" : "#c98532"), rings];
  },
  cake: (d) => {
    const top = of(d, /pool/, 1)[0]?.colour ?? shade(d.crust, 0.15);
    const slices = circle(8, 78).map((end) => `M${X} ${Y}L${end}`);
    const fruit = cut(d, 1).map((look) => lay(d, look, circle(8, 56, TAU / 16), 11));
    return [flat(d, 84, d.crust), flat(d, 78, top), cuts(d, slices), fruit];
  },
  cookies: (d) => {
    const bits = (at) => cut(d, 1, /chunk|ball/).map((look) => lay(d, look, evenly(d, 4, 16, at), 5));
    return [[X, Y], ...circle(6, 55)].map((at) => [bread(d, at, 26, 3), bits(at)]);
  },
  balls: (d) => [lay(d, { shape: "ball", colour: d.crust }, [...circle(8, 58), ...circle(4, 25)], 38, 0), strewn(d)],
  pancakes: (d) => {
    const pile = [8, 2, -4, -10].map((dy, i) => flat(d, 78 - i * 3, shade(d.crust, (i % 2) / 8), 0.06, [X, Y + dy]));
    return [pile, pool(d, 36), topped(d, 2, 8), strewn(d, 54)];
  },
  flatbread: (d) => [bread(d, [X + 34, Y + 16], 66, 10), bread(d, [X - 26, Y - 8], 72, 14), strewn(d, 50)],
  loaf: (d) => {
    const slits = [-44, -15, 14, 43].map((x) => `M${X + x - 8} ${Y + 28}q12 -28 24 -56`);
    return [flat(d, 102, d.crust, 0.06, [X, Y], 0.6), slits.map((path) => stroke(path, shade(d.crust, 0.4), 7))];
  },
  ringBread: (d) => {
    const ring = ([cx, cy]) => svg("circle", { cx, cy, r: 32, ...line(shade(d.crust, -0.25), 19) });
    const seeds = circle(3, 42, 0.5).flatMap(([x, y]) => some(14, (i) => polar(32, i * 0.45, x, y)));
    return [circle(3, 42, 0.5).map(ring), lay(d, { shape: "dust", colour: "#fbeccb" }, seeds)];
  },
  toast: (d) => {
    const slice = ([x, y]) => svg("rect", { x: x - 35, y: y - 37, width: 70, height: 74, rx: 9, ...outline(GOLD) });
    return circle(2, 38, 0.4).map((at) => [slice(at), flat(d, 29, d.has(/cheese/) ? "#f4c658" : d.mash, 0.2, at)]);
  },
  burger: (d) => {
    const [green = { shape: "leaf", colour: "#8fbc4e" }] = of(d, /leaf/, 1);
    const filling = cut(d, 2).map((look, i) => lay(d, look, circle(6, 60, i + 0.4), 14));
    const sesame = lay(d, { shape: "grain", colour: "#f8e6bf" }, evenly(d, 34, 56), 8);
    return [lay(d, green, circle(10, 66), 17), filling, flat(d, 68, "#d3934a"), sesame];
  },
  baguette: (d) => {
    const row = (look, i) => lay(d, look, some(6, (n) => [X - 80 + n * 29 + i * 6, Y - 2 + (i % 2) * 8]), 12);
    const half = (dy, colour) => flat(d, 103, colour, 0.05, [X, Y + dy], 0.32);
    return [half(20, "#c98d49"), filled(d).map(row), half(-26, "#d8a05a")];
  },
  pizza: (d) => {
    const sauce = flat(d, 82, d.has(/tomato/) ? "#cf4a2c" : d.has(/zaatar/) ? "#8f8a48" : shade(d.crust, 0.2), 0.06);
    const cheese = d.has(/cheese/) && flat(d, 68, "#f8dd98", 0.25);
    return [flat(d, 96, d.crust), sauce, cheese, topped(d, 3, 10), strewn(d, 74)];
  },
  dumplings: (d) => {
    const look = { shape: "dumpling", colour: d.has(/potato|pastry/) ? GOLD : "#f1dfba" };
    return [[[X, Y], ...circle(7, 55)].map((at, i) => lay(d, look, [at], 26, i * 51)), strewn(d)];
  },
  skewers: (d) => {
    const threaded = [...cut(d, 2), MEAT, MEAT];
    const row = (dy) => some(6, (i) => lay(d, threaded[i % 2], [[X - 60 + i * 24, Y + dy + 9 - i * 3.5]], 14));
    return [-40, 0, 40].map((dy) => [stroke(`M${X - 96} ${Y + dy + 14}l192 -28`, "#b98a55", 3), row(dy)]);
  },
  tacos: (d) => {
    const row = (x) => some(6, (i) => lay(d, filled(d)[i % filled(d).length], [[x, Y - 40 + i * 16]], 10));
    return [X - 54, X, X + 54].map((x) => [flat(d, 32, "#f0d79c", 0.04, [x - 8, Y], 1.8), row(x)]);
  },
  rolls: (d) => {
    const places = [-36, 1, 38].flatMap((dy) => [X - 37, X + 35].map((x) => [x, Y + dy + (x - X) / 9]));
    const ends = cut(d, 1).map((look) => lay(d, look, places.map(([x, y]) => [x + 25, y]), 6));
    return [lay(d, { shape: "roll", colour: d.wrap }, places, 36, 0), ends, strewn(d)];
  },
  stuffed: (d) => {
    const skin = cut(d, 1)[0]?.colour ?? "#d8432f";
    const filling = mixed([of(d, /grain|pool/, 1)[0]?.colour ?? d.sauce, d.sauce]);
    return circle(4, 44, 0.5).map((at) => [flat(d, 37, skin, 0.1, at, 0.8), flat(d, 25, filling, 0.25, at, 0.8)]);
  },
  omelette: (d) => {
    const browned = patches(d, "#c98532", circle(6, 48), 14);
    return [flat(d, 86, "#f2c64f", 0.08), browned, heap(d, cooked(d, 2), 62, 0.5), strewn(d)];
  },
  eggs: (d) => [heap(d, cut(d), 76, 0.6), friedEggs(d), strewn(d)],
  eggsInSauce: (d) => [flat(d, 88, mixed([d.sauce, "#c9492c"])), heap(d, cut(d, 3), 76, 0.6), friedEggs(d), strewn(d)],
  dip: (d) => {
    const swirl = `M${X + 6} ${Y}q-18 -16 -26 6q-2 32 34 30q44 -8 34 -52q-18 -40 -66 -30`;
    return [flat(d, 88, d.mash), stroke(swirl, shade(d.mash, -0.18), 5, 0.6), strewn(d)];
  },
  dessert: (d) => [flat(d, 66, d.cream), heap(d, cut(d, 2), 44, 0.35), strewn(d, 48)],
  burntCream: (d) => [flat(d, 66, "#f4d581"), flat(d, 58, "#c07a2a", 0.16), patches(d, "#7a4515", circle(6, 34), 12)],
  drink: (d) => [
    svg("path", { d: `M${X - 45} 62l9 144q36 10 72 0l9 -144q-45 -10 -90 0Z`, ...outline(d.drink, 1.5) }),
    svg("ellipse", { cx: X, cy: 62, rx: 45, ry: 8, fill: shade(d.drink, 0.3) }),
    stroke(`M${X - 48} 34l12 172q36 10 72 0l12 -172ZM${X - 30} 80l6 90`, "#fff", 3, 0.5),
    of(d, /citrus/, 1).map((look) => lay(d, look, [[X + 46, 40]], 22)),
  ],
  // The kind is not known: small pieces in the dish's colours.
  plain: (d) => {
    const colours = [...of(d, /^(?!herb|dust|egg|citrus)/, 4).map((look) => look.colour), GOLD].slice(0, 4);
    const lump = (at, i) => lay(d, { shape: "chunk", colour: colours[i % colours.length] }, [at], 10);
    return [flat(d, 72, mixed(colours), 0.12), evenly(d, 30, 58).map(lump), strewn(d)];
  },
};
