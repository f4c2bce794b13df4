// Elements without markup: every text becomes a text node, so nothing a recipe says can turn into HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: h("p", {class: "why"}, "has ", h("b", {}, "rice")). */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element, the same way. */
export const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Put new children in the place of all old ones. */
export function put(element, ...children) {
  element.replaceChildren(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** One of the drawings below, the size of a letter. */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    ICONS[name].map((d) => svg("path", { d })),
  );
}

const ICONS = {
  search: ["M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13", "M15.5 15.5 20 20"],
  photo: [
    "M4 7.5h3.2L9 5h6l1.8 2.5H20a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1",
    "M12 9.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7",
  ],
  picture: ["M4 5h16v14H4z", "M4 16l5-5 4 4 3-3 4 4", "M15.5 8.5h.01"],
  map: ["M4 6l5-2 6 2 5-2v14l-5 2-6-2-5 2z", "M9 4v14", "M15 6v14"],
  add: ["M12 5v14", "M5 12h14"],
  tree: [
    "M12 7v3.5",
    "M12 10.5 6.5 15",
    "M12 10.5l5.5 4.5",
    "M12 3a2 2 0 1 0 0 4a2 2 0 1 0 0-4",
    "M6.5 15a2 2 0 1 0 0 4a2 2 0 1 0 0-4",
    "M17.5 15a2 2 0 1 0 0 4a2 2 0 1 0 0-4",
  ],
  names: ["M4 6h7v4H4z", "M4 14h7v4H4z", "M11 8h4v8h-4", "M15 12h5"],
  swap: ["M4 8h14l-3.5-3.5", "M20 16H6l3.5 3.5"],
  question: ["M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.9v.8", "M12 18h.01"],
  close: ["M6 6l12 12", "M18 6 6 18"],
  back: ["M14 5l-7 7 7 7"],
  check: ["M5 12.5l4.5 4.5L19 7.5"],
  undo: ["M9 7 4.5 11.5 9 16", "M5 11.5h9a5 5 0 0 1 0 10"],
  folder: ["M3 7a1 1 0 0 1 1-1h5l2 2.5h8a1 1 0 0 1 1 1V18a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z"],
  file: ["M6 3h8l4 4v14H6z", "M14 3v4h4"],
  basket: ["M4 10h16l-1.5 9h-13z", "M8 10l3-6", "M16 10l-3-6"],
  scissors: [
    "M6.5 5.5a2 2 0 1 0 0 4a2 2 0 1 0 0-4",
    "M6.5 14.5a2 2 0 1 0 0 4a2 2 0 1 0 0-4",
    "M8.200 8.5 20 17",
    "M8.200 15.5 20 7",
  ],
  trash: ["M5 7h14", "M9 7V4.5h6V7", "M7 7l1 13h8l1-13"],
  heart: ["M12 20 4.6 12.6a4.7 4.7 0 0 1 6.6-6.7l.8.8.8-.8a4.7 4.7 0 0 1 6.6 6.7z"],
  pen: ["M5 19l1-4L16 5l3 3L9 18z", "M14 7l3 3"],
  print: ["M7 9V4h10v5", "M7 17H4V9h16v8h-3", "M7 14h10v6H7z"],
  down: ["M12 4v11", "M7 11l5 5 5-5", "M5 20h14"],
  pot: ["M5 10h14v7a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2z", "M3 12h2", "M19 12h2", "M9 7V5", "M15 7V5", "M12 6V4"],
  forward: ["M10 5l7 7-7 7"],
  clock: ["M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16", "M12 8v4.5l3 2"],
  out: ["M14 5h5v5", "M19 5l-8 8", "M17 14v5H5V7h5"],
};
