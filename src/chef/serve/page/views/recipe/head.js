// The head of a recipe: its picture and name, and what can be done with it.

import { actionWords, picture } from "../../card.js";
import { plate } from "../../plate/plate.js";
import * as api from "../../tools/api.js";
import { h, icon } from "../../tools/dom.js";
import { complain, note } from "../../tools/notices.js";
import { count, duration, mainOf, readable } from "../../tools/words.js";
import { marked, tokensOf } from "./ingredients.js";

/** The times that a recipe takes, and how many it serves. */
function facts(recipe) {
  const times = [
    ["prep", recipe.prep_minutes],
    ["cooking", recipe.cook_minutes],
    ["in all", recipe.total_minutes],
  ].filter(([, minutes]) => minutes);
  return [
    times.length
      ? h(
          "span",
          { class: "times" },
          icon("clock"),
          times.map(([name, minutes]) => `${duration(minutes)} ${name}`).join(" · "),
        )
      : null,
    recipe.rating ? h("span", { "aria-label": `Rated ${recipe.rating} of 5` }, `★ ${recipe.rating}`) : null,
  ];
}

export function head(id, dishes, { undo, cook: start }) {
  const { recipe, about } = dishes.at(-1);
  const tokens = tokensOf(dishes.at(-1));
  const isChanged = dishes.length > 1;
  const dish = { ...about, id, title: recipe.title, ingredients: tokens };
  const button = (sign, words, onclick, kind = "quiet") =>
    h("button", { type: "button", class: kind, onclick }, icon(sign), h("span", {}, words));
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
        facts(recipe),
        mainOf(about) && h("span", { class: "main-word" }, "mainly ", h("b", {}, readable(mainOf(about)))),
        h("span", { class: "muted" }, count(recipe.ingredients.length, "ingredient")),
      ),
      recipe.description && h("p", { class: "description" }, recipe.description),
      about.actions?.length
        ? h("ul", { class: "actions", "aria-label": "What you do" }, actionWords(about.actions))
        : null,
      h(
        "div",
        { class: "buttons recipe-does" },
        recipe.instructions.length ? button("pot", "Cook", start, "strong") : null,
        isChanged ? null : favourite(id, dishes[0].recipe),
        button("print", "Print", () => print()),
        isChanged
          ? null
          : h("a", { class: "quiet", href: `#/edit/${encodeURIComponent(id)}` }, icon("pen"), h("span", {}, "Edit")),
        button("down", "Export", () => download(recipe)),
        isChanged ? null : button("trash", "Remove", () => removal(id, recipe.title)),
      ),
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
            button("file", "Save as my recipe", () => keep(dishes)),
            button("undo", "Undo", undo),
            notes(dishes.flatMap((one) => one.notes ?? [])),
          )
        : null,
    ),
  ];
}

/** The heart: a favourite comes first on the home page. */
function favourite(id, recipe) {
  const button = h(
    "button",
    { type: "button", class: "quiet favourite", onclick: toggle },
    icon("heart"),
    h("span", {}, "Favourite"),
  );
  const show = () => button.setAttribute("aria-pressed", String(Boolean(recipe.favourite)));
  async function toggle() {
    recipe.favourite = !recipe.favourite;
    show();
    try {
      await api.edit(id, { favourite: recipe.favourite });
      api.forget();
    } catch (error) {
      recipe.favourite = !recipe.favourite;
      show();
      complain(error);
    }
  }
  show();
  return button;
}

/** What a cook must check in a changed recipe. */
const notes = (said) =>
  said.length
    ? h(
        "ul",
        { class: "notes", "aria-label": "Before you cook" },
        said.map((one) => h("li", {}, one)),
      )
    : null;

/** Hands the changed recipe to the form in which it becomes one's own. */
function keep(dishes) {
  const { recipe, how } = { ...dishes.at(-1), how: dishes.slice(1).map((one) => one.how) };
  const old = dishes[0].recipe;
  const title = recipe.title === old.title ? `${recipe.title} (${how.join("; ")})` : recipe.title;
  const { id: _id, rating: _rating, nutrition: _nutrition, ...rest } = { ...old, ...recipe, title };
  api.inHand.recipe = { ...rest, favourite: false, own_note: `${old.title}: ${how.join("; ")}.` };
  location.hash = "#/add";
}

/** Saves a recipe as a file that any collection can add. */
function download(recipe) {
  const given = Object.entries(recipe).filter(([, value]) => value !== null);
  const file = new Blob([JSON.stringify(Object.fromEntries(given), null, 1)], { type: "application/json" });
  h("a", { href: URL.createObjectURL(file), download: `${recipe.title}.json` }).click();
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
