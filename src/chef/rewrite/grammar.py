"""Small facts of English around a noun: what may stand before and after it."""

from __future__ import annotations

import re

from chef.text.verbs import lemma
from chef.text.words import key

# Before a noun: one of it, or several counted ones.
ONE = frozenset("a an each every one another".split())
SEVERAL = frozenset("two three four five six seven eight nine ten twelve both several many few".split())
NUMBER = re.compile(r"(?:\d+|[¼-¾⅐-⅞])\s*$")

# After a noun these begin something new; any other word beside it in a title belongs to it: apple [pie].
FUNCTION = frozenset(
    """
    a an and as at before by during for from if in into is are was were has have inside like of off on onto or
    over per plus so that the then through to together under until up when where which while will with without
    must should can could may might would
    à la al alla con de del et in mit und
    """.split()
)
# Nouns that a name stands in front of in a sentence: the chicken mixture.
HEADS = frozenset(
    """
    mixture piece cube strip slice chunk filling side layer wedge half quarter batter puree purée mix salad
    pie curry skewer roll ball patty stew soup bake casserole taco sandwich burger kebab sauce topping
    marinade bit ring
    """.split()
)
PLURAL_VERB = {
    "is": "are", "has": "have", "was": "were", "isn't": "aren't", "hasn't": "haven't", "does": "do",
    "keeps": "keep", "needs": "need", "looks": "look", "turns": "turn", "becomes": "become",
    "starts": "start", "begins": "begin", "cooks": "cook", "feels": "feel", "reaches": "reach",
    "releases": "release", "registers": "register", "flakes": "flake", "comes": "come", "gets": "get",
}  # fmt: skip
SINGULAR_VERB = {many: one for one, many in PLURAL_VERB.items()}

_VESSEL = (
    r"(?:pan|pans|dish|dishes|tin|tins|mold|molds|mould|moulds|sheet|sheets|ramekin|ramekins|casserole|skillet|"
    r"tray|trays|cups|griddle|grill|grate|rack|bowl|parchment|foil|paper|sides|bottom|inside)\b"
)
_OBJECT = r"(?=\s+(?:a|an|the|your|each|both|one|two|three|four|\d+|muffin|ramekins|sides|all)\b)"
_AT_START = r"(?:(?<=^)|(?<=[.;:!?]\s)|(?<=[.;:!?]\s\s))(?:(?:Lightly|Generously|Well|Heavily)\s+)?"


def greasing(word: str) -> re.Pattern[str]:
    """A pattern for a fat's name used as a verb on a vessel: "butter a deep dish", "oil and flour the pan".

    The word itself is group 1.
    """
    near = rf"(?=[^.;]{{0,60}}?\b{_VESSEL})"
    return re.compile(
        rf"(?:{_AT_START}|\b(?:and|then|lightly|generously|well)\s+)"
        rf"\b({re.escape(word)})\b(?:{_OBJECT}|(?=\s+and\s+(?:flour|line|sugar|dust)\b)){near}",
        re.I,
    )


def is_verb(text: str, word: str, at: int) -> bool:
    """Whether an ingredient's name at this place of a text opens a sentence as its verb.

    >>> is_verb("Salt the water.", "Salt", 0), is_verb("Salt is added.", "Salt", 0)
    (True, False)
    """
    pattern = re.compile(rf"{_AT_START}\b({re.escape(word)})\b{_OBJECT}", re.I)
    return any(match.start(1) == at for match in pattern.finditer(text))


def is_noun(word: str) -> bool:
    """Whether a word beside a name is a thing that the name says more of, as in tomato [pesto]; by its looks.

    >>> is_noun("pesto"), is_noun("until"), is_noun("softens"), is_noun("evenly")
    (True, False, False, False)
    """
    small = word.lower()
    if key(small) in HEADS:
        return True
    return small not in FUNCTION and not small.endswith(("ly", "ing", "ed")) and lemma(small) is None


def is_titled(text: str) -> bool:
    """Whether the longer words of a title have capitals.

    >>> is_titled("Chicken with Rice"), is_titled("Chicken with rice")
    (True, False)
    """
    words = re.findall(r"[^\W\d_]{4,}", text)[1:]
    words = [word for word in words if word.lower() not in FUNCTION]
    return all(word[:1].isupper() for word in words)
