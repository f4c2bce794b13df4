// A service with a token: asked for once, kept in a cookie of this page so that pictures carry it too.

import { h } from "./dom.js";

let asking = null;

/** Ask the person for the token; true when one was given. Several requests share one question. */
export function askToken() {
  asking ??= question().finally(() => (asking = null));
  return asking;
}

function question() {
  return new Promise((resolve) => {
    const input = h("input", {
      id: "token",
      type: "password",
      autocomplete: "current-password",
      required: true,
    });
    const dialog = h(
      "dialog",
      { class: "sheet", "aria-labelledby": "token-title" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "token-title" }, "This kitchen is locked"),
        h("p", {}, "Give the token that chef serve was started with."),
        h("label", { for: "token" }, "Token"),
        input,
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", class: "quiet", onclick: () => dialog.close("") }, "Not now"),
          h("button", { class: "strong", value: "given" }, "Open"),
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      const given = dialog.returnValue === "given" && input.value;
      if (given) document.cookie = `chef_token=${input.value}; path=/; SameSite=Strict`;
      dialog.remove();
      resolve(Boolean(given));
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
