// The search view: photo, words and filters in, cards out. The address holds the query, so links can be shared.

import { card, walkable } from "../../card.js";
import * as api from "../../tools/api.js";
import { h, put } from "../../tools/dom.js";
import { say } from "../../tools/notices.js";
import { count } from "../../tools/words.js";
import { filters } from "./filters.js";
import { photoSlot } from "./photo.js";

const PAGE = 24;
const [MOST_HITS, MOST_ROWS] = [100, 500]; // the service gives no more in one go
const DOUBT = {
  none: "No good match: these are only the nearest.",
  weak: "Perhaps no good match: these are the nearest.",
};
const PAUSE = 220; // milliseconds of not typing before the search begins

export function searchView() {
  const words = h("input", {
    id: "words",
    type: "search",
    placeholder: "lamb stew, lentil soup …",
    "aria-label": "What would you like to eat?",
    autocomplete: "off",
    enterkeyhint: "search",
    maxlength: 500,
  });
  const photo = photoSlot(() => later(0));
  const chosen = filters(() => later(0));
  const understood = h("p", { class: "understood", hidden: true });
  const cards = walkable(h("ul", { class: "cards" }));
  const status = h("p", { class: "status", id: "status" });
  const doubt = h("p", { class: "doubt", hidden: true });
  const trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  const more = h(
    "button",
    {
      type: "button",
      class: "quiet more",
      hidden: true,
      onclick: () => run(Math.min(wanted + PAGE, isEmpty() ? MOST_ROWS : MOST_HITS)),
    },
    "Show more",
  );
  const results = h(
    "section",
    { class: "results", "aria-label": "Results", "aria-describedby": "status" },
    h("h2", { class: "hidden" }, "Recipes"),
    trouble,
    status,
    doubt,
    cards,
    more,
  );
  let waiting = 0;
  let running = null; // the search that is on its way
  let wanted = PAGE;
  let began = false;

  const form = h(
    "form",
    { role: "search", class: "ask-box", onsubmit: (event) => (event.preventDefault(), later(0)) },
    photo.buttons,
    words,
    h("button", { class: "strong go" }, "Search"),
  );
  words.addEventListener("input", () => later(PAUSE));
  words.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") cards.querySelector(".card-link")?.focus();
    if (event.key === "Escape" && words.value) {
      event.preventDefault();
      words.value = "";
      later(0);
    }
  });
  document.addEventListener("collection", () => (began = false));

  const element = h(
    "div",
    { class: "search" },
    h(
      "section",
      { class: "ask" },
      h("h1", {}, "What are we cooking?"),
      h("p", { class: "lead" }, "Search with a photo, a few words, or the ingredients you have at home."),
      form,
      photo.preview,
      understood,
      chosen.element,
    ),
    results,
  );

  function later(pause) {
    clearTimeout(waiting);
    waiting = setTimeout(() => run(PAGE), pause);
  }

  const query = () => ({
    ...(words.value.trim() && { text: words.value.trim() }),
    ...chosen.query(),
    ...photo.weights(words.value.trim()),
  });

  const address = () => {
    const parameters = chosen.parameters();
    if (words.value.trim()) parameters.set("q", words.value.trim());
    return parameters.size ? `#/?${parameters}` : "#/";
  };

  async function run(size) {
    began = true;
    wanted = size;
    running?.abort();
    const mine = (running = new AbortController());
    // A click on a card changes the address before it changes the view: that address stays.
    if (element.isConnected && /^(#\/?)?(\?|$)/.test(location.hash)) {
      history.replaceState(null, "", address());
      document.title = `${title()} · Chef`;
    }
    results.setAttribute("aria-busy", "true");
    element.classList.toggle("asked", !isEmpty());
    try {
      const answer = isEmpty()
        ? await api.browse(0, size, mine.signal)
        : await api.search({ ...query(), ...chosen.options(), k: size }, photo.blob, mine.signal);
      show(answer, size);
    } catch (error) {
      if (error.name !== "AbortError") fail(error);
    }
    if (mine === running) results.removeAttribute("aria-busy");
  }

  const isEmpty = () => !photo.blob && Object.keys(query()).length === 0;

  function show(answer, size) {
    const hits = answer.hits ?? answer.recipes;
    const before = cards.querySelectorAll(".card").length;
    const wasMore = document.activeElement === more;
    trouble.hidden = true;
    explain(answer.understood ?? null);
    const { without = [], diet = null } = query();
    api.inForce.without = [...without, ...(answer.understood?.without ?? [])];
    api.inForce.diet = diet ?? answer.understood?.diet ?? null;
    const shown = hits.map((hit) => card(hit));
    if (answer.fitting > 0 && answer.fitting < hits.length)
      shown.splice(answer.fitting, 0, h("li", { class: "only-near" }, "Only near"));
    put(cards, shown);
    more.hidden = answer.hits
      ? hits.length < size || size >= MOST_HITS
      : hits.length >= answer.total || size >= MOST_ROWS;
    // Who asked for more goes on reading there.
    if (wasMore && hits.length > before)
      cards.querySelectorAll(".card")[before].querySelector("a").focus({ preventScroll: true });
    status.textContent = answer.hits
      ? summary(hits.length, answer.total)
      : `${count(answer.total, "recipe")} in this collection`;
    const asks = Boolean(words.value.trim() || photo.blob);
    doubt.textContent = (asks && hits.length && DOUBT[answer.match]) || "";
    doubt.hidden = !doubt.textContent;
    say(`${doubt.textContent} ${status.textContent}`.trim());
  }

  /** The filters that the words ask for, as chips; removing one takes it out of the words. */
  function explain(asked) {
    chosen.understood(asked);
    understood.hidden = !asked;
    if (!asked) return;
    const parts = [...(asked.diet ? [asked.diet] : []), ...asked.without.map((name) => `without ${name}`)];
    const read = Object.entries(asked.corrected).map(([given, meant]) => `“${given}” read as ${meant}`);
    const notes = [...read, ...asked.unknown.map((word) => `no recipe knows “${word}”`)].join("; ");
    const remove = (part) => {
      words.value = [asked.text, ...parts.filter((other) => other !== part)].filter(Boolean).join(" ");
      words.focus();
      later(0);
    };
    put(
      understood,
      notes && h("span", { class: "muted" }, notes, parts.length ? ". " : ""),
      parts.length ? h("span", { class: "muted" }, "Understood as: ") : null,
      parts.map((part) =>
        h(
          "button",
          { type: "button", class: "chip", "aria-label": `Remove the filter ${part}`, onclick: () => remove(part) },
          part,
          h("span", { "aria-hidden": "true" }, " ×"),
        ),
      ),
    );
  }

  function summary(hits, total) {
    if (!hits) return "No recipes found. Try other words, or remove a filter.";
    if (total === null || hits >= total) return count(hits, "recipe");
    return words.value.trim() || photo.blob
      ? `The best ${hits} of ${count(total, "recipe")}`
      : `${count(total, "recipe")}, the first ${hits} here`;
  }

  function fail(error) {
    trouble.textContent = error.message;
    trouble.hidden = false;
    status.textContent = "";
    doubt.hidden = true;
    put(cards);
    more.hidden = true;
  }

  const title = () => words.value.trim() || (isEmpty() ? "Recipes" : photo.blob ? "By photo" : "Search");

  return {
    element,
    get title() {
      return title();
    },
    address,
    enter(rest, parameters, fromElsewhere) {
      const same =
        began &&
        (fromElsewhere ? parameters.size === 0 || `#/?${parameters}` === address() : location.hash === address());
      if (same) return history.replaceState(null, "", address());
      words.value = parameters.get("q") ?? "";
      chosen.read(parameters);
      photo.clear();
      run(PAGE);
    },
    take(files) {
      photo.take(files[0].file);
    },
  };
}
