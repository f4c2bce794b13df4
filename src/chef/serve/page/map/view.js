// A window on a plane: moved and zoomed by mouse, finger, wheel and keys.

const [LEAST, MOST] = [0.9, 60];
const SHARE = 0.9; // of the window is filled by the plane at first

/** The window over `canvas`; `moved()` after each change, `tapped(x, y)` for a click that moved nothing. */
export function viewOn(canvas, { moved, tapped }) {
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
