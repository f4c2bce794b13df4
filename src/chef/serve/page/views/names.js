// The names view: are two names one ingredient? The same decisions file as `chef canonical review`, one key each.

import * as api from "../tools/api.js";
import { h, icon, put } from "../tools/dom.js";
import { complain, say } from "../tools/notices.js";
import { count } from "../tools/words.js";

const AT_ONCE = 40;

export function namesView() {
  const board = h("div", { class: "pair-board" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Decided" });
  const status = h("p", { class: "status" });
  const element = h(
    "div",
    { class: "names" },
    h("h1", {}, "One ingredient or two?"),
    h(
      "p",
      { class: "lead" },
      "Merge names of the same food, so that “scallions” also finds “spring onions”. ",
      "Your answers are saved; run chef canonical build to apply them.",
    ),
    h("div", { class: "names-progress" }, bar, status),
    board,
  );
  let pairs = [];
  let skipped = 0;
  const done = []; // what was decided here, for undo
  let isBusy = false;

  async function load() {
    try {
      const answer = await api.proposals(skipped, AT_ONCE);
      pairs = answer.proposals;
      progress(answer);
      draw();
    } catch (error) {
      put(board, h("div", { class: "empty" }, h("p", {}, error.message)));
    }
  }

  function progress({ done: decided, total }) {
    bar.max = Math.max(1, total);
    bar.value = decided;
    status.textContent = `${decided.toLocaleString("en")} of ${count(total, "pair")} decided`;
  }

  const button = (key, text, name, act) =>
    h("button", { type: "button", class: name, onclick: act, "aria-keyshortcuts": key }, text, h("kbd", {}, key));

  function draw() {
    const pair = pairs[0];
    const undo = button("u", "Undo", "link", takeBack);
    undo.disabled = !done.length;
    if (!pair) {
      put(
        board,
        h(
          "div",
          { class: "empty" },
          icon("check"),
          h("p", {}, skipped ? "Only the pairs you skipped are left." : "All done: every pair is decided."),
          undo,
        ),
      );
      return;
    }
    put(
      board,
      h(
        "div",
        { class: "pair" },
        side(pair.a, pair.count_a),
        h("span", { class: "pair-sign", "aria-hidden": "true" }, "="),
        side(pair.b, pair.count_b),
      ),
      h("p", { class: "muted" }, pair.reasons.map(reason).join("; ")),
      h(
        "div",
        { class: "buttons" },
        button("y", "Same ingredient", "strong", () => decide("accept")),
        button("n", "Different", "quiet", () => decide("reject")),
        button("s", "Skip", "quiet", skip),
        undo,
      ),
    );
    say(`${pair.a} and ${pair.b}: the same ingredient?`);
  }

  const side = (name, lines) => h("div", {}, h("b", {}, name), h("small", { class: "muted" }, count(lines, "line")));

  function decide(verdict) {
    const pair = pairs[0];
    if (!pair) return;
    return doing(async () => {
      progress(await api.decide(pair.a, pair.b, verdict));
      done.push(pair);
      pairs.shift();
    });
  }

  function skip() {
    if (isBusy || !pairs.length) return;
    skipped++;
    pairs.shift();
    next();
  }

  function takeBack() {
    const pair = done.at(-1);
    if (!pair) return;
    return doing(async () => {
      progress(await api.decide(pair.a, pair.b, "undo"));
      done.pop();
      pairs.unshift(pair);
    });
  }

  async function doing(work) {
    if (isBusy) return;
    isBusy = true;
    try {
      await work();
    } catch (error) {
      complain(error);
    }
    isBusy = false;
    next();
  }

  const next = () => (pairs.length ? draw() : load());

  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea")) return;
    const act = { y: () => decide("accept"), n: () => decide("reject"), s: skip, u: takeBack }[
      event.key.toLowerCase()
    ];
    if (act) {
      event.preventDefault();
      act();
    }
  }

  return {
    element,
    title: "Names",
    enter() {
      addEventListener("keydown", keys);
      load();
    },
    leave() {
      removeEventListener("keydown", keys);
    },
  };
}

// "words: soy sauce" -> "they share soy sauce".
function reason(text) {
  const [kind, ...rest] = text.split(": ");
  const what = rest.join(": ");
  const said = {
    words: "they share words",
    food: `the same food: ${what}`,
    qualifier: what ? `differ only by “${what}”` : "differ only by a qualifier",
    vectors: `used in similar recipes${what ? ` (${what})` : ""}`,
  };
  return said[kind] ?? text;
}
