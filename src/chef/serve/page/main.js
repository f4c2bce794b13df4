// The page: its views by address, the keys that work everywhere, and what is dropped or pasted.

import { h, icon, put } from "./tools/dom.js";
import { filesOf } from "./tools/files.js";
import { complain } from "./tools/notices.js";
import { addView } from "./views/add.js";
import { editView } from "./views/edit.js";
import { mapView } from "./views/map/map.js";
import { namesView } from "./views/names.js";
import { recipeView } from "./views/recipe/recipe.js";
import { searchView } from "./views/search/search.js";

// A view is made by a function and has `element`, `title`, and perhaps `enter(rest, parameters, fromElsewhere)`,
// `leave()`, `take(files)`, and `holds(rest)`: whether it shows that address already. Those that stay keep their state (results, scroll, zoom) while another view is open.
const VIEWS = {
  "": { name: "Search", sign: "search", make: searchView, stays: true },
  recipe: { make: recipeView },
  edit: { make: editView },
  map: { name: "Map", sign: "map", make: mapView, stays: true },
  add: { name: "Add", sign: "add", make: addView },
  names: { name: "Names", sign: "names", make: namesView },
};

const main = document.getElementById("view");
const kept = new Map();
const scrolls = new Map();
let here = null; // {key, view, opener}

function address() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [key, ...rest] = path.split("/");
  return {
    key: key in VIEWS ? key : "",
    rest: rest.map(decoded),
    parameters: new URLSearchParams(query ?? ""),
  };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // an address typed by hand
  }
}

function go() {
  const { key, rest, parameters } = address();
  const before = here;
  if (before?.key === key && before.view.holds?.(rest)) return before.view.enter(rest, parameters, false);
  const known = kept.get(key);
  const entry = known ?? { key, view: VIEWS[key].make() };
  if (before && before !== entry) {
    scrolls.set(before.key, scrollY);
    before.opener = document.activeElement;
    before.view.leave?.();
  }
  if (VIEWS[key].stays) kept.set(key, entry);
  here = entry;
  if (before !== entry) put(main, entry.view.element);
  document.title = `${entry.view.title} · Chef`;
  signs(key);
  entry.view.enter?.(rest, parameters, before !== entry);
  if (before && before !== entry) settle(entry, Boolean(known));
}

// Back in a view: scroll to where it was. In a new view: to its top, and a screen reader reads its heading.
function settle(entry, known) {
  scrollTo({ top: known ? (scrolls.get(entry.key) ?? 0) : 0, behavior: "instant" });
  const target = known && entry.opener?.isConnected ? entry.opener : main;
  target.focus({ preventScroll: true });
}

function signs(key) {
  put(
    document.getElementById("nav"),
    Object.entries(VIEWS)
      .filter(([, view]) => view.name)
      .map(([at, view]) =>
        h(
          "a",
          { href: `#/${at}`, "aria-current": at === key || (key === "recipe" && at === "") ? "page" : null },
          icon(view.sign),
          h("span", {}, view.name),
        ),
      ),
  );
}

const isTyping = (target) => target.closest?.("input, textarea, select, [contenteditable]");

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "/" && !isTyping(event.target)) {
    event.preventDefault();
    const focus = () => document.getElementById("words")?.focus();
    if (here.key === "") return focus(); // at once, or the first letters that follow are lost
    location.hash = "#/";
    requestAnimationFrame(() => setTimeout(focus, 0)); // after the view is there
  } else if (event.key === "Escape" && !event.defaultPrevented) {
    if (here.key === "recipe" && !isTyping(event.target)) location.hash = kept.get("")?.view.address?.() ?? "#/";
  }
});

let overs = 0; // dragenter and dragleave come once per element on the way
const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");

function dragging(by) {
  overs = Math.max(0, overs + by);
  document.documentElement.classList.toggle("dropping", overs > 0);
}

addEventListener("dragenter", (event) => holdsFiles(event) && dragging(1));
addEventListener("dragleave", (event) => holdsFiles(event) && dragging(-1));
addEventListener("dragover", (event) => holdsFiles(event) && event.preventDefault());
addEventListener("drop", async (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  dragging(-Infinity);
  take(await filesOf(event.dataTransfer).catch((error) => (complain(error), [])));
});
addEventListener("paste", (event) => {
  const files = [...(event.clipboardData?.files ?? [])].map((file) => ({ file, path: file.name }));
  if (!files.length) return;
  event.preventDefault();
  take(files);
});

// A photo alone is a question; anything else is something to add.
function take(files) {
  if (!files.length) return;
  const photo = files.length === 1 && files[0].file.type.startsWith("image/");
  const wanted = here.view.take && (here.key === "add" || photo) ? here.key : photo ? "" : "add";
  if (here.key === wanted) return here.view.take(files);
  addEventListener("hashchange", () => here.view.take(files), { once: true }); // after `go`
  location.hash = `#/${wanted}`;
}

// The address belongs to the view, so the skip link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", go);
go();
