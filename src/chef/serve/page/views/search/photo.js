// The photo of a search: chosen, taken, pasted or dropped; shown, weighed against the words, and taken away.

import { h, icon, put } from "../../tools/dom.js";
import { prepared } from "../../tools/files.js";

/** The slot; `changed()` after each change. Has `blob`, `take(file)`, `clear()`, `weights(words)`. */
export function photoSlot(changed) {
  const choose = h("input", {
    type: "file",
    accept: "image/*",
    class: "hidden",
    tabindex: "-1",
    "aria-hidden": "true",
    id: "photo-file",
  });
  const camera = h("input", {
    type: "file",
    accept: "image/*",
    capture: "environment",
    class: "hidden",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  for (const input of [choose, camera]) {
    input.addEventListener("change", () => {
      if (input.files[0]) take(input.files[0]);
      input.value = ""; // the same photo can be chosen again
    });
  }
  const balance = h("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.05,
    value: 0.5,
    "aria-label": "How much the photo and the words count",
    onchange: changed,
  });
  const weigh = h(
    "label",
    { class: "balance", hidden: true },
    h("span", {}, "photo"),
    balance,
    h("span", {}, "words"),
  );
  const preview = h("div", { class: "photo", hidden: true });
  let blob = null;

  async function take(file) {
    const ready = await prepared(file);
    blob = ready.blob;
    const shown = ready.canvas ?? h("p", { class: "photo-unseen" }, icon("picture"), file.name);
    if (ready.canvas) {
      ready.canvas.setAttribute("role", "img");
      ready.canvas.setAttribute("aria-label", "Your photo");
    }
    put(
      preview,
      shown,
      h(
        "div",
        {},
        h("p", {}, "Searching with this photo"),
        weigh,
        h(
          "button",
          { type: "button", class: "link", onclick: () => (clear(), changed()) },
          icon("close"),
          "Remove photo",
        ),
      ),
    );
    preview.hidden = false;
    changed();
  }

  function clear() {
    blob = null;
    preview.hidden = true;
    put(preview);
  }

  return {
    buttons: h(
      "span",
      { class: "photo-buttons" },
      choose,
      camera,
      h(
        "button",
        {
          type: "button",
          class: "round",
          title: "Choose a photo, or drop or paste one",
          "aria-label": "Choose a photo",
          onclick: () => choose.click(),
        },
        icon("picture"),
      ),
      h(
        "button",
        {
          type: "button",
          class: "round camera",
          title: "Take a photo",
          "aria-label": "Take a photo",
          onclick: () => camera.click(),
        },
        icon("photo"),
      ),
    ),
    preview,
    get blob() {
      return blob;
    },
    take,
    clear,

    /** How much photo and words count, when there are both. */
    weights(words) {
      weigh.hidden = !(blob && words);
      if (weigh.hidden) return {};
      const share = Number(balance.value);
      return { weights: { image: 2 * (1 - share), text: 2 * share } };
    },
  };
}
