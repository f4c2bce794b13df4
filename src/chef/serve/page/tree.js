// A tree as a picture: ingredients as rows with the root at the left, words as a line with the root above.

import { h, put, svg } from "./tools/dom.js";
import { kindOf, listed, readable } from "./tools/words.js";

const ROW = 27;
const FONT = "15px system-ui, sans-serif";

const ruler = document.createElement("canvas").getContext("2d");
function widthOf(text) {
  ruler.font = `600 ${FONT}`;
  return ruler.measureText(text).width;
}

/**
 * Draw a tree. kind: "ingredients" or "words"; what is closest to the root is marked. `told` is the main ingredient
 * that people are told: the tree may say otherwise.
 * `pointed(token)` is called with the leaf pointed at, null for none. Returns {element, point(token)}: `point` lights
 * up a leaf from outside.
 */
export function drawnTree(data, { kind, told = null, label, pointed = () => {} }) {
  const nodes = laidOut(data);
  const top = shallowest(nodes);
  const caption = h("p", { class: "tree-note" });
  const box = h("div", { class: "tree-box" });
  const element = h("figure", { class: `tree of-${kind}` }, box, caption);
  const plain = summary(nodes, top, kind, told);
  let parts = null;
  let places = null;
  let focused = nodes[0];

  function draw() {
    places = kind === "words" ? asLine(nodes, box.clientWidth || 640) : null;
    // A sentence that is too long for one line stands in rows.
    if (!places || places.width > (box.clientWidth || 640)) places = asRows(nodes, box.clientWidth || 420);
    const picture = svg("svg", {
      class: "tree-picture",
      width: places.width,
      height: places.height,
      viewBox: `0 0 ${places.width} ${places.height}`,
      role: "tree",
      "aria-label": label,
    });
    parts = new Map();
    const links = svg("g", { class: "links", "aria-hidden": "true" });
    for (const node of nodes) {
      if (node.parent) {
        const link = svg("path", {
          d: places.link(node),
          class: top.depth >= node.depth && covers(node, top) ? "to-top" : null,
        });
        links.append(link);
        parts.set(node, { link });
      } else parts.set(node, {});
    }
    picture.append(links);
    for (const node of nodes) {
      const drawn = node.token === null ? knot(node, places, nodes.length) : leaf(node, places, node === top, kind);
      drawn.setAttribute("role", "treeitem");
      drawn.setAttribute("aria-level", node.depth + 1);
      drawn.setAttribute("aria-label", about(node, nodes, top, kind));
      drawn.setAttribute("tabindex", node === focused ? 0 : -1);
      drawn.addEventListener("pointerenter", () => light(node));
      drawn.addEventListener("pointerleave", () => light(null));
      drawn.addEventListener("focus", () => (moveFocus(node), light(node)));
      drawn.addEventListener("blur", () => light(null));
      parts.get(node).drawn = drawn;
      picture.append(drawn);
    }
    picture.addEventListener("keydown", keys);
    put(box, picture);
  }

  function keys(event) {
    const ways = places.rows
      ? { ArrowLeft: "parent", ArrowRight: "child", ArrowUp: "previous", ArrowDown: "next" }
      : { ArrowUp: "parent", ArrowDown: "child", ArrowLeft: "previous", ArrowRight: "next" };
    if (!(event.key in ways) && event.key !== "Home") return;
    event.preventDefault();
    const next = event.key === "Home" ? nodes[0] : stepFrom(nodes, focused, ways[event.key]);
    if (next) parts.get(next).drawn.focus();
  }

  function moveFocus(node) {
    parts.get(focused).drawn.setAttribute("tabindex", -1);
    focused = node;
    parts.get(node).drawn.setAttribute("tabindex", 0);
  }

  function light(node, fromOutside = false) {
    element.classList.toggle("lit", node !== null);
    for (const [other, { link, drawn }] of parts) {
      const isLit = node !== null && covers(node, other);
      drawn.classList.toggle("on", isLit);
      // The link above a node belongs to the part that holds it.
      link?.classList.toggle("on", isLit && other !== node);
    }
    put(caption, node ? about(node, nodes, top, kind) : plain);
    if (!fromOutside) pointed(node?.token ?? null);
  }

  put(caption, plain);
  // Rows use the width there is: drawn once the box has one, and again when it changes.
  let width = 0;
  new ResizeObserver(() => {
    if (box.clientWidth === width) return;
    width = box.clientWidth;
    const had = box.contains(document.activeElement);
    draw();
    if (had) parts.get(focused).drawn.focus();
  }).observe(box);
  draw();
  return {
    element,
    point: (token) =>
      light(token === null ? null : (leavesOf(nodes).find((node) => node.token === token) ?? null), true),
  };
}

const covers = (node, other) => node.first <= other.first && other.last <= node.last;

function summary(nodes, top, kind, told) {
  if (nodes.length === 1) return `Just ${readable(top.token)}.`;
  const name = h("b", { class: kind === "words" ? `action ${kindOf(top.token)}` : null }, readable(top.token));
  const what = kind === "words" ? "word" : "ingredient";
  const other = told && told !== top.token ? ` A cook would say ${readable(told)}.` : "";
  return [name, ` is closest to the root: to this model's tree, the ${what} that matters most.${other}`];
}

function about(node, nodes, top, kind) {
  const merges = (nodes.length - 1) / 2;
  if (node.token === null) {
    const tokens = leavesOf(nodes)
      .filter((leaf) => covers(node, leaf))
      .map((leaf) => leaf.token);
    const what = kind === "ingredients" ? listed(tokens) : tokens.map(readable).join(" ");
    return `Merge ${node.order} of ${merges}, depth ${node.depth}: ${what}`;
  }
  const role = node === top ? ", closest to the root" : "";
  const merged = node.parent ? `, merge ${node.parent.order} of ${merges}` : "";
  return `${readable(node.token)}${role}: depth ${node.depth}${merged}`;
}

