// Chips: the words of one filter, a cross on each, and a button that opens an input for the next.

import { completed } from "../../tools/complete.js";
import { h, icon, put } from "../../tools/dom.js";
import { readable } from "../../tools/words.js";

/**
 * One filter as chips. `label` stands on the button ("with"), `hint` in the input, `options` completes,
 * `single` keeps one word at most, `several` takes a whole line ("rice, eggs and two onions"), `changed()` is called
 * after each change. Has `values` and `set(values)`.
 */
export function chips({ kind, label, hint, options, single = false, several = false, changed }) {
  const list = h("span", { class: "chip-list" });
  const element = h("span", { class: `chips ${kind}`, role: "group", "aria-label": hint }, list);
  const input = h("input", {
    type: "text",
    class: "chip-input",
    placeholder: hint,
    "aria-label": hint,
    enterkeyhint: "done",
  });
  const field = completed(input, { options, pick: add });
  const opener = h("button", { type: "button", class: "chip opener", onclick: () => open(true) }, icon("add"), label);
  let values = [];
  let isOpen = false;

  function add(value) {
    const words = several ? value.split(/[,;\n]|\band\b/).map((word) => word.trim()) : [value];
    values = single ? [value] : [...new Set([...values, ...words.filter(Boolean)])];
    open(!single);
    changed();
  }

  function drop(value) {
    values = values.filter((other) => other !== value);
    draw();
    opener.focus();
    changed();
  }

  function open(now) {
    isOpen = now;
    draw();
    if (isOpen) input.focus();
  }

  const chip = (value) =>
    h(
      "span",
      { class: "chip" },
      h("small", {}, label),
      readable(value),
      h(
        "button",
        { type: "button", "aria-label": `Remove filter: ${label} ${readable(value)}`, onclick: () => drop(value) },
        icon("close"),
      ),
    );

  function draw() {
    put(list, values.map(chip));
    // The input stays where it is: taken out for a moment, it would lose the focus.
    const last = isOpen ? field : single && values.length ? null : opener;
    for (const other of [field, opener]) if (other !== last) other.remove();
    if (last && !last.isConnected) element.append(last);
  }

  input.addEventListener("blur", () => {
    if (input.value.trim()) add(input.value.trim());
    isOpen = false;
    // The click that took the focus away must still find its target.
    setTimeout(() => !isOpen && draw(), 120);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) {
      event.preventDefault();
      input.value = "";
      open(false);
      opener.focus();
    } else if (event.key === "Backspace" && !input.value && values.length) {
      values = values.slice(0, -1);
      open(true);
      changed();
    }
  });
  draw();
  return {
    element,
    get values() {
      return values;
    },
    set(next) {
      values = next;
      draw();
    },
    open: () => open(true),
  };
}
