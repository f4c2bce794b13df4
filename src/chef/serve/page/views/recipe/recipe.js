// The recipe view: the recipe as cooks write it, with what the model reads in it, and what it could become.

import { actionWords, picture } from "../../card.js";
import { plate } from "../../plate/plate.js";
import * as api from "../../tools/api.js";
import { h, icon, put } from "../../tools/dom.js";
import { complain, note, say } from "../../tools/notices.js";
import { count, mainOf, readable } from "../../tools/words.js";
import { wordChanges } from "./changes.js";
import { ingredientList, tokensOf } from "./ingredients.js";
import { neighbours } from "./near.js";
import { stepList } from "./steps.js";
import { swapPanel } from "./swap.js";

export function recipeView() {
  const element = h("article", { class: "recipe", "aria-busy": "true" });
  const view = { element, title: "Recipe", enter, leave };
  const leaving = new AbortController();

  async function enter([id]) {
    try {
      const entry = await api.recipe(id ?? "", leaving.signal);
      open(element, id, entry);
      view.title = entry.recipe.title;
      if (element.isConnected) document.title = `${entry.recipe.title} · Chef`;
    } catch (error) {
      if (error.name === "AbortError") return;
      put(
        element,
        back(),
        h("div", { class: "empty" }, h("h1", {}, "Recipe not found"), h("p", {}, error.message)),
      );
    }
    element.removeAttribute("aria-busy");
  }

  function leave() {
    leaving.abort();
  }

  return view;
}

const back = () => h("a", { class: "back", href: "#/" }, icon("back"), "All recipes");

/** The state of an open recipe is a list of dishes: the one of the collection, then each change made to it. */
function open(element, id, entry) {
  const dishes = [{ recipe: entry.recipe, about: entry, how: null }];
  const now = () => dishes.at(-1);
  const hero = h("header", { class: "recipe-head" });
  const body = h("div", { class: "recipe-body" });
  const near = neighbours(id);
  const panel = swapPanel({
    dish: () => (dishes.length > 1 ? { recipe: now().recipe } : { id }),
    current: now,
    changed,
  });

  function changed(dish) {
    dishes.push(dish);
    draw();
    say(`${dish.how}. Changes are highlighted.`);
  }

  function undo() {
    if (dishes.length > 1) dishes.pop();
    draw();
    say("Change undone.");
  }

  function draw() {
    const old = dishes.length > 1 ? dishes[0].recipe : null;
    const parts = ingredientList(now(), old, panel.choose);
    put(hero, head(id, dishes, undo));
    put(body, parts.element, stepList(now(), old));
    near.show(now()); // before the panel, whose ideas take the service longer
    panel.refresh();
  }

  put(element, back(), h("div", { class: "recipe-grid" }, hero, panel.element, body, near.element));
  draw();
}

function head(id, dishes, undo) {
  const { recipe, about } = dishes.at(-1);
  const tokens = tokensOf(dishes.at(-1));
  const isChanged = dishes.length > 1;
  const dish = { ...about, id, title: recipe.title, ingredients: tokens };
  return [
    h(
      "div",
      { class: "recipe-picture" },
      isChanged
        ? plate({ title: recipe.title, ingredients: tokens, main: about.main_ingredient })
        : picture(dish, recipe.title),
    ),
    h(
      "div",
      { class: "recipe-name" },
      h("h1", {}, isChanged ? marked(dishes[0].recipe.title, recipe.title) : recipe.title),
      h(
        "p",
        { class: "recipe-about" },
        mainOf(about) && h("span", { class: "main-word" }, "mainly ", h("b", {}, readable(mainOf(about)))),
        h("span", { class: "muted" }, count(recipe.ingredients.length, "ingredient")),
      ),
      about.actions?.length
        ? h("ul", { class: "actions", "aria-label": "What you do" }, actionWords(about.actions))
        : null,
      recipe.tags?.length
        ? h(
            "ul",
            { class: "tags", "aria-label": "Tags" },
            recipe.tags.map((tag) => h("li", {}, h("a", { href: `#/?tag=${encodeURIComponent(tag)}` }, tag))),
          )
        : null,
      source(recipe),
      isChanged
        ? h(
            "div",
            { class: "changed-bar" },
            h(
              "p",
              {},
              dishes
                .slice(1)
                .map((one) => one.how)
                .join("; "),
            ),
            h("button", { type: "button", class: "quiet", onclick: () => save(recipe) }, icon("file"), "Save"),
            h("button", { type: "button", class: "quiet", onclick: undo }, icon("undo"), "Undo"),
            notes(dishes.flatMap((one) => one.notes ?? [])),
          )
        : h(
            "button",
            { type: "button", class: "link danger", onclick: () => removal(id, recipe.title) },
            icon("trash"),
            "Remove from collection",
          ),
    ),
  ];
}

/** What a cook must check in a changed recipe. */
const notes = (said) =>
  said.length
    ? h("ul", { class: "notes", "aria-label": "Before you cook" }, said.map((one) => h("li", {}, one)))
    : null;

/** Saves the changed recipe as a file, which can be added to a collection. */
function save({ id: _id, images: _images, ...recipe }) {
  const file = new Blob([JSON.stringify(recipe, null, 1)], { type: "application/json" });
  h("a", { href: URL.createObjectURL(file), download: `${recipe.title}.json` }).click();
}

/** A text whose new words are marked. */
export const marked = (old, now) =>
  wordChanges(old, now).map(({ text, isNew }) => (isNew ? h("ins", {}, text) : text));

function source(recipe) {
  // Only web addresses become links: a recipe may bring any text as its address.
  const link =
    /^https?:\/\//i.test(recipe.url ?? "") &&
    h("a", { href: recipe.url, rel: "noopener noreferrer", target: "_blank" }, icon("out"), "original recipe");
  const words = [recipe.source, recipe.licence].filter(Boolean).join(" · ");
  return words || link ? h("p", { class: "source muted" }, words, " ", link) : null;
}

function removal(id, title) {
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-labelledby": "remove-title" },
    h(
      "form",
      { method: "dialog" },
      h("h2", { id: "remove-title" }, "Remove this recipe?"),
      h("p", {}, `“${title}” will be removed from your collection.`),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "quiet" }, "Cancel"),
        h("button", { class: "strong", value: "yes" }, "Remove"),
      ),
    ),
  );
  dialog.addEventListener("close", async () => {
    dialog.remove();
    if (dialog.returnValue !== "yes") return;
    try {
      await api.remove(id);
      api.forget();
      location.hash = "#/";
      note(`“${title}” was removed.`);
    } catch (error) {
      complain(error);
    }
  });
  document.body.append(dialog);
  dialog.showModal();
}
