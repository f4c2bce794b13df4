"""Groups of foods, such as nuts or dairy, by the words that name them.

`tables/groups.tsv` is the table. Where two of its phrases overlap in a group the longer one decides: milk is
dairy, coconut milk is not. This is a table of words, not allergy advice.
"""

from collections.abc import Collection, Sequence
from enum import IntEnum
from functools import cache

from chef.files import rows
from chef.food import DERIVED
from chef.text.words import key, keys

# Shown wherever something is left out by its name.
ALLERGY_NOTICE = (
    "Filters read the words of a recipe; they cannot know traces or brands and are no allergy advice."
)
# What each diet leaves out. Rennet in cheese and fining in wine are not named in recipes.
DIETS = {
    "pescatarian": ("meat",),
    "vegetarian": ("meat", "seafood"),
    "vegan": ("meat", "seafood", "dairy", "eggs", "honey"),
}
ALIASES = {"milk": "dairy", "sulfites": "sulphites", "mollusks": "molluscs", "shellfishes": "shellfish"}
BREAK = ""  # between words that do not belong together: no phrase goes across it
_REST = "*"  # ends a phrase that takes all words that follow
_STOPS = frozenset((BREAK, "and", "or", "with", "plus"))  # where what follows ends
_NEGATIONS = frozenset(("no", "without", "minus"))
_OTHER = "@"  # begins the name of another group that belongs to this one

Words = tuple[str, ...]


class Membership(IntEnum):
    """How a food belongs to a group: not at all, by brand or choice, as made with it, or as one of it."""

    NOT = 0
    MAY = 1
    MADE = 2
    IN = 3


@cache
def _tables() -> tuple[dict[str, dict[Words, Membership]], dict[str, tuple[str, ...]]]:
    """The phrases of each group or word, and the groups that belong to a group."""
    table: dict[str, dict[Words, Membership]] = {}
    included: dict[str, tuple[str, ...]] = {}
    for group, how, phrases in rows("chef.food", "groups.tsv"):
        own, entry = table.setdefault(group, {}), Membership[how.upper()]
        for phrase in phrases.split(", "):
            if phrase[0] == _OTHER:
                included[group] = (*included.get(group, ()), phrase[1:])
                continue
            words = words_of(phrase)
            own[words] = entry
            if key(plural := f"{words[-1]}s") != words[-1]:  # a plural that no dictionary knows: lardons
                own.setdefault((*words[:-1], plural), entry)
    return table, included


@cache
def groups() -> dict[str, dict[Words, Membership]]:
    """The phrases of each group as singular words, and how they belong to it."""
    table, included = _tables()
    return {name: words for name, words in table.items() if any(words.values()) or name in included}


@cache
def lookalikes() -> dict[str, frozenset[Words]]:
    """For a word the names that end in it and are something else: peanut butter is no butter."""
    return {name: frozenset(words) for name, words in _tables()[0].items() if name not in groups()}


@cache
def _first_words() -> dict[str, frozenset[str]]:
    """The groups that have a phrase which begins with a word."""
    first: dict[str, set[str]] = {}
    for group, phrases in groups().items():
        for phrase in phrases:
            first.setdefault(phrase[0], set()).add(group)
    for group, others in _tables()[1].items():
        for names in first.values():
            if not names.isdisjoint(others):
                names.add(group)
    return {word: frozenset(names) for word, names in first.items()}


@cache
def _lengths() -> dict[str, int]:
    """By their first word, how many words the longest phrase has."""
    lengths: dict[str, int] = {}
    for phrase in (phrase for phrases in groups().values() for phrase in phrases):
        lengths[phrase[0]] = max(lengths.get(phrase[0], 0), len(phrase))
    return lengths


def named(
    words: Sequence[str], ignored: Collection[str] = (), *, in_text: bool = False, but: Collection[str] = ()
) -> dict[str, Membership]:
    """The groups of which a text names something; words: its keys, BREAK where a comma or a bracket is.

    ignored: phrases made of these words alone name nothing here. in_text: in a sentence, where what stands
    beside an "or" is only a choice. but: groups that need not be looked for.

    >>> named(("almond", "milk", BREAK, "butter"))["dairy"].name
    'IN'
    """
    found = _candidates(words)
    skipped = frozenset(ignored)
    memberships = {
        group: _best(group, words, found, skipped, in_text)[0] for group in found if group not in but
    }
    return {group: one for group, one in memberships.items() if one}


