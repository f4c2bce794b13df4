// Servings: a stepper that scales the amounts of the ingredient list.

import { h, icon, put } from "../../tools/dom.js";
import { say } from "../../tools/notices.js";

const FACTORS = [0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 10]; // where the recipe says nothing of servings

/** The first number of "4 to 6 servings", or null. */
const numberOf = (servings) => {
  const number = Number.parseFloat(/\d+(?:\.\d+)?/.exec(servings ?? "")?.[0]);
  return number > 0 ? number : null;
};

/** The stepper; `changed(factor)` after each change. Has `element` and `set(factor)`. */
export function servingsStepper(servings, changed) {
  const base = numberOf(servings);
  const words = base && servings.replace(/^\D*\d+(?:\.\d+)?(?:\s*(?:-|–|to)\s*\d+)?\s*/, "").slice(0, 30);
  const value = h("output", {});
  let factor = 1;

  function step(by) {
    const [now, least] = base ? [base * factor, 1] : [FACTORS.indexOf(factor), 0];
    const next = Math.max(least, base ? Math.round(now + by) : Math.min(FACTORS.length - 1, now + by));
    set(base ? next / base : FACTORS[next]);
    changed(factor);
    say(value.textContent);
  }

  function set(next) {
    factor = base || FACTORS.includes(next) ? next : 1;
    const number = Math.round(base * factor * 10) / 10;
    value.textContent = base ? `${number} ${words || (number === 1 ? "serving" : "servings")}` : `${factor} ×`;
    back.hidden = factor === 1;
  }

  const button = (sign, by, label) =>
    h("button", { type: "button", class: "round", "aria-label": label, onclick: () => step(by) }, sign);
  const back = h(
    "button",
    {
      type: "button",
      class: "round",
      "aria-label": "As written",
      title: "As written",
      onclick: () => (set(1), changed(1)),
    },
    icon("undo"),
  );
  const element = h("div", { class: "servings", role: "group", "aria-label": "Servings" });
  put(element, button("−", -1, "Fewer servings"), value, button("+", 1, "More servings"), back);
  set(1);
  return { element, set };
}
