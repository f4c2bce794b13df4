"""Words that name an ingredient in an ingredient list but often mean something else alone in a sentence."""

from __future__ import annotations

# An action (to mince, to toast, to wrap), a part or shape (a clove of garlic, celery ribs, chips), a dish
# (curry, chili), or only the kind of a thing with a longer name: pepper is a bell pepper as often as black
# pepper. In titles and instructions they stay words, and none becomes the token of a longer name.
AMBIGUOUS = frozenset(
    """
    accent adobo bean biscuit bone buffalo bun caramel casing chili chip chop chuck clove coleslaw
    crisp crumb curd curry cutlet dip discard dressing dripping file filling flank fluff frank fruit
    gravy ground hamburger herb ice juice leaf liquid malt meat mince mix nut pepper protein pudding
    ramp rib roll round rub rye season seasoning seed shell slaw soda sourdough soy spice sponge
    spread sprinkle starter stew stick stuffing syrup toast top topping vegetable veggie wrap zest
    """.split()
)
