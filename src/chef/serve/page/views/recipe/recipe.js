// The recipe view: the recipe as cooks write it, with what the model reads in it, and what it could become.

import { addressOf } from "../../card.js";
import * as api from "../../tools/api.js";
import { h, icon, put } from "../../tools/dom.js";
import { complain, say } from "../../tools/notices.js";
import { cook } from "./cook.js";
import { head } from "./head.js";
import { ingredientList, lineOf } from "./ingredients.js";
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

function source(recipe) {
  // Only web addresses become links: a recipe may bring any text as its address.
  const link =
    /^https?:\/\//i.test(recipe.url ?? "") &&
    h("a", { href: recipe.url, rel: "noopener noreferrer", target: "_blank" }, icon("out"), "original recipe");
  const words = [recipe.source, recipe.licence].filter(Boolean).join(" · ");
  return words || link ? h("p", { class: "source muted" }, words, " ", link) : null;
}
