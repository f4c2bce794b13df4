"""The action of a sentence: the word that names what the cook does.

A logistic regression says of each word how likely a cook would name it, from the word, its neighbours and the
word that opens its clause ("in a bowl, MIX", "when it boils, REDUCE"). What it learned from labelled steps
is in tables/actions.tsv, and the verbs with which recipes begin sentences in tables/cooking_verbs.tsv
(benchmarks/teacher_actions.py measures it, and writes both).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import exp

from chef.files import rows
from chef.text.tokens import plain, sentences, without_accents
from chef.text.verbs import lemma

SURE = 0.5  # people are told an action from this confidence on
_TOKEN = re.compile(r"\d+(?:[./]\d+)*|[^\W\d_]+(?:['-][^\W\d_]+)*|[^\w\s]")
# Words that open a clause with another purpose than an order.
_OPENERS = frozenset(
    "when while once if after until till as before since because that which so where unless although though"
    " how what than in on with for using by over at from into to without during and then or but".split()
)
_ENDINGS = ("ly", "ing", "ed", "s")
# They name no work where another word of the sentence does: LET it REST, USE a fork to MASH them.
_LIGHT = frozenset("allow begin continue help let make start try use".split())
_HELPING = frozenset("be can do have may need will".split())
_NOT = frozenset(("not", "never", "don't", "cannot"))
_PREFIXES = ("de", "over", "par", "pre", "re")


@dataclass(frozen=True, slots=True)
class Action:
    """What the cook does in a sentence."""

    word: str  # as written, in lower case
    confidence: float  # how likely a cook would say so, 0 to 1


class ActionTagger:
    """Finds the actions of sentences by the weights of their features.

    >>> ActionTagger({"word stir": 2.0})("Stir it.").word
    'stir'
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = weights

    def __call__(self, sentence: str) -> Action | None:
        """The likeliest verb, of nearly equals the first; None where there is no verb."""
        found = []
        for word, features in candidates(sentence):
            score = sum(self.weights.get(feature, 0.0) for feature in features)
            found.append(Action(word, 1 / (1 + exp(-score))))
        best = max(found, key=lambda one: one.confidence, default=None)
        for share in (0.9, 0.3):
            for one in found:
                if best and one.confidence >= share * best.confidence and one.word not in _LIGHT:
                    return one
        return best


def action(sentence: str) -> Action | None:
    """What the cook does in a sentence.

    >>> action("Once it is brown, turn off the heat.").word
    'turn'
    """
    return taught_actions()(sentence)


def actions(step: str) -> list[Action | None]:
    """What the cook does in each sentence of a step.

    >>> [one.word for one in actions("In a pot, brown the meat. Let it rest.")]
    ['brown', 'rest']
    """
    return [action(sentence) for sentence in sentences(step)]


@cache
def taught_actions() -> ActionTagger:
    """The tagger that learned from all labelled steps."""
    return ActionTagger({feature: float(weight) for feature, weight in rows("chef.teacher", "actions.tsv")})


def words_and_marks(sentence: str) -> list[str]:
    """
    >>> words_and_marks("Pre-heat the oven (180 °C).")
    ['pre-heat', 'the', 'oven', '(', '180', '°', 'c', ')', '.']
    """
    return _TOKEN.findall(plain(sentence).lower())


def candidates(sentence: str) -> Iterator[tuple[str, list[str]]]:
    """The verbs of a sentence with their features, but for what only helps or must not be done."""
    tokens = ["^", *words_and_marks(sentence), "$"]
    sorts = [_sort(token) for token in tokens]
    marks = [token for token in tokens if not token[0].isalnum()]
    opener, verbs = "", 0
    for i in range(1, len(tokens) - 1):
        word, sort, before, after = tokens[i], sorts[i], tokens[i - 1], tokens[i + 1]
        if not word[0].isalpha():
            if not word[0].isdigit():
                opener = ""
                marks.pop(0)
            continue
        clause = opener if opener in _OPENERS else "ing" if opener.endswith("ing") else "*" if opener else ""
        if (verb := verb_of(word)) and verb not in _HELPING and before not in _NOT:
            yield (
                word,
                [
                    f"word {word}",
                    f"is {sort}",
                    f"after {before}",
                    f"before {after}",
                    f"{sort} after {sorts[i - 1]}",
                    f"{sort} before {sorts[i + 1]}",
                    f"{sort} in {clause}",
                    f"{sort} until {marks[1]}",
                    f"{sort} verbs {min(verbs, 2)}",
                ],
            )
        opener = opener or word
        verbs += sort in ("often", "sometimes")


@cache
def _cooking_verbs() -> dict[str, str]:
    table = rows("chef.teacher", "cooking_verbs.tsv")
    return {verb: often for often, verbs in table for verb in verbs.split()}


@lru_cache(maxsize=1 << 16)
def _sort(token: str) -> str:
    """A sign itself, "#" for a number, how often a verb opens sentences of recipes, an ending, or "other"."""
    if not token[0].isalpha():
        return "#" if token[0].isdigit() else token
    if token in _cooking_verbs():
        return _cooking_verbs()[token]
    ending = next((ending for ending in _ENDINGS if token.endswith(ending)), None)
    return ending or ("verb" if verb_of(token) else "other")


def verb_of(word: str) -> str | None:
    """The verb that the word is a form of, by WordNet; of words with a hyphen the last counts.

    Most words with a hyphen are adjectives: the last part must be a verb that recipes use, or come after a
    verb or a prefix.

    >>> verb_of("sautéing"), verb_of("stir-fry"), verb_of("sashimi-grade"), verb_of("peas")
    ('saute', 'fry', None, None)
    """
    front, _, last = without_accents(word).rpartition("-")
    is_verb = not front or last in _cooking_verbs() or front in _PREFIXES or lemma(front)
    return lemma(last) if is_verb else None