// Rows: x is the depth, so what matters most stands at the left.
function asRows(nodes, width) {
  const leaves = leavesOf(nodes);
  const deepest = Math.max(1, ...leaves.map((leaf) => leaf.depth));
  const widest = Math.max(...leaves.map((leaf) => widthOf(readable(leaf.token)) + 28));
  const step = Math.max(13, Math.min(38, (width - 18 - widest) / deepest));
  const x = (node) => 13 + node.depth * step;
  const y = (node) => 16 + node.along * ROW;
  return {
    x,
    y,
    rows: true,
    tight: step < 18,
    width: Math.ceil(Math.max(...leaves.map((leaf) => x(leaf) + widthOf(readable(leaf.token)) + 30))),
    height: leaves.length * ROW + 6,
    link(node) {
      const [px, py, cx, cy] = [x(node.parent), y(node.parent), x(node), y(node)];
      const bend = Math.min(9, Math.abs(cy - py), cx - px) * Math.sign(cy - py);
      return `M${px} ${py}V${cy - bend}Q${px} ${cy} ${px + Math.abs(bend)} ${cy}H${cx}`;
    },
  };
}

// A line: the words stand at the bottom as one reads them, and each hangs on its own depth.
function asLine(nodes, width) {
  const leaves = leavesOf(nodes);
  const deepest = Math.max(1, ...leaves.map((leaf) => leaf.depth));
  const step = Math.max(14, Math.min(26, 170 / deepest));
  const bottom = 14 + deepest * step + 8;
  const widths = leaves.map((leaf) => widthOf(readable(leaf.token)) + 18);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const spread = Math.max(0, Math.min(16, (width - 12 - total) / leaves.length));
  let at = 6;
  for (const [i, leaf] of leaves.entries()) {
    leaf.x = at + (widths[i] + spread) / 2;
    at += widths[i] + spread;
  }
  const x = (node) => node.x ?? (x(node.children[0]) + x(node.children[1])) / 2;
  const y = (node) => (node.token === null ? 14 + node.depth * step : bottom + 14);
  return {
    x,
    y,
    tight: step < 20,
    width: Math.ceil(at + 6),
    height: bottom + 32,
    link(node) {
      const [px, py, cx, cy] = [x(node.parent), y(node.parent), x(node), node.token === null ? y(node) : bottom];
      const bend = Math.min(8, Math.abs(cx - px), cy - py) * Math.sign(cx - px);
      return `M${px} ${py}H${cx - bend}Q${cx} ${py} ${cx} ${py + Math.abs(bend)}V${cy}`;
    },
  };
}

function knot(node, places, size) {
  const share = node.order / Math.max(1, (size - 1) / 2);
  const circle = svg("circle", { r: places.tight ? 6.5 : 9.5 });
  circle.style.setProperty("--share", share.toFixed(2));
  return svg(
    "g",
    {
      class: `knot${share > 0.55 ? " late" : ""}`,
      transform: `translate(${places.x(node)} ${places.y(node)})`,
    },
    svg("circle", { r: 13, class: "reach" }),
    circle,
    svg(
      "text",
      { "text-anchor": "middle", dy: places.tight ? 3 : 3.7, class: places.tight ? "small" : null },
      node.order,
    ),
  );
}

function leaf(node, places, isTop, kind) {
  const text = readable(node.token);
  const wide = widthOf(text) + 16;
  const left = places.rows ? 2 : -wide / 2;
  return svg(
    "g",
    {
      class: `leaf${isTop ? ` top ${kind === "words" ? kindOf(node.token) : "main"}` : ""}`,
      transform: `translate(${places.x(node)} ${places.y(node)})`,
    },
    svg("rect", { x: left, y: -12, width: wide, height: 24, rx: 12 }),
    svg("text", { x: left + wide / 2, "text-anchor": "middle", dy: 5 }, text),
  );
}

// Where the nodes lie, before anything is drawn.

/**
 * The nodes of a tree as the service writes it (a leaf {token, depth}, a node {order, left, right}), root first.
 * Each has `parent`, `children`, `depth`, `first` and `last` (the leaves it covers), and `along`: its place in
 * reading order, a leaf's number or the middle of the two children.
 */
function laidOut(tree) {
  const nodes = [];
  let leaves = 0;
  function visit(data, parent, depth) {
    const node = { parent, depth, children: [], order: data.order ?? null, token: data.token ?? null };
    nodes.push(node);
    if (node.token !== null) {
      node.first = node.last = node.along = leaves++;
      return node;
    }
    node.children = [visit(data.left, node, depth + 1), visit(data.right, node, depth + 1)];
    node.first = node.children[0].first;
    node.last = node.children[1].last;
    node.along = (node.children[0].along + node.children[1].along) / 2;
    return node;
  }
  visit(tree, null, 0);
  return nodes;
}

/** The leaf nearest to the root, of equals the first. */
function shallowest(nodes) {
  return leavesOf(nodes).reduce((best, leaf) => (leaf.depth < best.depth ? leaf : best));
}

const leavesOf = (nodes) => nodes.filter((node) => node.token !== null);

/** The node that an arrow key leads to: up to the parent, down to the first child, sideways to the neighbour. */
function stepFrom(nodes, node, way) {
  if (way === "parent") return node.parent;
  if (way === "child") return node.children[0] ?? null;
  const level = nodes.filter((other) => other.depth === node.depth).sort((a, b) => a.along - b.along);
  return level[level.indexOf(node) + (way === "next" ? 1 : -1)] ?? null;
}
