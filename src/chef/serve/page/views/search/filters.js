// The filters of a search: with, without, mainly, tags, how many ingredients, and what is in the cupboard.

import { ingredientChoices, tagChoices, withoutChoices } from "../../tools/complete.js";
import { h, icon } from "../../tools/dom.js";
import { chips } from "./chips.js";

const ALLERGY_NOTICE =
  "Filters read the words of a recipe; they cannot know traces or brands and are no allergy advice.";
const SIZES = [5, 7, 10, 12, 15];

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
  const pantry = chips({
    kind: "pantry",
    label: "I have",
    hint: "Add something you have",
    options: ingredientChoices,
    changed,
  });
  const size = h(
    "select",
    { class: "chip", "aria-label": "Number of ingredients", onchange: changed },
    h("option", { value: "" }, "ingredients: any"),
    SIZES.map((n) => h("option", { value: n }, `up to ${n} ingredients`)),
  );
  const cupboard = h(
    "div",
    { class: "cupboard", hidden: true },
    h("p", {}, icon("basket"), "Cook with what I have:"),
    pantry.element,
    h("small", { class: "muted" }, "Salt, pepper, water and oil never count as missing."),
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

  const notice = h("p", { class: "allergy-notice muted", hidden: true }, ALLERGY_NOTICE);
  const remind = () => (notice.hidden = !fields.without.values.length);

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
        size,
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
        tags: fields.tag.values,
        pantry: pantry.values,
      };
      const set = Object.fromEntries(Object.entries(all).filter(([, values]) => values.length));
      if (fields.main.values.length) set.main = fields.main.values[0];
      if (size.value) set.max_ingredients = Number(size.value);
      return set;
    },

    /** The same for the address, and back. */
    parameters() {
      const parameters = new URLSearchParams();
      for (const [name, field] of [...Object.entries(fields), ["have", pantry]])
        for (const value of field.values) parameters.append(name, value);
      if (size.value) parameters.set("most", size.value);
      return parameters;
    },
    read(parameters) {
      for (const [name, field] of Object.entries(fields)) field.set(parameters.getAll(name));
      pantry.set(parameters.getAll("have"));
      size.value = SIZES.includes(Number(parameters.get("most"))) ? parameters.get("most") : "";
      remind();
      reveal(pantry.values.length > 0, false);
    },
  };
}
