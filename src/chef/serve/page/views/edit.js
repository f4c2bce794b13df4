// The form in which a recipe is written, corrected or changed, and the view that edits a stored one.

import { addressOf } from "../card.js";
import * as api from "../tools/api.js";
import { h, icon, put } from "../tools/dom.js";
import { prepared } from "../tools/files.js";
import { note } from "../tools/notices.js";

const TIMES = { prep_minutes: "Preparation", cook_minutes: "Cooking", total_minutes: "In all" };

const textOf = (item) => (typeof item === "string" ? item : (item.text ?? item.line));
const linesOf = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/**
 * The form of a recipe. `save(fields, photo)` is called with what was written; `photo` is a Blob or null, `shown` the
 * address of the photo there is. `unsure`: words that were hard to read. Has `element`, `take(file)`.
 */
export function recipeForm(recipe, { save, cancel, label = "Save recipe", shown = null, unsure = [] }) {
  const area = (name, rows, value, extra) => h("textarea", { id: `edit-${name}`, name, rows, ...extra }, value);
  const line = (name, value, extra) => h("input", { id: `edit-${name}`, name, value: value ?? "", ...extra });
  const field = (name, text, input, hint) =>
    h(
      "div",
      { class: "field" },
      h("label", { for: `edit-${name}` }, text, hint && h("small", {}, ` ${hint}`)),
      input,
    );

  const title = line("title", recipe.title, { required: true, maxlength: 300 });
  const servings = line("servings", recipe.servings, { maxlength: 100, placeholder: "4" });
  const times = Object.entries(TIMES).map(([name, text]) => [
    name,
    text,
    line(name, recipe[name], { type: "number", min: 0, max: 100000, inputmode: "numeric" }),
  ]);
  const ingredients = (recipe.ingredients ?? []).map(textOf);
  const steps = (recipe.instructions ?? []).map(textOf);
  const lines = area("ingredients", Math.max(6, ingredients.length + 1), ingredients.join("\n"), { required: true });
  const method = area("steps", Math.max(6, steps.length * 2), steps.join("\n"));
  const tags = line("tags", (recipe.tags ?? []).join(", "), { placeholder: "soup, weeknight" });
  const own = area("own_note", 3, recipe.own_note ?? "");
  const trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  const picture = h("div", { class: "edit-picture" });
  const inputs = [null, "environment"].map((capture) =>
    h("input", { type: "file", accept: "image/*", capture, class: "hidden", tabindex: "-1", "aria-hidden": "true" }),
  );
  for (const input of inputs) input.addEventListener("change", () => input.files[0] && take(input.files[0]));
  let photo = null;

  async function take(file) {
    const ready = await prepared(file);
    photo = ready.blob;
    show(ready.canvas ?? h("p", { class: "muted" }, file.name));
  }
  const show = (content) => put(picture, content);
  if (shown) show(h("img", { src: shown, alt: "The photo" }));

  function fields() {
    // A step that stays as it was stays in its section.
    const sections = new Map(
      (recipe.instructions ?? []).map((step) => [textOf(step), typeof step === "string" ? null : step.section]),
    );
    return {
      title: title.value.trim(),
      servings: servings.value.trim() || null,
      ...Object.fromEntries(times.map(([name, , input]) => [name, input.value ? Number(input.value) : null])),
      ingredients: linesOf(lines.value),
      instructions: linesOf(method.value).map((text) =>
        sections.get(text) ? { text, section: sections.get(text) } : text,
      ),
      tags: tags.value
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
      own_note: own.value.trim() || null,
    };
  }

  async function submit(event) {
    event.preventDefault();
    trouble.hidden = true;
    element.setAttribute("aria-busy", "true");
    for (const button of element.querySelectorAll("button")) button.disabled = true;
    try {
      await save(fields(), photo);
    } catch (error) {
      trouble.textContent = error.message;
      trouble.hidden = false;
    }
    element.removeAttribute("aria-busy");
    for (const button of element.querySelectorAll("button")) button.disabled = false;
  }

  const element = h(
    "form",
    { class: "edit-form", onsubmit: submit },
    unsure.length
      ? h("p", { class: "edit-unsure" }, h("b", {}, "Please check. "), `Hard to read: ${unsure.join(", ")}`)
      : null,
    field("title", "Title", title),
    h(
      "div",
      { class: "field-row" },
      field("servings", "Servings", servings),
      times.map(([name, text, input]) => field(name, text, input, "(minutes)")),
    ),
    h(
      "div",
      { class: "edit-texts" },
      field("ingredients", "Ingredients", lines, "one on each line"),
      field("steps", "Steps", method, "one on each line"),
    ),
    h(
      "div",
      { class: "field", role: "group", "aria-label": "Photo" },
      picture,
      h(
        "div",
        { class: "buttons" },
        inputs,
        h(
          "button",
          { type: "button", class: "quiet", onclick: () => inputs[0].click() },
          icon("picture"),
          "Choose a photo",
        ),
        h(
          "button",
          { type: "button", class: "quiet", onclick: () => inputs[1].click() },
          icon("photo"),
          "Take a photo",
        ),
      ),
    ),
    field("tags", "Tags", tags, "with commas between"),
    field("own_note", "My notes", own),
    trouble,
    h(
      "div",
      { class: "buttons" },
      h("button", { class: "strong" }, icon("check"), label),
      h("button", { type: "button", class: "quiet", onclick: cancel }, "Cancel"),
    ),
  );
  return { element, take };
}

export function editView() {
  const element = h("div", { class: "edit", "aria-busy": "true" });
  let form = null;

  async function enter([id]) {
    const back = () => (location.hash = addressOf(id));
    try {
      const { recipe, has_image } = await api.recipe(id);
      form = recipeForm(recipe, {
        shown: has_image ? api.photoOf(id) : null,
        cancel: back,
        async save(fields, photo) {
          await api.edit(id, fields, photo);
          api.forget();
          back();
          note("Saved.");
        },
      });
      put(element, h("h1", {}, "Edit recipe"), form.element);
    } catch (error) {
      put(element, h("div", { class: "empty" }, h("h1", {}, "Recipe not found"), h("p", {}, error.message)));
    }
    element.removeAttribute("aria-busy");
  }

  return { element, title: "Edit recipe", enter, take: (files) => form?.take(files[0].file) };
}
