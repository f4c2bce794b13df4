"""Verbs: the paper's test (WordNet knows the word as a verb) and a stricter one (it is used as one here).

The published code lemmatised words as nouns; here the verb rules of WordNet's morphy are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from chef.files import rows, word_lists
from chef.text.tagger import pos_tag

# WordNet's rules of detachment for verbs: ending and what takes its place.
_ENDINGS = (
    ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
)  # fmt: skip
_MODIFIED = ("NN", "JJ")  # what follows a participle that is an adjective: chopped ONIONS
_OBJECT = ("DT", "PRP", "PRP$")  # what an order is followed by and a noun is not: dust IT, whisk THE eggs
_NAMES = ("DT", "PRP$", "JJ", "CD", "POS", "IN")  # what stands before a noun and not before an order
_THINGS = frozenset(word_lists("chef.text", "words.tsv")["thing"])
# Orders follow these directly: "and BAKE", "then STIR", "gently FOLD".
_JOINTS = frozenset("and then or to gently slowly carefully lightly quickly immediately".split())


@cache
def _wordnet() -> tuple[frozenset[str], dict[str, str]]:
    """Verbs, and irregular forms with the verb of each."""
    lines = [row[0].split() for row in rows("chef.text", "verbs.txt")]
    return frozenset(line[0] for line in lines if len(line) == 1), dict(
        line for line in lines if len(line) == 2
    )


@cache
def lemma(word: str) -> str | None:
    """The verb that `word` is a form of, by WordNet, or None.

    >>> lemma("chopped"), lemma("frying"), lemma("beef"), lemma("onion")
    ('chop', 'fry', 'beef', None)
    """
    lemmas, forms = _wordnet()
    if word in forms:
        return forms[word]
    if word in lemmas:
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and (stem := word[: len(word) - len(ending)] + instead) in lemmas:
            return stem
    return None


def is_verb(word: str) -> bool:
    """Whether WordNet knows the word as a verb: the paper's test for action words (Table 6)."""
    return lemma(word) is not None


def verbs(tokens: Sequence[str]) -> list[int]:
    """Positions of the words that are used as verbs in this sentence, by tagger and WordNet.

    >>> verbs(["brown", "the", "chopped", "onions", "and", "season", "them"])
    [0, 5]
    """
    if not tokens:
        return []
    # Taggers learned from news read an order as a noun; with a subject in front it becomes a statement.
    tags = pos_tag(["you", *tokens])[1:]
    return [i for i in range(len(tokens)) if _used_as_verb(tokens, tags, i)]


def _used_as_verb(tokens: Sequence[str], tags: Sequence[str], i: int) -> bool:
    word, tag = tokens[i], tags[i]
    base = lemma(word)
    if base is None:
        return False
    after = tags[i + 1] if i + 1 < len(tags) else ""
    # No subject-less sentence but an order begins with a bare verb, whatever the tagger says.
    if word == base and _order(tokens, tags, i, after):
        return True
    if tag == "VBG" and (i == 0 or tags[i - 1] in _NAMES):
        return False  # stirring constantly, before serving: how and when, not what
    participle = tag in ("VBN", "VBD", "VBG") and i > 0 and tags[i - 1] not in ("TO", "MD")
    if participle and after.startswith(_MODIFIED):
        return False  # chopped onions, boiling water
    return tag.startswith("VB") and not (word in _THINGS and after not in _OBJECT)


def _order(tokens: Sequence[str], tags: Sequence[str], i: int, after: str) -> bool:
    if i == 0:
        return tags[i] not in ("DT", "IN", "PRP", "CD", "WRB", "RB")
    if tags[i - 1] in _NAMES and tokens[i - 1] not in _JOINTS:
        return after in _OBJECT and tags[i - 1] == "JJ"  # when it is hot DROP the dumplings in
    if after in _OBJECT:
        return True
    return tokens[i - 1] in _JOINTS and tokens[i] not in _THINGS and not after.startswith(_MODIFIED)
