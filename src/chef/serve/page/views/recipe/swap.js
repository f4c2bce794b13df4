// "What if": swap an ingredient for another, with suggestions, or leave the least important ones out.

import * as api from "../../tools/api.js";
import { completed, ingredientChoices } from "../../tools/complete.js";
import { h, icon, put } from "../../tools/dom.js";
import { complain, note } from "../../tools/notices.js";
import { count, listed, readable, SURE } from "../../tools/words.js";
import { tokensOf } from "./ingredients.js";

const NEIGHBOURS = 7;

/**
 * The panel. `dish()` is the recipe as the service wants it, `current()` the dish shown, `changed(dish)` takes the new
 * one. Has `choose(token)` and `refresh()`.
 */
export function swapPanel({ dish, current, changed }) {
  const from = h("select", { id: "swap-from", onchange: () => suggest() });
  const to = h("input", {
    id: "swap-to",
    type: "text",
    placeholder: "another ingredient",
    "aria-label": "Replacement",
    enterkeyhint: "go",
  });
  const ideas = h("div", { class: "ideas", "aria-live": "polite" });
  const go = h("button", { class: "strong" }, icon("swap"), "Swap");
  const target = completed(to, { options: ingredientChoices, eager: false, pick: (value) => swap(value) });
  const form = h(
    "form",
    { class: "swap-form", onsubmit: (event) => (event.preventDefault(), swap(to.value.trim())) },
    h("label", { for: "swap-from" }, "Replace"),
    from,
    h("label", { for: "swap-to" }, "with"),
    target,
    go,
  );
  const simpler = h("div", { class: "simpler" });
  const element = h(
    "section",
    { class: "what-if", "aria-labelledby": "what-if-title" },
    h("h2", { id: "what-if-title" }, "What if …"),
    form,
    ideas,
    simpler,
  );
  let asking = null;

  function refresh() {
    const before = from.value;
    const known = tokensOf(current());
    put(
      from,
      known.map((token) => h("option", { value: token }, readable(token))),
    );
    from.value = known.includes(before) ? before : (current().about.main_ingredient ?? known[0] ?? "");
    element.hidden = !known.length;
    put(simpler, known.length > 2 ? prunes(known.length) : null);
    suggest();
  }

  async function suggest() {
    asking?.abort();
    if (!from.value) return put(ideas);
    const mine = (asking = new AbortController());
    put(ideas, h("p", { class: "muted" }, "Looking for ideas …"));
    try {
      const { suggestions } = await api.suggestions(dish(), from.value, 6, mine.signal);
      put(
        ideas,
        suggestions.length
          ? [
              h("p", { class: "muted" }, `Instead of ${readable(from.value)}:`),
              h("ul", { class: "idea-list" }, suggestions.map(idea)),
              keeps(api.inForce),
              reasons(suggestions),
            ]
          : h("p", { class: "muted" }, "No suggestions. Type an ingredient to try it."),
      );
    } catch (error) {
      if (error.name !== "AbortError") put(ideas, h("p", { class: "muted" }, error.message));
    }
  }

  const idea = ({ token, evidence }) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "chip idea", title: evidence.join("; "), onclick: () => swap(token) },
        readable(token),
      ),
    );

  async function busy(work) {
    element.setAttribute("aria-busy", "true");
    for (const button of element.querySelectorAll("button")) button.disabled = true;
    try {
      await work();
    } catch (error) {
      complain(error);
    }
    element.removeAttribute("aria-busy");
    for (const button of element.querySelectorAll("button")) button.disabled = false;
  }

  function swap(word) {
    const old = from.value;
    if (!word || !old) return to.focus();
    return busy(async () => {
      to.value = "";
      const answer = await api.swap(dish(), old, word, NEIGHBOURS);
      const about = { ...answer.explanation, actions: actionsOf(answer.explanation) };
      changed({
        recipe: answer.recipe,
        about,
        how: `${readable(word)} instead of ${readable(old)}`,
        hits: answer.hits,
        photos: answer.photos,
        notes: answer.notes,
      });
    });
  }

  const prunes = (known) => [
    h("p", { id: "simpler-title" }, "Simplify: leave out what matters least"),
    h(
      "div",
      { role: "group", "aria-labelledby": "simpler-title" },
      [1, 2, 3, 4]
        .filter((k) => k < known)
        .map((k) => {
          const label = `Leave out ${count(k, "ingredient")}`;
          const attributes = { type: "button", class: "chip", "aria-label": label, onclick: () => prune(k) };
          return h("button", attributes, icon("scissors"), k);
        }),
    ),
  ];

  const prune = (k) =>
    busy(async () => {
      const answer = await api.prune(dish(), k);
      if (!answer.removed.length) return note(answer.note);
      const explanation = await api.explain(answer.recipe);
      changed({
        recipe: answer.recipe,
        about: { ...explanation, actions: actionsOf(explanation) },
        how: `without ${listed(answer.removed)}`,
        notes: [
          ...answer.removed.map((token, at) => `Without ${readable(token)}: ${answer.reasons[at]}.`),
          ...(answer.note ? [answer.note] : []),
        ],
      });
    });

  return {
    element,
    refresh,
    choose(token) {
      from.value = token;
      suggest();
      element.scrollIntoView({ block: "nearest", behavior: "smooth" });
      to.focus({ preventScroll: true });
    },
  };
}

const keeps = ({ without, diet }) => {
  const parts = [...(diet ? [diet] : []), ...without.map((name) => `without ${name}`)];
  return parts.length ? h("p", { class: "muted" }, `Suggestions keep to your filters: ${parts.join(", ")}.`) : null;
};

const reasons = (suggestions) =>
  h(
    "details",
    {},
    h("summary", {}, "Why these?"),
    h(
      "dl",
      {},
      suggestions.map(({ token, evidence }) => [
        h("dt", {}, readable(token)),
        evidence.map((one) => h("dd", {}, one)),
      ]),
    ),
  );

const actionsOf = ({ steps }) => [
  ...new Set(steps.filter((step) => step.confidence >= SURE).map((step) => step.action)),
];
