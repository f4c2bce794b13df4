"""What a name in a query asks of a recipe: an ingredient, a kind of dish, or a word of the title.

Kinds of dish and courses are in courses.tsv: a gazpacho is a soup, though its title does not say so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Sequence
from functools import cache, reduce
from operator import or_

from chef.files import rows
from chef.index.conditions import Condition, Has, SurelyMainIs
from chef.index.filters import IngredientResolver
from chef.index.spelling import counting
from chef.index.values import title_words
from chef.text.tokens import readable

# Courses that are no name of a dish themselves.
_DISHES = frozenset(
    "barbecue bbq breakfast brunch cold dinner lentil lunch noodle pasta rice side sweet vegetable".split()
)


def names_in(read: Sequence[str]) -> list[str]:
    """The names of ingredients and dishes in words: those of one kind of dish ("stir fry") are one name."""
    names: list[str] = []
    for word in dict.fromkeys(read):
        both = key(f"{names[-1]}_{word}") if names else ""
        if both in _courses() and " " in both:  # "soups soup" is no name of two words
            names[-1] = f"{names[-1]}_{word}"
        else:
            names.append(word)
    return counting(dict.fromkeys(names))


def in_title(name: str) -> Condition:
    """The title has all words of a name."""
    words = title_words(readable(name))
    return Has("words", words, every=len(words) > 1)


def is_kind(name: str) -> bool:
    """Whether a name is that of a course or a kind of dish."""
    return key(name) in _courses()


def dish_of(name: str) -> Condition | None:
    """The title names a dish of this course or kind in other words; None for what is neither."""
    names = [tuple(dict.fromkeys(other)) for other in _courses().get(key(name), ())]
    conditions: list[Condition] = [Has("words", other, every=True) for other in names if len(other) > 1]
    if single := [other[0] for other in names if len(other) == 1]:
        conditions.append(Has("words", single))
    return reduce(or_, conditions) if conditions else None


def described(name: str) -> str:
    """What a hit of `dish_of` is, as people say it.

    >>> described("stews"), described("dinner"), described("ice_cream")
    ('a kind of stew', 'a dinner dish', 'a kind of ice cream')
    """
    said = key(name)
    return f"a {said} dish" if said in _DISHES else f"a kind of {said}"


def tagged(name: str) -> Condition:
    """A soup need not be called one."""
    return Has("tags", list(dict.fromkeys((name, readable(name), key(name)))))


def meant(name: str, tokens: Collection[str], resolver: IngredientResolver) -> frozenset[str]:
    """The ingredients that a name means: one of `tokens`, or a word for many, such as beans."""
    if name in tokens:
        return resolver.resolve(readable(name))
    return frozenset() if is_kind(name) else resolver.general(readable(name))


def anywhere(name: str, tokens: Collection[str], resolver: IngredientResolver) -> Condition:
    """The title has a name or is such a dish, or it is a tag, or an ingredient that the list has."""
    wanted, kind = meant(name, tokens, resolver), dish_of(name)
    conditions = [in_title(name), tagged(name), *([kind] if kind else [])]
    return reduce(or_, [*conditions, Has("tokens", wanted)] if wanted else conditions)


def mainly(name: str, tokens: Collection[str], resolver: IngredientResolver) -> Condition:
    """What counts most: the same without ingredients that are only listed."""
    wanted, kind = meant(name, tokens, resolver), dish_of(name)
    if not wanted:
        return anywhere(name, tokens, resolver)
    conditions = [in_title(name), SurelyMainIs(wanted), *([kind] if kind else [])]
    return reduce(or_, conditions)


def key(name: str) -> str:
    """A name as titles are matched: stews is stew, stir_fry is "stir fry"."""
    return " ".join(title_words(readable(name)))


def taken_apart(
    token: str, said: Collection[str], canonical: Container[str], read: Callable[[str], Sequence[str]]
) -> Sequence[str]:
    """A canonical ingredient that is also the name of a dish as what that is made of, and the kind of dish.

    said: the words of the query; the name of the ingredient may say more, such as "condensed". read: the
    ingredients in words.

    >>> taken_apart("tomato_soup", ["tomato", "soup"], canonical, read)
    ('tomatoes', 'soup')
    """
    words = token.split("_")
    for at in range(1, len(words)):
        kind = "_".join(words[at:])
        if is_kind(kind) and kind not in canonical:
            made_of = " ".join(word for word in words[:at] if key(word) in said)
            return (*(read(made_of) if made_of else ()), kind)
    return (token,)


@cache
def _courses() -> dict[str, list[list[str]]]:
    """What people ask for by its course or kind, and the words of titles that are such dishes."""
    courses: dict[str, list[list[str]]] = {}
    for course, names in rows("chef.food", "courses.tsv"):
        courses.setdefault(key(course), []).extend(title_words(readable(name)) for name in names.split())
    return courses
