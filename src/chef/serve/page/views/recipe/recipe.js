// The recipe view: the recipe as cooks write it, with what the model reads in it, and what it could become.

import { actionWords, addressOf, picture } from "../../card.js";
import { plate } from "../../plate/plate.js";
import * as api from "../../tools/api.js";
import { h, icon, put } from "../../tools/dom.js";
import { complain, note, say } from "../../tools/notices.js";
import { count, duration, mainOf, readable } from "../../tools/words.js";
import { wordChanges } from "./changes.js";
import { cook } from "./cook.js";
import { ingredientList, tokensOf } from "./ingredients.js";
import { neighbours } from "./near.js";
import { servingsStepper } from "./servings.js";
import { stepList } from "./steps.js";
import { swapPanel } from "./swap.js";

export function recipeView() {
  const element = h("article", { class: "recipe", "aria-busy": "true" });
  const view = { element, title: "Recipe", enter, leave, holds: ([id]) => id === shown?.id };
  const leaving = new AbortController();
  let shown = null; // {id, follow}

  async function enter([id, what], parameters) {
    const times = Number(parameters.get("times")) || 1;
    if (id === shown?.id) return shown.follow(what, times);
    try {
      const entry = await api.recipe(id ?? "", leaving.signal);
      shown = { id, follow: open(element, id, entry) };
      view.title = entry.recipe.title;
      if (element.isConnected) document.title = `${entry.recipe.title} · Chef`;
      shown.follow(what, times);
    } catch (error) {
      if (error.name === "AbortError") return;
      put(element, back(), h("div", { class: "empty" }, h("h1", {}, "Recipe not found"), h("p", {}, error.message)));
    }
    element.removeAttribute("aria-busy");
  }

  function leave() {
    leaving.abort();
    shown?.follow();
  }

  return view;
}

const back = () => h("a", { class: "back", href: "#/" }, icon("back"), "All recipes");
const lineOf = (item) => (typeof item === "string" ? item : item.line);

/**
 * The state of an open recipe is a list of dishes: the one of the collection, then each change made to it; and how
 * many times its servings are wanted. Returns `follow(what, times)`: do what the address says.
 */
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
  const stepper = servingsStepper(entry.recipe.servings, (factor) => {
    const search = factor === 1 ? "" : `?times=${Math.round(factor * 1000) / 1000}`;
    history.replaceState(null, "", `${addressOf(id)}${search}`);
    scaleTo(factor);
  });
  const own = ownNote(id, entry.recipe);
  const actions = {
    undo,
    cook: () => (location.hash = `${addressOf(id)}/cook${times === 1 ? "" : `?times=${times}`}`),
  };
  let times = 1;
  let lines = new Map(); // scaled ingredient lines by the written ones
  let cooking = null;

  function changed(dish) {
    dishes.push(dish);
    scaleTo(times);
    // On a phone the panel is far below what has changed.
    if (hero.getBoundingClientRect().bottom < 0) hero.scrollIntoView();
    say(`${dish.how}. Changes are highlighted.`);
  }

  function undo() {
    if (dishes.length > 1) dishes.pop();
    draw();
    say("Change undone.");
  }

  async function scaleTo(factor) {
    times = factor;
    const written = [...new Set(dishes.flatMap(({ recipe }) => recipe.ingredients.map(lineOf)))];
    try {
      const scaled = factor === 1 ? written : (await api.scale(written, factor)).lines;
      if (times !== factor) return;
      lines = new Map(written.map((line, i) => [line, scaled[i]]));
      draw();
    } catch (error) {
      complain(error);
    }
  }

  const scaled = (recipe) => ({
    ...recipe,
    ingredients: recipe.ingredients.map((item) => {
      const line = lines.get(lineOf(item)) ?? lineOf(item);
      return typeof item === "string" ? line : { ...item, line };
    }),
  });

  function draw() {
    const old = dishes.length > 1 ? scaled(dishes[0].recipe) : null;
    const dish = { ...now(), recipe: scaled(now().recipe) };
    const held = stepper.element.contains(document.activeElement) && document.activeElement;
    put(hero, head(id, dishes, actions));
    put(
      body,
      ingredientList(dish, old, panel.choose, stepper.element).element,
      stepList(dish, old, times === 1 ? null : "Amounts in the steps are as written."),
      written(now().recipe),
      own,
    );
    if (held) held.focus();
    if (shownNear === now()) return;
    shownNear = now();
    near.show(now()); // before the panel, whose ideas take the service longer
    panel.refresh();
  }
  let shownNear = null;

  function follow(what, factor = times) {
    if (factor !== times) {
      stepper.set(factor);
      scaleTo(factor);
    }
    if (what === "cook" && !cooking) {
      const dish = scaled(now().recipe);
      document.title = `Cooking ${dish.title} · Chef`;
      cooking = cook(dish, dish.ingredients.map(lineOf), () => {
        cooking = null;
        document.title = `${dish.title} · Chef`;
        if (location.hash.split("?")[0].endsWith("/cook")) history.back();
      });
    } else if (what !== "cook") cooking?.close();
  }

  put(element, back(), h("div", { class: "recipe-grid" }, hero, body, panel.element, near.element));
  draw();
  return follow;
}

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

function head(id, dishes, { undo, cook: start }) {
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

/** The cook's own note, saved when one leaves it. */
function ownNote(id, recipe) {
  const section = h("section", { class: "own-note" });
  const mark = () => section.classList.toggle("blank", !area.value.trim()); // not printed
  const area = h("textarea", { id: "own-note", rows: 3, placeholder: "Next time …" }, recipe.own_note ?? "");
  const state = h("small", { class: "muted", role: "status" });
  area.addEventListener("change", async () => {
    try {
      await api.edit(id, { own_note: area.value.trim() || null });
      recipe.own_note = area.value.trim() || null;
      state.textContent = "Saved.";
    } catch (error) {
      complain(error);
    }
  });
  area.addEventListener("input", () => ((state.textContent = ""), mark()));
  mark();
  return put(section, h("h2", {}, h("label", { for: "own-note" }, "My notes")), area, state);
}

/** What else the author wrote: notes, tags, and where it is from. */
function written(recipe) {
  const parts = [
    recipe.notes?.length && [h("h2", {}, "Notes"), recipe.notes.map((text) => h("p", {}, text))],
    recipe.tags?.length &&
      h(
        "ul",
        { class: "tags", "aria-label": "Tags" },
        recipe.tags.map((tag) => h("li", {}, h("a", { href: `#/?tag=${encodeURIComponent(tag)}` }, tag))),
      ),
    source(recipe),
  ].filter(Boolean);
  return parts.length ? h("section", { class: "written" }, parts) : null;
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
