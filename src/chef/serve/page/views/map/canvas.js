// The map's canvas: a view of the plane that is moved and zoomed by mouse, finger, wheel and keys, and its dots.

import { mainOf } from "../../tools/words.js";

const [LEAST, MOST] = [0.9, 60];
const SHARE = 0.9; // of the window is filled by the plane at first

/** The window over `canvas`; `moved()` after each change, `tapped(x, y)` for a click that moved nothing. */
export function viewportOn(canvas, { moved, tapped }) {
  const view = { scale: 1, x: 0, y: 0 }; // places in 0..1 -> pixels: place * size * scale + offset
  const fingers = new Map();
  let travelled = 0;
  const wide = () => canvas.clientWidth * SHARE;
  const high = () => canvas.clientHeight * SHARE;

  function home() {
    view.scale = 1;
    view.x = (canvas.clientWidth - wide()) / 2;
    view.y = (canvas.clientHeight - high()) / 2;
    moved();
  }

  function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
    const change = scale / view.scale;
    // The place under the pointer stays under it.
    view.x = x - (x - view.x) * change;
    view.y = y - (y - view.y) * change;
    view.scale = scale;
    moved();
  }

  function shift(dx, dy) {
    view.x += dx;
    view.y += dy;
    moved();
  }

  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.hypot(a.x - b.x, a.y - b.y) };
  };

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), event.offsetX, event.offsetY);
    },
    { passive: false },
  );
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (fingers.size === 1) travelled = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const before = fingers.size === 2 ? spread() : null;
    const now = { x: event.offsetX, y: event.offsetY };
    fingers.set(event.pointerId, now);
    travelled += Math.hypot(now.x - last.x, now.y - last.y);
    if (before) {
      const after = spread();
      zoom(after.wide / Math.max(1, before.wide), after.x, after.y);
      shift(after.x - before.x, after.y - before.y);
    } else if (fingers.size === 1) shift(now.x - last.x, now.y - last.y);
  });
  const lifted = (event) => {
    const wasDown = fingers.delete(event.pointerId);
    if (wasDown && event.type === "pointerup" && travelled < 6) tapped(event.offsetX, event.offsetY);
  };
  canvas.addEventListener("pointerup", lifted);
  canvas.addEventListener("pointercancel", lifted);

  return {
    home,
    zoom,
    shift,
    isHeld: () => fingers.size > 0,
    toScreen: (point) => [point.x * wide() * view.scale + view.x, point.y * high() * view.scale + view.y],
    get scale() {
      return view.scale;
    },
  };
}

const ROOM = 9000; // square pixels for a name
const LONGEST = 26; // letters of a name
const CROWD = 5000; // more dots than this are drawn without their edges
const MARGIN = 20; // pixels around the window where a dot still shows

/** Draw points on a canvas through a view. `only` dims all other main ingredients, `chosen` gets a ring. */
export function paintMap(canvas, view, points, { only, chosen }) {
  const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio || 1];
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const radius = radiusOf(points.length, view.scale);
  context.strokeStyle = style.getPropertyValue("--dot-edge");
  const seen = [];
  for (const point of points) {
    const [x, y] = view.toScreen(point);
    if (x < -MARGIN || y < -MARGIN || x > width + MARGIN || y > height + MARGIN) continue;
    const isDim = only !== null && mainOf(point) !== only;
    context.globalAlpha = isDim ? 0.12 : 0.92;
    context.fillStyle = point.colour;
    dot(context, x, y, radius, points.length < CROWD);
    if (!isDim) seen.push([x, y, point]);
  }
  context.globalAlpha = 1;
  write(context, seen, radius, style, chosen, [width, height]);
  if (chosen) ring(context, view.toScreen(chosen), radius, style.getPropertyValue("--accent"));
}

function radiusOf(count, scale) {
  const least = count > 3000 ? 2.2 : count > 600 ? 3.6 : 5.5;
  return Math.min(11, least * Math.sqrt(scale));
}

function dot(context, x, y, radius, withEdge) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fill();
  if (withEdge) context.stroke();
}

// As many names as there is room for, none on another; the dot that has a card needs none.
function write(context, seen, radius, style, chosen, [width, height]) {
  context.font = `13px ${style.fontFamily}`;
  context.fillStyle = style.color;
  context.strokeStyle = style.getPropertyValue("--sheet");
  context.lineWidth = 3;
  context.lineJoin = "round";
  const most = (width * height) / ROOM;
  const taken = [];
  for (const [x, y, point] of seen) {
    if (taken.length >= most) break;
    const { title } = point;
    const name = title.length > LONGEST ? `${title.slice(0, LONGEST - 1).trimEnd()}…` : title;
    const box = { left: x + radius + 4, top: y - 12, width: context.measureText(name).width + 12, height: 24 };
    if (point === chosen || box.left + box.width > width || taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    context.strokeText(name, box.left, y + 4.5);
    context.fillText(name, box.left, y + 4.5);
  }
}

const overlap = (a, b) =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;

function ring(context, [x, y], radius, colour) {
  context.lineWidth = 3;
  context.strokeStyle = colour;
  context.beginPath();
  context.arc(x, y, radius + 4, 0, 7);
  context.stroke();
}
