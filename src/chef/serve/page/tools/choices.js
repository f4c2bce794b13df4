// What can be completed: the collection's own ingredients, groups of them, and tags.

import { vocabulary } from "./api.js";
import { readable } from "./words.js";

const MOST = 8;

const starts = (label, text) =>
  label.startsWith(text) ? 2 : label.split(" ").some((word) => word.startsWith(text)) ? 1 : 0;

// Best match first, then the most used.
function best(choices, text) {
  const scored = choices
    .map((choice) => ({ ...choice, fit: starts(choice.label.toLowerCase(), text) }))
    .filter((choice) => choice.fit);
  return scored.sort((a, b) => b.fit - a.fit || b.weight - a.weight).slice(0, MOST);
}

const ofIngredients = (known) =>
  known.ingredients.map(({ token, count }) => ({
    value: token,
    label: readable(token),
    note: String(count),
    weight: count,
  }));

const ofGroups = (known) =>
  known.groups.map((name) => ({ value: name, label: readable(name), note: "group", weight: 0.5 }));

/** Ingredients that begin with the text; for filters the groups (nuts, dairy) too. */
export async function ingredientChoices(text, { groups = false } = {}) {
  const known = await vocabulary();
  return best(groups ? [...ofIngredients(known), ...ofGroups(known)] : ofIngredients(known), text);
}

/** Groups first: one leaves out "nuts" more often than one nut. */
export async function withoutChoices(text) {
  const known = await vocabulary();
  const groups = best(ofGroups(known), text);
  return [...groups, ...best(ofIngredients(known), text)].slice(0, MOST);
}

/** Tags that begin with the text. */
export async function tagChoices(text) {
  const known = await vocabulary();
  return best(
    known.tags.map(({ tag, count }) => ({ value: tag, label: tag, note: String(count), weight: count })),
    text,
  );
}
