"""Canonical ingredients in running text: the words "green bean" become the one token `green_beans`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.food.canonical.ambiguous import AMBIGUOUS
from chef.food.canonical.map import CanonicalMap, Entry
from chef.food.canonical.qualifiers import QUALIFIERS
from chef.text.keys import spelled

_Trie = dict[str, Any]
_END = ""  # no word is empty, so it can mark where a name ends


class Replacer:
    """Puts canonical tokens in place of ingredient names: the longest name wins, whole words only.

    >>> Replacer(CanonicalMap.load())(["trim", "the", "green", "bean", "ends"])
    ['trim', 'the', 'green_beans', 'ends']
    """

    def __init__(self, canonical: CanonicalMap) -> None:
        self._root: _Trie = {}
        pairs = {entry.token for entry in canonical if _is_pair(entry, canonical)}
        # The less frequent name first: where two names have the same singular words, the last one stays.
        for entry in sorted(canonical, key=lambda entry: (entry.count, entry.token)):
            words = [spelled(word) for word in entry.name.split()]
            if entry.token not in pairs and _stands_alone(words, entry.token):
                self._add(words, entry.token)

    def _add(self, words: list[str], token: str) -> None:
        node = self._root
        for word in words:
            node = node.setdefault(word, {})
        node[_END] = token

    def __call__(self, tokens: Sequence[str]) -> list[str]:
        """The tokens with every ingredient name made one token; all other words as they were."""
        singulars = [spelled(token) for token in tokens]
        out: list[str] = []
        at = 0
        while at < len(tokens):
            node = self._root.get(singulars[at])
            if node is None:
                out.append(tokens[at])
                at += 1
                continue
            end, token = self._longest(node, singulars, at + 1)
            if token is None:
                out.append(tokens[at])
                at += 1
            else:
                out.append(token)
                at = end
        return out

    @staticmethod
    def _longest(node: _Trie, words: Sequence[str], at: int) -> tuple[int, str | None]:
        """Where the longest name that goes on from `node` ends, and its token."""
        end, token = at, node.get(_END)
        for position in range(at, len(words)):
            following = node.get(words[position])
            if following is None:
                break
            node = following
            if _END in node:
                end, token = position + 1, node[_END]
        return end, token


def _is_pair(entry: Entry, canonical: CanonicalMap) -> bool:
    """Whether a name is two ingredients: in a sentence salt and pepper are salt, and, pepper.

    "Chicken thighs with skin and bones" is not: one of its parts is what the whole is.
    """
    if " and " not in entry.name:
        return False
    parts = [canonical.token(part) for part in entry.name.split(" and ")]
    return all(parts) and entry.token not in parts


def _stands_alone(words: list[str], token: str) -> bool:
    """Whether a name means its ingredient in running text too.

    A qualifier in front stays a word of its own: "chopped onion" is chopped and onion, and "melt" or
    "toasted" must not vanish from an instruction. Part of the token it belongs to it: crushed_tomatoes.
    """
    if len(words) == 1:
        return words[0] not in AMBIGUOUS
    return words[0] not in QUALIFIERS or token.startswith(words[0] + "_")
