// Completion under an input: arrow keys, Enter, Escape, mouse and screen reader (the combobox pattern).

import { vocabulary } from "./api.js";
import { h, put } from "./dom.js";
import { readable } from "./words.js";

let lists = 0;

/**
 * Give an input a list of completions.
 * options(text) -> a promise of [{value, label, note}]; pick(value) is called with the chosen one, or with what
 * was typed when nothing in the list is chosen; `eager` shows the list before anything is typed. Returns the element
 * that holds both.
 */
export function completed(input, { options, pick, eager = true }) {
  const id = `options-${++lists}`;
  const list = h("ul", {
    id,
    role: "listbox",
    class: "options",
    hidden: true,
    "aria-label": input.getAttribute("aria-label"),
  });
  let shown = [];
  let at = -1;
  let asked = 0;

  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": id,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  }))
    input.setAttribute(name, value);

  async function open() {
    const mine = ++asked;
    if (!eager && !input.value.trim()) return reveal(false);
    const choices = await options(input.value.trim().toLowerCase()).catch(() => []);
    if (mine !== asked || document.activeElement !== input) return;
    shown = choices;
    at = -1;
    put(
      list,
      choices.map((option, i) =>
        h(
          "li",
          {
            id: `${id}-${i}`,
            role: "option",
            "aria-selected": "false",
            onpointerdown: (event) => (event.preventDefault(), take(option.value)),
          },
          h("span", {}, option.label),
          option.note && h("small", {}, option.note),
        ),
      ),
    );
    reveal(choices.length > 0);
    move(0);
  }

  function reveal(visible) {
    list.hidden = !visible;
    input.setAttribute("aria-expanded", String(visible));
    if (!visible) input.removeAttribute("aria-activedescendant");
  }

  function move(by) {
    const items = [...list.children];
    if (by) at = (at + by + items.length + 1) % (items.length + 1);
    // The place after the last stands for "as typed".
    if (at === items.length) at = -1;
    items.forEach((item, i) => item.setAttribute("aria-selected", String(i === at)));
    if (at < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", items[at].id);
    items[at].scrollIntoView({ block: "nearest" });
  }

  function take(value) {
    reveal(false);
    asked++;
    input.value = "";
    pick(value);
  }

  input.addEventListener("input", open);
  input.addEventListener("focus", open);
  input.addEventListener("blur", () => reveal(false));
  input.addEventListener("keydown", (event) => {
    const typed = input.value.trim();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) open();
      else move(event.key === "ArrowDown" ? 1 : at < 0 ? list.children.length : -1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (at >= 0 && !list.hidden) take(shown[at].value);
      else if (typed) {
        const same = shown.find((option) => option.label.toLowerCase() === typed.toLowerCase());
        if (same) take(same.value);
        else take(typed);
      }
    } else if (event.key === "Escape") {
      asked++; // a list still on its way stays away
      if (list.hidden) return;
      event.preventDefault();
      reveal(false);
    }
  });
  return h("span", { class: "completed" }, input, list);
}

// What can be completed: the collection's own ingredients, groups of them, and tags.

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
