"""The grammar of dishes: every family the kitchen can cook."""

from chef.data.kitchen.dishes import bakes, bread, breakfast, hands, oven, pasta, plates, rice, soups, stews
from chef.data.kitchen.grammar import Family

FAMILIES: tuple[Family, ...] = (
    *soups.FAMILIES,
    *stews.FAMILIES,
    *pasta.FAMILIES,
    *rice.FAMILIES,
    *plates.FAMILIES,
    *hands.FAMILIES,
    *oven.FAMILIES,
    *bread.FAMILIES,
    *bakes.FAMILIES,
    *breakfast.FAMILIES,
)
