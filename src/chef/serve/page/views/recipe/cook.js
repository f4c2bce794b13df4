// The cooking view: one step at a time in large letters, by button, key or swipe, and the screen stays on.

import { h, icon, put } from "../../tools/dom.js";

const SWIPE = 50; // pixels

/** Keep the screen on -> a function that lets it go. A browser that cannot, or may not, does nothing. */
function awake() {
  let lock = null;
  const hold = () =>
    document.visibilityState === "visible" &&
    navigator.wakeLock?.request("screen").then(
      (got) => (lock = got),
      () => (lock = null), // the battery is low, or the page is not on https
    );
  hold();
  document.addEventListener("visibilitychange", hold); // the lock is lost with the page's visibility
  return () => {
    document.removeEventListener("visibilitychange", hold);
    lock?.release();
  };
}

/** Open the view on a recipe with these ingredient lines; `closed()` when it is left. */
export function cook(recipe, lines, closed) {
  const steps = recipe.instructions.map((step) => (typeof step === "string" ? { text: step } : step));
  const list = () =>
    h(
      "ul",
      {},
      lines.map((line) => h("li", {}, line)),
    );
  const where = h("p", { class: "cook-where", "aria-live": "polite" });
  const text = h("div", { class: "cook-text", tabindex: "-1", "aria-live": "polite" });
  const bar = h("progress", { max: steps.length, "aria-label": "Steps done" });
  const previous = h("button", { type: "button", class: "quiet", onclick: () => go(at - 1) }, icon("back"), "Back");
  const next = h("button", { type: "button", class: "strong", onclick: () => go(at + 1) });
  const dialog = h(
    "dialog",
    { class: "cook", "aria-labelledby": "cook-title" },
    h(
      "header",
      {},
      h("h2", { id: "cook-title" }, recipe.title),
      h(
        "button",
        { type: "button", class: "round", "aria-label": "Stop cooking", onclick: () => dialog.close() },
        icon("close"),
      ),
    ),
    bar,
    where,
    text,
    h("footer", {}, previous, next),
  );
  const release = awake();
  let at = 0; // 0 is what to get ready

  function go(to) {
    if (to > steps.length) return dialog.close();
    at = Math.max(0, to);
    const step = steps[at - 1];
    where.textContent = step
      ? [`Step ${at} of ${steps.length}`, step.section].filter(Boolean).join(" · ")
      : "Get ready";
    put(text, step ? [h("p", {}, step.text), h("details", {}, h("summary", {}, "Ingredients"), list())] : list());
    text.scrollTop = 0;
    bar.value = at;
    previous.disabled = at === 0;
    put(next, at === steps.length ? "Done" : at ? "Next" : "Start", icon(at === steps.length ? "check" : "forward"));
  }

  dialog.addEventListener("keydown", (event) => {
    const onButton = event.target.closest("button, summary");
    const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1, " ": onButton ? 0 : 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    go(at + by);
  });
  let start = null;
  dialog.addEventListener("touchstart", ({ touches: [finger] }) => (start = [finger.clientX, finger.clientY]), {
    passive: true,
  });
  dialog.addEventListener("touchend", ({ changedTouches: [finger] }) => {
    const [dx, dy] = [finger.clientX - start[0], finger.clientY - start[1]];
    if (Math.abs(dx) > SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) go(at + (dx < 0 ? 1 : -1));
  });
  dialog.addEventListener("close", () => {
    release();
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  go(0);
  dialog.showModal();
  next.focus();
  return dialog;
}
