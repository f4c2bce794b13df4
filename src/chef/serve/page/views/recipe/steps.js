// The steps: each sentence with its action word in colour, and its tree underneath when asked for.

import { h, icon, put } from "../../tools/dom.js";
import { kindOf, placeOf, SURE } from "../../tools/words.js";
import { drawnTree } from "../../tree.js";
import { lineChanges, wordChanges } from "./changes.js";

const KINDS = { heat: "heat", cut: "cut", mix: "mix", rest: "rest and serve", other: "other" };
let trees = 0;

const textOf = (step) => (typeof step === "string" ? step : step.text);

/** `old` is the recipe before it was changed, or null; `hint` is said above the steps. */
export function stepList(dish, old, hint = null) {
  const steps = dish.recipe.instructions.map((step) => (typeof step === "string" ? { text: step } : step));
  const rows = old
    ? lineChanges(old.instructions.map(textOf), steps.map(textOf))
    : steps.map((step) => ({ old: step.text, now: step.text }));
  const sentences = dealt(steps, dish.about.steps ?? []);
  const openers = [];
  let next = 0;
  let section = null;
  const items = rows.flatMap((row) => {
    if (row.now === undefined) return [h("li", { class: "step gone" }, h("del", {}, row.old))];
    const step = steps[next];
    const heading =
      step.section && step.section !== section ? [h("li", { class: "section" }, h("h3", {}, step.section))] : [];
    section = step.section ?? null;
    return [
      ...heading,
      h(
        "li",
        { class: `step${row.old === row.now ? "" : " changed"}` },
        sentenceList(sentences[next++], row, openers),
      ),
    ];
  });
  const all = h("button", { type: "button", class: "link", onclick: () => everyTree() }, "Show all trees");

  function everyTree() {
    const opening = openers.some((opener) => !opener.isOpen());
    for (const opener of openers) opener.set(opening);
    all.textContent = opening ? "Hide all trees" : "Show all trees";
  }

  // One is open at first, so that people find out that there are trees; on a phone steps need the room.
  if (!old && matchMedia("(min-width: 821px)").matches) openers[0]?.set(true);
  return h(
    "section",
    { class: "steps", "aria-labelledby": "steps-title" },
    h("div", { class: "section-head" }, h("h2", { id: "steps-title" }, "Steps"), openers.length ? all : null),
    legend(dish.about.steps ?? []),
    hint && h("p", { class: "muted" }, hint),
    h("ol", {}, items),
  );
}

// The sentences of the explanation, dealt out to the steps that contain them, in order.
function dealt(steps, sentences) {
  let next = 0;
  return steps.map((step) => {
    const mine = [];
    let from = 0;
    while (next < sentences.length) {
      const at = step.text.indexOf(sentences[next].text, from);
      if (at < 0) break;
      mine.push({ ...sentences[next], before: step.text.slice(from, at) });
      from = at + sentences[next++].text.length;
    }
    return { mine, rest: step.text.slice(from) };
  });
}

function sentenceList({ mine, rest }, row, openers) {
  const fresh = row.old === undefined ? [{ text: row.now, isNew: true }] : wordChanges(row.old, row.now);
  let at = 0; // how far in the step's text
  const take = (length) => piece(fresh, at, (at += length));
  const words = h("p", {});
  const places = [];
  for (const sentence of mine) {
    words.append(...take(sentence.before.length));
    const opener = sentence.tree && treeOpener(sentence);
    const place = sentence.confidence >= SURE ? placeOf(sentence.action, sentence.text) : null;
    const [start, end] = place ?? [0, 0];
    words.append(...take(start));
    if (place) words.append(h("b", { class: `action ${kindOf(sentence.action)}` }, take(end - start)));
    words.append(...take(sentence.text.length - end));
    if (opener) {
      words.append(" ", opener.button);
      places.push(opener.place);
      openers.push(opener);
    }
  }
  words.append(...take(rest.length));
  return [words, places];
}

// The part of a marked text between two places.
function piece(fresh, start, end) {
  const out = [];
  let at = 0;
  for (const { text, isNew } of fresh) {
    const part = text.slice(Math.max(0, start - at), Math.max(0, end - at));
    if (part) out.push(isNew ? h("ins", {}, part) : part);
    at += text.length;
  }
  return out;
}

function treeOpener(sentence) {
  const id = `tree-${++trees}`;
  const place = h("div", { id, class: "step-tree", hidden: true });
  const button = h(
    "button",
    {
      type: "button",
      class: "tree-button",
      "aria-expanded": "false",
      "aria-controls": id,
      "aria-label": `Show the tree for: ${sentence.text}`,
      title: "Show how the model reads this sentence",
      onclick: () => set(place.hidden),
    },
    icon("tree"),
  );
  function set(visible) {
    place.hidden = !visible;
    button.setAttribute("aria-expanded", String(visible));
    if (visible && !place.firstChild)
      put(
        place,
        drawnTree(sentence.tree, {
          kind: "words",
          label: "How the model reads this sentence",
        }).element,
      );
  }
  return { place, button, set, isOpen: () => !place.hidden };
}

function legend(sentences) {
  const sure = sentences.filter((sentence) => sentence.confidence >= SURE);
  const kinds = new Set(sure.map((sentence) => kindOf(sentence.action)));
  if (!kinds.size) return null;
  return h(
    "ul",
    { class: "legend", "aria-label": "Colour key" },
    Object.entries(KINDS)
      .filter(([kind]) => kinds.has(kind))
      .map(([kind, name]) => h("li", { class: `action ${kind}` }, name)),
  );
}
