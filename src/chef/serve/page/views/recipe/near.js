// The neighbours of a recipe: real recipes and dishes near it, and which of them a change brought.

import { addressOf, picture } from "../../card.js";
import * as api from "../../tools/api.js";
import { h, put } from "../../tools/dom.js";
import { mainOf, readable } from "../../tools/words.js";

const MANY = 6;

/** `show(dish)` shows what is near: the dish brings its own after a swap, else the service is asked. */
export function neighbours(id) {
  const list = h("ul", { class: "near-list" });
  const photos = h("div", { class: "near-photos" });
  const title = h("h2", { id: "near-title" }, "Similar recipes");
  const element = h("section", { class: "near", "aria-labelledby": "near-title" }, title, list, photos);
  let first = null; // ids near the unchanged recipe
  let turn = 0;

  async function show(dish) {
    const mine = ++turn;
    list.setAttribute("aria-busy", "true");
    try {
      const hits = (dish.hits ?? (await ask(dish))).filter((hit) => hit.id !== id).slice(0, MANY);
      if (mine !== turn) return;
      const isChanged = dish.how !== null;
      if (!isChanged) first = new Set(hits.map((hit) => hit.id));
      title.textContent = isChanged ? "Similar recipes now" : "Similar recipes";
      put(
        list,
        hits.length
          ? hits.map((hit) => row(hit, isChanged && first && !first.has(hit.id)))
          : h("li", { class: "muted" }, "No other recipes yet."),
      );
      put(
        photos,
        dish.photos?.length
          ? [
              h("h3", {}, "Photos of similar dishes"),
              h(
                "ul",
                {},
                dish.photos
                  .slice(0, MANY)
                  .map((hit) =>
                    h(
                      "li",
                      {},
                      h("a", { href: addressOf(hit.id), title: hit.title, "aria-label": hit.title }, picture(hit)),
                    ),
                  ),
              ),
            ]
          : null,
      );
    } catch (error) {
      if (mine === turn) put(list, h("li", { class: "muted" }, error.message));
    }
    if (mine === turn) list.removeAttribute("aria-busy");
  }

  const ask = async (dish) =>
    (await api.search({ ...(dish.how === null ? { id } : { recipe: dish.recipe }), k: MANY + 1 })).hits;

  return { element, show };
}

function row(hit, isNew) {
  return h(
    "li",
    { class: isNew ? "new" : null },
    h(
      "a",
      { href: addressOf(hit.id) },
      h("span", { class: "near-picture" }, picture(hit)),
      h(
        "span",
        { class: "near-words" },
        h("b", {}, hit.title),
        h(
          "small",
          {},
          mainOf(hit) ? h("span", { class: "main-word" }, readable(mainOf(hit))) : null,
          isNew ? h("span", { class: "badge" }, "new") : null,
        ),
      ),
    ),
  );
}
