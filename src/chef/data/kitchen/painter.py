"""The painter: a dish becomes a photo."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PIL import Image

from chef.data.kitchen.paint import scenes_dough, scenes_hand, scenes_items, scenes_plate
from chef.data.kitchen.paint.canvas import Canvas
from chef.data.kitchen.paint.light import Light, shade
from chef.data.kitchen.paint.scenes_plate import Places
from chef.data.kitchen.paint.table import TABLES, table
from chef.data.kitchen.paint.textures import generator
from chef.data.kitchen.paint.vessels import Room, lay

if TYPE_CHECKING:
    from chef.data.kitchen.dish import Dish

SCENES: dict[str, Callable[[Canvas, Places, Room], None]] = {
    "mound": scenes_plate.mound,
    "soup": scenes_plate.soup,
    "sections": scenes_plate.sections,
    "bowl_sectors": scenes_plate.bowl_sectors,
    "porridge": scenes_plate.bowl_sectors,
    "tray": scenes_plate.tray,
    "pizza": scenes_dough.pizza,
    "pie": scenes_dough.pie,
    "tart": scenes_dough.tart,
    "cake": scenes_dough.cake,
    "omelette": scenes_dough.omelette,
    "loaf": scenes_dough.loaf,
    "brownies": scenes_dough.brownies,
    "cookies": scenes_items.cookies,
    "muffins": scenes_items.muffins,
    "patties": scenes_items.patties,
    "dumplings": scenes_items.dumplings,
    "sushi": scenes_items.sushi,
    "burger": scenes_hand.burger,
    "sandwich": scenes_hand.sandwich,
    "tacos": scenes_hand.tacos,
    "toasts": scenes_hand.toasts,
    "wraps": scenes_hand.wraps,
    "stuffed": scenes_hand.stuffed,
    "pancakes": scenes_items.pancakes,
    "skewers": scenes_hand.skewers,
    "glass": scenes_items.glass,
}


def paint(dish: Dish, size: int = 256, view: int = 0) -> Image.Image:
    """Draw the plate twice as large as asked, light it, and bring it down to size.

    The table and the vessel belong to the dish; arrangement, light and camera to the photo (`view`).
    """
    plan = dish.plan
    setting = generator("setting", plan.seed, plan.index)
    photo = generator("photo", plan.seed, plan.index, view)
    camera = generator("camera", plan.seed, plan.index, view)  # its own stream: a swap keeps the light
    number = int(setting.integers(len(TABLES)))
    canvas = Canvas(2 * size, setting)
    canvas.table = table(number, canvas.size)
    room = lay(canvas, plan.vessel)
    canvas.rng = photo
    SCENES[dish.scene](canvas, _places(dish), room)
    picture = shade(canvas, Light.drawn(camera))
    # The camera: a little closer or farther, off the middle, and tilted (which flattens the plate).
    width = camera.uniform(0.9, 1.0) * canvas.size
    height = min(canvas.size, width * camera.uniform(1.0, 1.12))
    left = (canvas.size - width) * camera.uniform(0.3, 0.7)
    top = (canvas.size - height) * camera.uniform(0.3, 0.7)
    return picture.resize((size, size), Image.Resampling.HAMMING, box=(left, top, left + width, top + height))


def _places(dish: Dish) -> Places:
    places: Places = {}
    for layer in dish.layers:
        places.setdefault(layer.place, []).append(layer)
    return places
