// Which dish has a form of its own, by what its title says.

import { cake, cookies, loaf, pie, pizza, stack } from "./baked.js";
import { burger, dumplings, rolls, skewers, tacos } from "./filled.js";
import { named } from "./titles.js";

const SCENES = [
  {
    fits: named(`cookie biscuit macaron shortbread scone amaretti fritter falafel latke croquette acarajé pastéis
      brigadeiro truffle`),
    vessel: "plate",
    draw: cookies,
  },
  {
    fits: named(`pancake crepe crêpe waffle blini tortillas_ flatbread naan injera roti_ chapati arepa pita_ pupusa
      dosa okonomiyaki pajeon`),
    vessel: "plate",
    draw: stack,
  },
  { fits: named("burger sandwich bánh+mì slider sloppy+joe _bao_"), vessel: "board", draw: burger },
  { fits: named("pizza lahmacun manakish pissaladière flammkuchen tarte+flambée"), vessel: "board", draw: pizza },
  { fits: named("_pie_ cobbler galette strudel crostata"), vessel: "tin", draw: pie },
  {
    fits: named(`cake kuchen _bolo_ tart_ tarte torte brownie gateau gâteau tiramisu tiramisù clafoutis baklava flan
      quiche`),
    vessel: "tin",
    draw: cake,
  },
  { fits: named("_bread loaf baguette brioche challah focaccia ciabatta"), vessel: "board", draw: loaf },
  {
    fits: named(`dumpling gyoza pierogi momo_ wonton ravioli mandu potsticker empanada samosa kibbeh maultaschen manti
      pastel_ pelmeni`),
    vessel: "plate",
    draw: dumplings,
  },
  {
    fits: named("kebab kabob skewer satay souvlaki yakitori anticucho suya espetinho shish köfte kofta"),
    vessel: "plate",
    draw: skewers,
  },
  { fits: named("taco tostada fajita gyro shawarma"), vessel: "board", draw: tacos },
  {
    fits: named(`sushi maki _roll_ _rolls_ enchilada burrito wrap_ dolma sarma cannelloni roulade rouladen involtini
      gimbap kimbap bratwurst sausages`),
    vessel: "plate",
    draw: rolls,
  },
];

/** How to draw a dish of this title, if it has a form of its own: {vessel, draw(foods, random)}. */
export function sceneOf(title, foods) {
  // Dough and nothing else to be seen: small bread.
  const isDough = foods.doughs.length && !foods.body.length && !foods.spread.length && !foods.pools.length;
  return SCENES.find((scene) => scene.fits(title)) ?? (isDough ? SCENES[0] : null);
}
