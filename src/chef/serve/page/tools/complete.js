// Completion under an input: arrow keys, Enter, Escape, mouse and screen reader (the combobox pattern).

import { h, put } from "./dom.js";

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
    const found = await options(input.value.trim().toLowerCase()).catch(() => []);
    if (mine !== asked || document.activeElement !== input) return;
    shown = found;
    at = -1;
    put(
      list,
      found.map((option, i) =>
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
    reveal(found.length > 0);
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
