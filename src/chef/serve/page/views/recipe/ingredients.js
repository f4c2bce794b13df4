// The ingredient lines and the tree over them, each lighting up in the other.

import { h, icon } from "../../tools/dom.js";
import { mainOf, readable } from "../../tools/words.js";
import { drawnTree } from "../../tree.js";
import { lineChanges, wordChanges } from "./changes.js";

export const lineOf = (item) => (typeof item === "string" ? item : item.line);

/** The canonical ingredients of a dish: the leaves of its tree, or what its lines name where a model draws none. */
export function tokensOf({ recipe, about }) {
  const leaves = about.ingredients.map((leaf) => leaf.token);
  return [...new Set(leaves.length ? leaves : recipe.ingredients.map((item) => item.token).filter(Boolean))];
}

/**
 * `old` is the recipe before it was changed, or null; `choose(token)` begins a swap; `stepper` stands above the lines.
 */
export function ingredientList(dish, old, choose, stepper) {
  const known = new Set(tokensOf(dish));
  const items = dish.recipe.ingredients.map((item) => (typeof item === "string" ? { line: item } : item)).map(leafOf);
  const rows = old
    ? lineChanges(old.ingredients.map(lineOf), items.map(lineOf))
    : items.map((item) => ({ old: item.line, now: item.line }));
  const tree =
    dish.about.tree &&
    drawnTree(dish.about.tree, {
      kind: "ingredients",
      told: mainOf(dish.about),
      label: "Ingredient tree",
      pointed: (token) => point(token),
    });
  let next = 0;
  const lines = rows.map((row) => (row.now === undefined ? gone(row.old) : line(items[next++], row)));

  // A name that the canonical map does not know is its own leaf.
  function leafOf(item) {
    const token = item.token ?? item.name?.replaceAll(" ", "_");
    return { line: item.line, token: known.has(token) ? token : null };
  }

  function line(item, row) {
    const isMain = item.token && item.token === mainOf(dish.about);
    const words =
      row.old === undefined
        ? [h("ins", {}, item.line)]
        : row.old === row.now
          ? [item.line]
          : marked(row.old, row.now);
    const element = h(
      "li",
      {
        class: `line${isMain ? " main" : ""}${row.old === row.now ? "" : " changed"}`,
        "data-token": item.token ?? null,
      },
      h("span", { class: "line-words" }, words, isMain && h("small", { class: "main-word" }, "main")),
      item.token &&
        h(
          "button",
          {
            type: "button",
            class: "line-swap",
            "aria-label": `Swap ${readable(item.token)}`,
            title: `Swap ${readable(item.token)}`,
            onclick: () => choose(item.token),
          },
          icon("swap"),
        ),
    );
    if (tree && item.token) {
      element.addEventListener("pointerenter", () => tree.point(item.token));
      element.addEventListener("pointerleave", () => tree.point(null));
    }
    return element;
  }

  function point(token) {
    for (const element of lines) element.classList.toggle("on", token !== null && element.dataset.token === token);
  }

  return {
    element: h(
      "section",
      { class: "ingredients", "aria-labelledby": "ingredients-title" },
      h(
        "div",
        { class: "lines-side" },
        h("div", { class: "section-head" }, h("h2", { id: "ingredients-title" }, "Ingredients"), stepper),
        h("ul", { class: "lines" }, lines),
      ),
      tree && h("div", { class: "tree-side" }, h("h2", {}, "How they fit together"), tree.element),
    ),
  };
}

const gone = (text) => h("li", { class: "line gone" }, h("del", {}, text));

/** A text whose new words are marked. */
export const marked = (old, now) => wordChanges(old, now).map(({ text, isNew }) => (isNew ? h("ins", {}, text) : text));
