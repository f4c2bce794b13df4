// The filters of a search: with, without, diet, mainly, tags, how many ingredients, and what is in the cupboard.

import { ingredientChoices, tagChoices, withoutChoices } from "../../tools/complete.js";
import { h, icon } from "../../tools/dom.js";
import { chips } from "./chips.js";

const ALLERGY_NOTICE =
  "Filters read the words of a recipe; they cannot know traces or brands and are no allergy advice.";
const SIZES = [5, 7, 10, 12, 15];
const DIETS = ["vegetarian", "vegan", "pescatarian"];

/** All filters; `changed()` after each change. */
export function filters(changed) {
  const anything = (text) => ingredientChoices(text, { groups: true });
  const fields = {
    with: chips({ kind: "with", label: "with", hint: "Add an ingredient", options: anything, changed }),
    without: chips({
      kind: "without",
      label: "without",
      hint: "Leave out an ingredient or group",
      options: withoutChoices,
      changed: () => (remind(), changed()),
    }),
    main: chips({
      kind: "main",
      label: "mainly",
      hint: "Main ingredient",
      options: anything,
      single: true,
      changed,
    }),
    tag: chips({ kind: "tag", label: "tag", hint: "Add a tag", options: tagChoices, changed }),
  };
  const favourites = h(
    "button",
    { type: "button", class: "chip opener", "aria-pressed": "false", onclick: () => like(!isLiked(), true) },
    icon("heart"),
    "favourites",
  );
  const isLiked = () => favourites.getAttribute("aria-pressed") === "true";
  function like(only, byHand) {
    favourites.setAttribute("aria-pressed", String(only));
    if (byHand) changed();
  }
  const pantry = chips({
    kind: "pantry",
    label: "I have",
    hint: "rice, eggs, two onions …",
    options: (text) => (/[,;]/.test(text) ? Promise.resolve([]) : ingredientChoices(text)),
    several: true,
    changed,
  });
  const size = h(
    "select",
    { class: "chip", "aria-label": "Number of ingredients", onchange: changed },
    h("option", { value: "" }, "ingredients: any"),
    SIZES.map((n) => h("option", { value: n }, `up to ${n} ingredients`)),
  );
  const diet = h(
    "select",
    { class: "chip", "aria-label": "Diet", onchange: () => (remind(), changed()) },
    h("option", { value: "" }, "diet: any"),
    DIETS.map((name) => h("option", { value: name }, name)),
  );
  const unsure = h("input", { type: "checkbox", onchange: changed });
  const cupboard = h(
    "div",
    { class: "cupboard", hidden: true },
    h("p", {}, icon("basket"), "Cook with what I have:"),
    pantry.element,
    h(
      "small",
      { class: "muted" },
      "What uses most of it comes first. Salt, pepper, water and oil never count as missing.",
    ),
  );
  const toggle = h(
    "button",
    {
      type: "button",
      class: "chip opener",
      "aria-expanded": "false",
      onclick: () => reveal(cupboard.hidden, true),
    },
    icon("basket"),
    "cook with what I have",
  );

  const notice = h(
    "p",
    { class: "allergy-notice muted", hidden: true },
    ALLERGY_NOTICE,
    " ",
    h("label", {}, unsure, " also show recipes that were not fully understood"),
  );
  let inWords = false; // whether the words of the query ask for such a filter
  const remind = () => (notice.hidden = !(fields.without.values.length || diet.value || inWords));

  function reveal(visible, byHand) {
    cupboard.hidden = !visible;
    toggle.setAttribute("aria-expanded", String(visible));
    if (!byHand) return;
    if (visible) pantry.open();
    else if (pantry.values.length) {
      pantry.set([]);
      changed();
    }
  }

  return {
    element: h(
      "div",
      { class: "filters" },
      h(
        "div",
        { class: "filter-row", role: "group", "aria-label": "Filters" },
        Object.values(fields).map((field) => field.element),
        diet,
        size,
        favourites,
        toggle,
      ),
      notice,
      cupboard,
    ),

    /** The fields of the service's query that are set. */
    query() {
      const all = {
        with: fields.with.values,
        without: fields.without.values,
        tags: [...fields.tag.values, ...(isLiked() ? ["favourite"] : [])],
        pantry: pantry.values,
      };
      const set = Object.fromEntries(Object.entries(all).filter(([, values]) => values.length));
      if (fields.main.values.length) set.main = fields.main.values[0];
      if (size.value) set.max_ingredients = Number(size.value);
      if (diet.value) set.diet = diet.value;
      return set;
    },
    /** What goes with a query and asks for nothing by itself. */
    options: () => (unsure.checked && !notice.hidden ? { include_unsure: true } : {}),
    understood(asked) {
      inWords = Boolean(asked);
      remind();
    },

    /** The same for the address, and back. */
    parameters() {
      const parameters = new URLSearchParams();
      for (const [name, field] of [...Object.entries(fields), ["have", pantry]])
        for (const value of field.values) parameters.append(name, value);
      if (size.value) parameters.set("most", size.value);
      if (diet.value) parameters.set("diet", diet.value);
      if (unsure.checked) parameters.set("unsure", "1");
      if (isLiked()) parameters.set("liked", "1");
      return parameters;
    },
    read(parameters) {
      for (const [name, field] of Object.entries(fields)) field.set(parameters.getAll(name));
      pantry.set(parameters.getAll("have"));
      size.value = SIZES.includes(Number(parameters.get("most"))) ? parameters.get("most") : "";
      diet.value = DIETS.includes(parameters.get("diet")) ? parameters.get("diet") : "";
      unsure.checked = parameters.has("unsure");
      like(parameters.has("liked"), false);
      remind();
      reveal(pantry.values.length > 0, false);
    },
  };
}
