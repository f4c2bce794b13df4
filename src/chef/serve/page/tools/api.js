// The service's routes as functions. An answer that is not 2xx becomes an Error whose message is for people.

import { h } from "./dom.js";

/** What the service refused, with its status. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`api/${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "The server is not responding. Is chef still running?");
  }
  if (answer.status === 401 && (await askToken())) return ask(path, options);
  const said = await answer.json().catch(() => null);
  if (!answer.ok) throw new Refused(answer.status, said?.error ?? `The service answered ${answer.status}.`);
  return said;
}

const post = (path, value, signal) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
    signal,
  });

const recipePath = (id) => `recipes/${encodeURIComponent(id)}`;

/** Search by words, filters and perhaps a photo (a Blob). */
export function search(query, photo, signal) {
  if (!photo) return post("search", query, signal);
  const form = new FormData();
  form.append("photo", photo, photo.name || "photo.jpg");
  form.append("query", JSON.stringify(query));
  return ask("search", { method: "POST", body: form, signal });
}

export const browse = (offset, limit, signal) => ask(`recipes?offset=${offset}&limit=${limit}`, { signal });
export const recipe = (id, signal) => ask(recipePath(id), { signal });
export const photoOf = (id) => `api/${recipePath(id)}/photo`;
export const explain = (changed) => post("explain", { recipe: changed });
export const swap = (dish, from, to, k) => post("swap", { ...dish, from, to, k });
/** The filters of the last search: what they leave out is not suggested either. */
export const inForce = { without: [], diet: null };
export const suggestions = (dish, from, k, signal) => post("suggestions", { ...dish, from, k, ...inForce }, signal);
export const prune = (dish, k) => post("prune", { ...dish, k });
export const map = () => ask("map");
export const proposals = (offset, limit) => ask(`canonical/proposals?offset=${offset}&limit=${limit}`);
export const decide = (a, b, verdict) => post("canonical/decisions", { a, b, verdict });
export const remove = (id) => ask(recipePath(id), { method: "DELETE" });
export const scale = (lines, factor) => post("scale", { lines, factor });
export const EXPORT = "api/export"; // a zip file of everything

/** The recipes of a text or of an address, or (a Blob) of a photographed page, to be corrected: {drafts, unsure}. */
export function drafts(source) {
  if (!(source instanceof Blob))
    return post("drafts", /^https?:\/\/\S+$/.test(source) ? { address: source } : { text: source });
  const form = new FormData();
  form.append("photo", source, "page.jpg");
  return ask("drafts", { method: "POST", body: form });
}

/** Add one recipe, perhaps with a photo (a Blob) -> its id. */
export async function add(recipe, photo) {
  const json = new Blob([JSON.stringify([{ ...recipe, ...(photo && { image: "photo.jpg" }) }])]);
  const files = [{ file: json, path: "recipe.json" }, ...(photo ? [{ file: photo, path: "photo.jpg" }] : [])];
  return (await addFiles(files)).ids[0];
}

/** Change the given fields of a recipe, and its photo if there is one. */
export function edit(id, fields, photo = null) {
  if (!photo)
    return ask(recipePath(id), {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    });
  const form = new FormData();
  form.append("photo", photo, "photo.jpg");
  form.append("recipe", JSON.stringify(fields));
  return ask(recipePath(id), { method: "PATCH", body: form });
}

/** Add recipe files with their photos; each keeps the path that it has in its folder. */
export function addFiles(files) {
  const form = new FormData();
  for (const { file, path } of files) form.append("files", file, path);
  return ask("recipes", { method: "POST", body: form });
}

/** A recipe on its way from one view to another: a swap that becomes one's own. */
export const inHand = { recipe: null };

let vocabularyAsked = null;

/** The collection's ingredients, groups and tags; asked for once, and again after recipes were added. */
export function vocabulary() {
  vocabularyAsked ??= ask("vocabulary").catch((error) => {
    vocabularyAsked = null;
    throw error;
  });
  return vocabularyAsked;
}

/** Recipes came or went. */
export function forget() {
  vocabularyAsked = null;
  document.dispatchEvent(new CustomEvent("collection"));
}

// A service with a token: asked for once, kept by the service in a cookie so that pictures carry it too.

let asking = null;

/** Ask the person for the token; true when one was given. Several requests share one question. */
function askToken() {
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
        h("p", {}, "Enter the token that chef serve was started with."),
        h("label", { for: "token" }, "Token"),
        input,
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", class: "quiet", onclick: () => dialog.close("") }, "Not now"),
          h("button", { class: "strong", value: "given" }, "Unlock"),
        ),
      ),
    );
    dialog.addEventListener("close", async () => {
      const given = dialog.returnValue === "given" && input.value;
      if (given) {
        const headers = { Authorization: `Bearer ${input.value}` };
        await fetch("api/token", { method: "POST", headers }).catch(() => null);
      }
      dialog.remove();
      resolve(Boolean(given));
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
