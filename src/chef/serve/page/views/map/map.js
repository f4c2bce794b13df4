// The map view: every recipe is a dot in the colour of its main ingredient; similar dishes are close together.

import { addressOf, picture } from "../../card.js";
import { colourOf } from "../../plate/foods.js";
import { tokensOf } from "../recipe/ingredients.js";
import * as api from "../../tools/api.js";
import { h, icon, put } from "../../tools/dom.js";
import { complain, say } from "../../tools/notices.js";
import { count, mainOf, readable } from "../../tools/words.js";
import { paintMap, viewportOn } from "./canvas.js";

const REACH = 22; // pixels around a dot that count as on it
const LINGER = 200; // milliseconds on a dot before its picture is asked for
const SHOWN = 8; // main ingredients in the legend

export function mapView() {
  const canvas = h("canvas", {
    tabindex: 0,
    role: "application",
    "aria-label": "Map of recipes. Arrow keys move between dishes, Enter opens one, plus and minus zoom.",
    "aria-describedby": "map-here",
  });
  const here = h("div", { class: "map-here", id: "map-here", hidden: true });
  const legend = h("ul", { class: "map-legend", "aria-label": "Main ingredients" });
  const status = h("p", { class: "status" }, "Drawing the map …");
  const frame = h(
    "div",
    { class: "map-frame" },
    canvas,
    here,
    h(
      "div",
      { class: "map-zoom" },
      [
        ["+", 1.5, "Zoom in"],
        ["−", 1 / 1.5, "Zoom out"],
      ].map(([sign, factor, label]) =>
        h("button", { type: "button", class: "round", "aria-label": label, onclick: () => zoom(factor) }, sign),
      ),
      h(
        "button",
        { type: "button", class: "round", "aria-label": "Show the whole map", onclick: () => view.home() },
        icon("map"),
      ),
    ),
  );
  const element = h(
    "div",
    { class: "map" },
    h("div", { class: "map-head" }, h("h1", {}, "Recipe map"), status),
    legend,
    frame,
  );
  let points = [];
  let chosen = null; // the dot looked at
  let only = null; // the main ingredient picked in the legend
  let asked = false;
  let drawing = 0;
  let lingering = 0;

  const view = viewportOn(canvas, { moved: draw, tapped });

  function draw() {
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(paint);
  }

  function paint() {
    if (!canvas.clientWidth) return;
    paintMap(canvas, view, points, { only, chosen });
    placeCard();
  }

  function at(x, y) {
    let best = null;
    for (const point of points) {
      if (only !== null && mainOf(point) !== only) continue;
      const [px, py] = view.toScreen(point);
      const away = Math.hypot(px - x, py - y);
      if (away < REACH && (!best || away < best.away)) best = { point, away };
    }
    return best?.point ?? null;
  }

  function choose(point) {
    if (chosen === point) return;
    chosen = point;
    const shown = h("div", { class: "map-picture", hidden: true });
    put(
      here,
      point &&
        h(
          "a",
          { href: addressOf(point.id) },
          shown,
          h("b", {}, point.title),
          mainOf(point) && h("span", { class: "main-word" }, readable(mainOf(point))),
        ),
    );
    here.hidden = !point;
    draw();
    clearTimeout(lingering);
    if (point) lingering = setTimeout(() => picturePoint(point, shown), LINGER);
  }

  // Who stays on a dot sees the dish.
  async function picturePoint(point, shown) {
    try {
      const about = await api.recipe(point.id);
      put(
        shown,
        picture({
          ...about,
          id: point.id,
          title: point.title,
          ingredients: tokensOf({ recipe: about.recipe, about }),
        }),
      );
      shown.hidden = false;
      draw();
    } catch (error) {
      complain(error);
    }
  }

  function placeCard() {
    if (!chosen) return;
    const [x, y] = view.toScreen(chosen);
    const left = Math.min(Math.max(8, x - here.offsetWidth / 2), canvas.clientWidth - here.offsetWidth - 8);
    here.style.setProperty("left", `${left}px`);
    here.style.setProperty("top", `${y > here.offsetHeight + 20 ? y - here.offsetHeight - 14 : y + 16}px`);
  }

  function tapped(x, y) {
    const point = at(x, y);
    // A mouse has looked before it clicks; a finger looks with its first tap.
    if (point && point === chosen) location.hash = addressOf(point.id);
    else choose(point);
  }

  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" && !view.isHeld()) {
      const point = at(event.offsetX, event.offsetY);
      canvas.classList.toggle("on-dot", point !== null);
      if (point) choose(point);
    }
  });
  canvas.addEventListener("keydown", (event) => {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (way) walk(way);
    else if (event.key === "Enter" && chosen) location.hash = addressOf(chosen.id);
    else if (event.key === "Escape" && chosen) choose(null);
    else if (event.key === "+" || event.key === "=") zoom(1.4);
    else if (event.key === "-") zoom(1 / 1.4);
    else if (event.key === "0") view.home();
    else return;
    event.preventDefault();
  });

  // Towards the dot looked at, if there is one.
  const zoom = (factor) => view.zoom(factor, ...(chosen ? view.toScreen(chosen) : []));

  function walk([dx, dy]) {
    const [x, y] = chosen ? view.toScreen(chosen) : [canvas.clientWidth / 2, canvas.clientHeight / 2];
    let best = null;
    for (const point of points) {
      if (point === chosen || (only !== null && mainOf(point) !== only)) continue;
      const [px, py] = view.toScreen(point);
      const ahead = (px - x) * dx + (py - y) * dy;
      const cost = Math.hypot(px - x, py - y) + 2 * (Math.abs((px - x) * dy) + Math.abs((py - y) * dx));
      if ((ahead > 0 || !chosen) && (!best || cost < best.cost)) best = { point, cost };
    }
    if (!best) return;
    choose(best.point);
    say(best.point.title);
    const [px, py] = view.toScreen(best.point);
    const out = (value, most) => (value < 40 ? 40 - value : value > most - 40 ? most - 40 - value : 0);
    view.shift(out(px, canvas.clientWidth), out(py, canvas.clientHeight));
  }

  function signs() {
    const counts = new Map();
    for (const main of points.map(mainOf)) if (main) counts.set(main, (counts.get(main) ?? 0) + 1);
    const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, SHOWN);
    put(
      legend,
      most.map(([main, number]) => {
        const dot = h("span", { class: "dot" });
        dot.style.setProperty("background", colourOf(main));
        return h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "chip",
              "aria-pressed": String(only === main),
              onclick: () => pick(main),
            },
            dot,
            readable(main),
            h("small", {}, number),
          ),
        );
      }),
    );
  }

  function pick(main) {
    only = only === main ? null : main;
    choose(null);
    signs();
    draw();
  }

  async function load() {
    asked = true;
    try {
      points = (await api.map()).points.map((point) => ({
        ...point,
        colour: colourOf(point.main_ingredient),
      }));
      status.textContent = points.length
        ? `${count(points.length, "recipe")}. Similar dishes are close together.`
        : "No recipes yet.";
    } catch (error) {
      status.textContent = error.message;
      asked = false;
    }
    choose(null);
    signs();
    view.home();
  }

  let width = 0;
  new ResizeObserver(() => {
    if (!canvas.clientWidth) return;
    if (!width) view.home();
    width = canvas.clientWidth;
    draw();
  }).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  document.addEventListener("collection", () => (asked = false));

  return {
    element,
    title: "Map",
    enter() {
      if (!asked) load();
      else draw();
    },
  };
}
