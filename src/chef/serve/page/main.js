// The page: its rooms by address, the keys that work everywhere, and what is dropped or pasted.

import { mapRoom } from "./map/map.js";
import { recipeRoom } from "./recipe/recipe.js";
import { addRoom } from "./rooms/add.js";
import { namesRoom } from "./rooms/names.js";
import { searchRoom } from "./search/search.js";
import { h, icon, put } from "./tools/dom.js";
import { filesOf } from "./tools/files.js";
import { complain } from "./tools/say.js";

// A room is made by a function and has `element`, `title`, and perhaps `enter(rest, parameters, fromElsewhere)`,
// `leave()`, `take(files)`. Those that stay keep their state (results, scroll, zoom) while another room is open.
const ROOMS = {
  "": { name: "Search", sign: "search", make: searchRoom, stays: true },
  recipe: { make: recipeRoom },
  map: { name: "Map", sign: "map", make: mapRoom, stays: true },
  add: { name: "Add", sign: "add", make: addRoom },
  names: { name: "Names", sign: "names", make: namesRoom },
};

const main = document.getElementById("room");
const kept = new Map();
const scrolls = new Map();
let here = null; // {key, room, opener}

function address() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [key, ...rest] = path.split("/");
  return {
    key: key in ROOMS ? key : "",
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
  const known = kept.get(key);
  const entry = known ?? { key, room: ROOMS[key].make() };
  if (before && before !== entry) {
    scrolls.set(before.key, scrollY);
    before.opener = document.activeElement;
    before.room.leave?.();
  }
  if (ROOMS[key].stays) kept.set(key, entry);
  here = entry;
  if (before !== entry) put(main, entry.room.element);
  document.title = `${entry.room.title} · Chef`;
  signs(key);
  entry.room.enter?.(rest, parameters, before !== entry);
  if (before && before !== entry) settle(entry, Boolean(known));
}

// Back in a room: where one was. In a new room: at its top, and a screen reader reads its heading.
function settle(entry, known) {
  scrollTo({ top: known ? (scrolls.get(entry.key) ?? 0) : 0, behavior: "instant" });
  const target = known && entry.opener?.isConnected ? entry.opener : main;
  target.focus({ preventScroll: true });
}

function signs(key) {
  put(
    document.getElementById("rooms"),
    Object.entries(ROOMS)
      .filter(([, room]) => room.name)
      .map(([at, room]) =>
        h(
          "a",
          { href: `#/${at}`, "aria-current": at === key || (key === "recipe" && at === "") ? "page" : null },
          icon(room.sign),
          h("span", {}, room.name),
        ),
      ),
  );
}

const isTyping = (target) => target.closest?.("input, textarea, select, [contenteditable]");

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !isTyping(event.target)) {
    event.preventDefault();
    const focus = () => document.getElementById("words")?.focus();
    if (here.key === "") return focus(); // at once, or the first letters that follow are lost
    location.hash = "#/";
    requestAnimationFrame(() => setTimeout(focus, 0)); // the room is on its way
  } else if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) {
    if (here.key === "recipe" && !isTyping(event.target)) location.hash = kept.get("")?.room.address?.() ?? "#/";
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
  const wanted = here.room.take && (here.key === "add" || photo) ? here.key : photo ? "" : "add";
  if (here.key === wanted) return here.room.take(files);
  addEventListener("hashchange", () => here.room.take(files), { once: true }); // after `go`
  location.hash = `#/${wanted}`;
}

// The address is the room's, so the skip link must not change it.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", go);
go();
