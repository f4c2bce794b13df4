// The add view: recipes by file, by folder, by address, from a photographed page, pasted, or written here.

import * as api from "../tools/api.js";
import { h, icon, put } from "../tools/dom.js";
import { chosen, prepared } from "../tools/files.js";
import { note, say } from "../tools/notices.js";
import { count } from "../tools/words.js";
import { addressOf } from "../card.js";
import { recipeForm } from "./edit.js";

const MOST_BYTES = 64 * 2 ** 20; // what the service takes in one go
const MOST_FILES = 1000;
const EXAMPLE = "Bread soup\n\n2 slices rye bread\n1 l stock\n\nToast the bread.\nSimmer it in the stock.";

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
  const page = h("input", {
    type: "file",
    accept: "image/*",
    capture: "environment",
    class: "hidden",
    id: "add-page",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  page.addEventListener("change", async () => {
    const [file] = page.files;
    if (file) draft((await prepared(file)).blob);
    page.value = "";
  });
  const pasted = h("textarea", { id: "pasted", rows: 9, placeholder: EXAMPLE });
  const waiting = h("div", { class: "waiting", hidden: true });
  const outcome = h("div", { class: "outcome", role: "status" });
  let held = [];
  let takes = null; // the photo of the recipe that is being written

  for (const input of [files, folder]) {
    input.addEventListener("change", () => {
      take(chosen(input));
      input.value = "";
    });
  }

  /** Keep files until they are sent; hidden ones (.DS_Store) are not recipes. */
  function take(more) {
    if (takes) return takes(more[0].file);
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

  function readPasted() {
    const text = pasted.value.trim();
    if (text) draft(text);
    else pasted.focus();
  }

  /** Read a text, an address or a photographed page, and show what was understood before it is saved. */
  async function draft(source) {
    await busy("Reading …", async () => {
      const { drafts, unsure } = await api.drafts(source).catch((error) => {
        if (error.status !== 404 || source instanceof Blob || /^https?:/.test(source)) throw error;
        // No recipe to a reader, but perhaps to a person, who sorts the lines.
        const [title, ...ingredients] = source.split("\n").filter((line) => line.trim());
        return { drafts: [{ recipe: { title, ingredients }, photo: null }], unsure: [] };
      });
      put(outcome);
      write(drafts, unsure);
    });
  }

  /** The form for the first of some drafts, and then for the others. */
  function write([{ recipe, photo }, ...others] = [{ recipe: {}, photo: null }], unsure = []) {
    const form = recipeForm(recipe, {
      shown: photo,
      unsure,
      label: others.length ? `Save, ${others.length} more to check` : "Save recipe",
      cancel: ways,
      async save(fields, chosen) {
        const { id: _id, ...rest } = recipe;
        const id = await api.add(given({ ...rest, ...fields }), chosen ?? (photo && blobOf(photo)));
        api.forget();
        note(`“${fields.title}” was saved.`);
        pasted.value = "";
        if (others.length) write(others);
        else location.hash = addressOf(id);
      },
    });
    takes = form.take;
    put(element, h("h1", {}, recipe.title ? "Is this right?" : "Write a recipe"), form.element);
    scrollTo({ top: 0 });
    element.querySelector("#edit-title").focus({ preventScroll: true });
  }

  const send = (work) =>
    busy("Reading and tasting …", async () => {
      tell(result(await work()));
      api.forget();
    });

  async function busy(words, work) {
    element.setAttribute("aria-busy", "true");
    tell(h("p", { class: "working" }, h("span", { class: "spinner" }), words));
    try {
      await work();
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
    h("h2", { id: "zone-title" }, "Or files, from another app"),
    h(
      "p",
      { class: "muted" },
      "Drop them anywhere, or choose them: exports of Paprika, Mealie, Tandoor, Nextcloud and others, saved web pages, Markdown, text, JSON, with or without photos.",
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
    h("h2", { id: "paste-title" }, "Paste a recipe"),
    h(
      "label",
      { for: "pasted", class: "muted" },
      "Its text, or the address of its web page. You check it before it is saved.",
    ),
    pasted,
    h(
      "div",
      { class: "buttons" },
      page,
      h("button", { type: "button", class: "strong", onclick: readPasted }, "Read it"),
      h("button", { type: "button", class: "quiet", onclick: () => write() }, icon("pen"), "Write it myself"),
      h("button", { type: "button", class: "quiet", onclick: () => page.click() }, icon("photo"), "Photo of a page"),
    ),
  );
  const element = h("div", { class: "add" });
  function ways() {
    takes = null;
    put(
      element,
      h("h1", {}, "Add recipes"),
      h("p", { class: "lead" }, "New recipes join your collection. Adding a recipe again updates it."),
      h("div", { class: "add-ways" }, paste, zone),
      outcome,
      h(
        "p",
        { class: "muted" },
        h("a", { href: api.EXPORT, download: "recipes.zip" }, icon("down"), "Export all recipes"),
        ", with photos and notes, as a file that any other collection can add.",
      ),
    );
  }
  ways();
  const drafted = api.inHand.recipe;
  api.inHand.recipe = null;
  if (drafted) write([{ recipe: drafted, photo: null }]);
  return { element, title: "Add recipes", take };
}

const given = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** The bytes of a data: address. */
const blobOf = (address) =>
  new Blob([Uint8Array.from(atob(address.split(",")[1]), (letter) => letter.charCodeAt(0))], { type: "image/jpeg" });

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
