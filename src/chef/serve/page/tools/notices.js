// What the page tells: politely to screen readers, and as a note at the bottom of the window.

import { h } from "./dom.js";

let fading = 0;

/** Tell a screen reader, without showing anything. */
export function say(text) {
  const region = document.getElementById("said");
  region.textContent = "";
  // A region that changes twice in one breath is read once.
  requestAnimationFrame(() => (region.textContent = text));
}

/** Show a note for a while; `undo` adds a button. */
export function note(text, { bad = false, undo = null } = {}) {
  const place = document.getElementById("note");
  clearTimeout(fading);
  const button = undo && h("button", { class: "link", onclick: () => (hide(), undo()) }, "Undo");
  place.replaceChildren(h("p", { class: bad ? "bad" : null }, text), ...(button ? [button] : []));
  place.setAttribute("role", bad ? "alert" : "status");
  place.hidden = false;
  fading = setTimeout(hide, bad ? 9000 : 6000);
}

function hide() {
  document.getElementById("note").hidden = true;
}

/** The message of an error that a person can read; errors of a search given up on say nothing. */
export function complain(error) {
  if (error.name === "AbortError") return;
  note(error.message, { bad: true });
}