def lookalikes_in(words: Sequence[str]) -> dict[str, set[str]]:
    """For each group the words of a text that name something else: the milk in "almond milk"."""
    found = _candidates(words)
    masked = {group: _best(group, words, found)[1] for group in found}
    return {group: {words[at] for at in places} for group, places in masked.items() if places}


Places = dict[str, list[int]]


def _candidates(words: Sequence[str]) -> Places:
    """For each group the places where one of its phrases may begin."""
    first, found = _first_words(), Places()
    for at, word in enumerate(words):
        for group in first.get(word, ()):
            found.setdefault(group, []).append(at)
    return found


def _best(
    group: str,
    words: Sequence[str],
    places: Places,
    ignored: frozenset[str] = frozenset(),
    in_text: bool = False,
    masked: frozenset[int] = frozenset(),
) -> tuple[Membership, frozenset[int]]:
    """How the words belong to the group at most, and which of them name something else."""
    phrases, best, others, end, denied = groups()[group], Membership.NOT, set(masked), 0, False
    for at in places.get(group, ()):
        if at < end:  # inside the last phrase
            continue
        length, one = _longest(phrases, words, at)
        end = at + length
        if one is Membership.NOT:
            others.update(range(at, end))
            denied |= words[end - 1] == "free"
        elif one and others.isdisjoint(range(at, end)) and not ignored.issuperset(words[at:end]):
            if at and words[at - 1] in _NEGATIONS:
                one, denied = Membership.NOT, True
            elif in_text and "or" in _beside(words, at, end):
                one = Membership.MAY
            elif one is Membership.IN and end < len(words) and words[-1] in DERIVED:
                one = Membership.MADE  # walnut oil, but not soy sauce, which is in the table as such
            best = max(best, one)
    if denied and best is Membership.MAY:  # stock powder, celery-free
        best = Membership.NOT
    own = frozenset(others)
    for other in _tables()[1].get(group, ()):
        best = max(best, _best(other, words, places, ignored, in_text, own)[0])
    return best, own


def _beside(words: Sequence[str], start: int, end: int) -> tuple[str, str]:
    """The words before and after a place, across commas."""
    before = next((word for word in reversed(words[:start]) if word != BREAK), "")
    return before, next((word for word in words[end:] if word != BREAK), "")


def _longest(
    phrases: dict[Words, Membership], words: Sequence[str], at: int
) -> tuple[int, Membership | None]:
    """How many words the longest phrase from a place on takes, and how it belongs; None: there is none."""
    most = min(len(words) - at, _lengths()[words[at]])
    for length in range(most, 0, -1):
        phrase = tuple(words[at : at + length])
        if (entry := phrases.get((*phrase, _REST))) is not None:
            end = at + length
            while end < len(words) and words[end] not in _STOPS:
                end += 1
            if end > at + length:
                return end - at, entry
        if (entry := phrases.get(phrase)) is not None:
            return length, entry
    return 1, None


def has(group: str, token: str) -> bool:
    """Whether an ingredient contains something of the group, if only as broth or oil, or may contain it.

    >>> has("dairy", "sour_cream"), has("dairy", "coconut_milk"), has("poultry", "chicken_broth")
    (True, False, True)
    """
    return membership(group, token) > Membership.NOT


def is_one(group: str, token: str) -> bool:
    """Whether an ingredient is itself a member of the group.

    >>> is_one("poultry", "chicken_breasts"), is_one("poultry", "chicken_broth")
    (True, False)
    """
    return membership(group, token) is Membership.IN


@cache
def membership(group: str, token: str) -> Membership:
    """How an ingredient belongs to a group."""
    words = words_of(token)
    return _best(group, words, _candidates(words))[0]


@cache
def words_of(name: str) -> Words:
    """The singular words of a token, a name or a phrase of the table."""
    words = keys(name)
    return (*words, _REST) if name.endswith(_REST) else words
