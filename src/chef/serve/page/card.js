// A recipe as a card: its photo or drawn plate, what it mainly is, what the cook does, why it is here.

import { plate } from "./plate/plate.js";
import { photoOf } from "./tools/api.js";
import { h, icon } from "./tools/dom.js";
import { count, kindOf, mainOf, readable } from "./tools/words.js";

const ACTIONS = 4;

/** The photo of a recipe, or the plate drawn of its ingredients. */
export function picture(dish, alt = "") {
  const drawn = () => plate({ title: dish.title, ingredients: dish.ingredients ?? [], main: dish.main_ingredient });
  if (!dish.has_image) return drawn();
  const image = h("img", { src: photoOf(dish.id), alt, loading: "lazy", decoding: "async" });
  image.addEventListener("error", () => image.replaceWith(drawn()));
  return image;
}

/** Action words in the colours of what they do. */
export const actionWords = (actions) =>
  actions.map((action) => h("li", { class: `action ${kindOf(action)}` }, readable(action)));

export const addressOf = (id) => `#/recipe/${encodeURIComponent(id)}`;

/** A card of the results. `badge` marks what is new among neighbours. */
export function card(hit, { badge = null } = {}) {
  const actions = hit.actions ?? [];
  return h(
    "li",
    { class: "card" },
    h(
      "a",
      { href: addressOf(hit.id), class: "card-link" },
      h(
        "div",
        { class: "card-picture" },
        picture(hit),
        badge && h("span", { class: "badge" }, badge),
        hit.favourite && h("span", { class: "liked", role: "img", "aria-label": "Favourite" }, icon("heart")),
      ),
      h(
        "div",
        { class: "card-words" },
        h("h3", {}, hit.title),
        h(
          "p",
          { class: "card-about" },
          mainOf(hit) && h("span", { class: "main-word" }, readable(mainOf(hit))),
          hit.ingredients?.length ? h("span", { class: "muted" }, count(hit.ingredients.length, "ingredient")) : null,
        ),
        actions.length
          ? h("ul", { class: "actions", "aria-label": "What you do" }, actionWords(actions.slice(0, ACTIONS)))
          : null,
        hit.why?.length
          ? h(
              "ul",
              { class: "why", "aria-label": "Why this recipe" },
              hit.why.map((reason) => h("li", {}, icon(signOf(reason)), h("span", {}, reason))),
            )
          : null,
      ),
    ),
  );
}

const SIGNS = [
  [/^not /i, "question"],
  [/photo/i, "picture"],
  [/^missing|^lack/i, "basket"],
  [/title|word|says/i, "search"],
];
const signOf = (reason) => SIGNS.find(([pattern]) => pattern.test(reason))?.[1] ?? "check";

/** Arrow keys from card to card, by their places on the screen. */
export function walkable(list) {
  list.addEventListener("keydown", (event) => {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const from = event.target.closest(".card-link");
    if (!way || !from) return;
    const next = nearest(from, [...list.querySelectorAll(".card-link")], way);
    if (next) {
      event.preventDefault();
      next.focus();
    }
  });
  return list;
}

function nearest(from, links, [dx, dy]) {
  const here = from.getBoundingClientRect();
  let best = null;
  for (const link of links) {
    const there = link.getBoundingClientRect();
    const [x, y] = [there.left - here.left, there.top - here.top];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead > 4 && (!best || ahead + aside * 3 < best.cost)) best = { link, cost: ahead + aside * 3 };
  }
  return best?.link;
}
