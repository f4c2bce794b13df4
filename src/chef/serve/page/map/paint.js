// The map's picture: dots, the names of the few that are in sight, and a ring around the one looked at.

const NAMED = 45; // so few dots in sight are written out
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
    const isDim = only !== null && point.main_ingredient !== only;
    context.globalAlpha = isDim ? 0.12 : 0.92;
    context.fillStyle = point.colour;
    dot(context, x, y, radius, points.length < CROWD);
    if (!isDim) seen.push([x, y, point]);
  }
  context.globalAlpha = 1;
  if (seen.length <= NAMED) write(context, seen, radius, style, chosen);
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

// Names that would lie on another name are left out, and so is the one that has a card.
function write(context, seen, radius, style, chosen) {
  context.font = `13px ${style.fontFamily}`;
  context.fillStyle = style.color;
  const taken = [];
  for (const [x, y, point] of seen) {
    const box = { left: x + radius + 4, top: y - 8, width: context.measureText(point.title).width, height: 16 };
    if (point === chosen || taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    context.fillText(point.title, box.left, y + 4.5);
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
