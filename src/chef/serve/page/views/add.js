// The add view: recipes by file, by folder, or pasted from a web page.

import * as api from "../tools/api.js";
import { h, icon, put } from "../tools/dom.js";
import { chosen, prepared } from "../tools/files.js";
import { say } from "../tools/notices.js";
import { count } from "../tools/words.js";

const MOST_BYTES = 64 * 2 ** 20; // what the service takes in one go
const MOST_FILES = 1000;
const EXAMPLE = '{"@type": "Recipe", "name": "Bread soup", "recipeIngredient": ["2 slices rye bread", …], …}';

export function addView() {
  const files = h("input", {
    type: "file",
    multiple: true,
    class: "hidden",
    id: "add-files",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  const folder = h("input", {
    type: "file",
    webkitdirectory: true,
    class: "hidden",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  const pasted = h("textarea", { id: "pasted", rows: 7, placeholder: EXAMPLE, spellcheck: "false" });
  const waiting = h("div", { class: "waiting", hidden: true });
  const outcome = h("div", { class: "outcome", role: "status" });
  let held = [];

  for (const input of [files, folder]) {
    input.addEventListener("change", () => {
      take(chosen(input));
      input.value = "";
    });
  }

  /** Keep files until they are sent; hidden ones (.DS_Store) are not recipes. */
  function take(more) {
    const visible = more.filter(({ path }) => !path.split("/").some((part) => part.startsWith(".")));
    const known = new Set(held.map(({ path }) => path));
    held = [...held, ...visible.filter(({ path }) => !known.has(path))];
    draw();
  }

  function draw() {
    const bytes = held.reduce((sum, { file }) => sum + file.size, 0);
    const photos = held.filter(({ file }) => file.type.startsWith("image/")).length;
    waiting.hidden = !held.length;
    put(outcome);
    put(
      waiting,
      h(
        "p",
        {},
        h("b", {}, count(held.length, "file")),
        ` (${photos ? `${count(photos, "photo")}, ` : ""}${sizeOf(bytes)})`,
      ),
      h(
        "ul",
        { class: "waiting-names" },
        held.slice(0, 6).map(({ path }) => h("li", {}, path)),
        held.length > 6 && h("li", { class: "muted" }, `and ${held.length - 6} more`),
      ),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "quiet", onclick: () => ((held = []), draw()) }, "Clear"),
        h("button", { type: "button", class: "strong", onclick: sendFiles }, "Add to collection"),
      ),
    );
  }

  async function sendFiles() {
    const small = await Promise.all(
      held.map(async ({ file, path }) => ({
        path,
        file: file.type.startsWith("image/") ? (await prepared(file)).blob : file,
      })),
    );
    const bytes = small.reduce((sum, { file }) => sum + file.size, 0);
    if (bytes > MOST_BYTES || small.length > MOST_FILES)
      return tell(
        h(
          "p",
          { class: "trouble" },
          "That is too much to upload at once. Add one folder at a time, or run chef index add in a terminal.",
        ),
      );
    if (await send(() => api.addFiles(small))) {
      held = [];
      waiting.hidden = true;
    }
  }

  function sendPasted() {
    const text = pasted.value.trim();
    if (!text) return pasted.focus();
    send(() => api.addJsonld(text)).then((done) => done && (pasted.value = ""));
  }

  async function send(work) {
    element.setAttribute("aria-busy", "true");
    tell(h("p", { class: "working" }, h("span", { class: "spinner" }), "Reading and tasting …"));
    try {
      tell(result(await work()));
      api.forget();
      return true;
    } catch (error) {
      tell(h("p", { class: "trouble" }, error.message));
      return false;
    } finally {
      element.removeAttribute("aria-busy");
    }
  }

  function tell(content) {
    put(outcome, content);
    say(content.textContent);
    outcome.scrollIntoView({ block: "nearest" });
  }

  const zone = h(
    "section",
    { class: "zone", "aria-labelledby": "zone-title" },
    h("h2", { id: "zone-title" }, "Drop files or a folder"),
    h(
      "p",
      { class: "muted" },
      "JSON, JSON Lines, schema.org, saved web pages, Markdown, Paprika, Mealie or Nextcloud, with or without photos.",
    ),
    h(
      "div",
      { class: "buttons" },
      files,
      folder,
      h("button", { type: "button", class: "strong", onclick: () => files.click() }, icon("file"), "Choose files"),
      h(
        "button",
        { type: "button", class: "quiet", onclick: () => folder.click() },
        icon("folder"),
        "Choose a folder",
      ),
    ),
    waiting,
  );
  const paste = h(
    "section",
    { class: "paste", "aria-labelledby": "paste-title" },
    h("h2", { id: "paste-title" }, "Or paste a recipe"),
    h("label", { for: "pasted", class: "muted" }, "Paste the HTML of a recipe page, or just its JSON-LD."),
    pasted,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "strong", onclick: sendPasted }, "Add this recipe"),
    ),
  );
  const element = h(
    "div",
    { class: "add" },
    h("h1", {}, "Add recipes"),
    h("p", { class: "lead" }, "New recipes join your collection. Adding a recipe again updates it."),
    h("div", { class: "add-ways" }, zone, paste),
    outcome,
  );
  return { element, title: "Add recipes", take };
}

const sizeOf = (bytes) => (bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 2 ** 20).toFixed(1)} MB`);

function result({ added, updated, unchanged, skipped }) {
  const said = [
    [added, "added"],
    [updated, "updated"],
    [unchanged, "unchanged"],
  ]
    .filter(([number]) => number)
    .map(([number, what]) => `${count(number, "recipe")} ${what}`);
  const reasons = Object.entries(skipped ?? {});
  return h(
    "div",
    { class: "done" },
    h("p", {}, icon("check"), h("b", {}, said.join(", ") || "No new recipes")),
    reasons.length
      ? h(
          "div",
          {},
          h("p", { class: "muted" }, "Skipped:"),
          h(
            "ul",
            {},
            reasons.map(([reason, number]) => h("li", {}, `${reason}: ${number}`)),
          ),
        )
      : null,
    h("a", { href: "#/" }, "See all recipes"),
  );
}
