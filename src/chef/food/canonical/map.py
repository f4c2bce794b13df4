"""Canonical ingredients: many names, one token (paper, Sec. 4.1, "Canonical Ingredient Construction").

`CanonicalMap` finds the token of a name, `Replacer` replaces the names in running text by tokens. `readings`
gives the shorter forms of a name that the map tries: "some large organic eggs" are eggs.
`tables/qualifiers.tsv` lists only words that say how the food is bought, cut, warmed or measured, none that
makes another food of it (ground, dried, sweet, vegan, powder, juice, paste ...). The last word, which names
the food, is dropped only where it is such a word itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from chef.errors import ChefError
from chef.files import rows, write_atomic
from chef.food import AMBIGUOUS
from chef.text.keys import key_of, last_of, plain_name, spelled
from chef.text.tokens import normalise, tokenise

SHIPPED = Path(__file__).parents[1] / "tables" / "canonical.tsv"
_HEADER = "token\tname\tcount\thow"
_REMEMBERED = 1 << 17  # names whose token is cached

_Trie = dict[str, Any]
_END = ""  # no word is empty, so it can mark where a name ends

_ROWS = [(kind, tuple(words.split())) for kind, words in rows("chef.food", "qualifiers.tsv")]
# Single words that may go from the front.
QUALIFIERS = frozenset(words[0] for kind, words in _ROWS if kind != "after" and len(words) == 1)
# By their first word; of two that fit the longer one goes.
_LEADING_PHRASES: dict[str, list[tuple[str, ...]]] = {}
for _, _words in sorted(_ROWS, key=lambda row: -len(row[1])):
    if len(_words) > 1:
        _LEADING_PHRASES.setdefault(_words[0], []).append(_words)
_TRAILING = frozenset(words[0] for kind, words in _ROWS if kind == "after")

_ASIDE = re.compile(r"\([^)]*\)?|\[[^\]]*\]?|[)\]]")
_OR = re.compile(r"\s*/\s*(?![0-9])|\s+and/or\s+|[\s,]{1,9}or\s+")
# Where the name ends and a remark begins.
_REMARK = re.compile(
    r"[,;:~*|!]|\s-+\s|\s(?:for|to|with|without|from|per|plus|at|such|like|preferably|about|in|on|into|until|if|as|"
    r"not|that|which|but|cut|each|divided|depending|between|is|are|i|you|we|so|then|using)\s|\.\s|\.$"
)
_AND = re.compile(r"\s+(?:and|&|\+)\s+")


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One name of one canonical ingredient.

    `how` says why the name is there: "name" (the ingredient's own name), "form" (the same key),
    or the reason of the accepted merge.
    """

    token: str  # "green_beans"
    name: str  # "string beans"
    count: int  # occurrences in the recipes the map was built from
    how: str


class CanonicalMap:
    """Which canonical ingredient a name means. A value: it never changes.

    >>> CanonicalMap.load().token("2 large, organic eggs")
    'eggs'
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = sorted(entries)
        self._by_name: dict[str, str] = {}
        self._by_last: dict[str, list[Entry]] = {}
        self._keys: dict[str, dict[str, str]] = {}
        self._seen: dict[str, str | None] = {}
        for entry in sorted(self._entries, key=lambda entry: (-entry.count, entry.token)):
            if self._by_name.setdefault(entry.name, entry.token) != entry.token:
                raise ChefError(
                    f"{entry.name!r} belongs to two canonical ingredients, "
                    f"{self._by_name[entry.name]} and {entry.token}",
                    "give each name once",
                )
            self._by_last.setdefault(last_of(entry.name.split()), []).append(entry)

    @classmethod
    def load(cls, path: Path | None = None) -> CanonicalMap:
        """The map of a file; without a file the one that comes with the package."""
        path = SHIPPED if path is None else Path(path)
        entries = []
        for number, cells in read_table(path, _HEADER, "canonical map", "chef canonical build"):
            if len(cells) != 4 or not cells[0] or not cells[1] or not cells[2].isdecimal():
                problem = f"{path}, line {number}: not a token, a name, a count and a reason"
                raise ChefError(problem, "repair the line")
            entries.append(Entry(cells[0], cells[1], int(cells[2]), cells[3]))
        return cls(entries)

    def token(self, name: str) -> str | None:
        """The canonical token of an ingredient name, or None where the map does not know it.

        The name as it stands, then its key, then its `readings`: without asides, alternatives and
        qualifiers, never without the word that names the food.
        """
        try:
            return self._seen[name]
        except KeyError:
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            forms = chain([tokenise(name)], readings(name))
            tokens = (self._by_name.get(" ".join(words)) or self._by_key(words) for words in forms)
            token = self._seen[name] = next(filter(None, tokens), None)
            return token

    def _by_key(self, words: Sequence[str]) -> str | None:
        """The token of the names with the same key; of two tokens the one with the more frequent name.

        Stemming thousands of names takes longer than loading them, so only those are stemmed that end in
        the same word.
        """
        last = last_of(words)
        if last not in self._keys:
            if last not in self._by_last:
                return None
            keys: dict[str, str] = {}
            for entry in self._by_last[last]:
                keys.setdefault(key_of(entry.name.split()), entry.token)
            self._keys[last] = keys
        return self._keys[last].get(key_of(words))

    @cached_property
    def tokens(self) -> list[str]:
        """All canonical tokens, sorted."""
        return sorted({entry.token for entry in self._entries})

    @cached_property
    def _names(self) -> dict[str, list[Entry]]:
        names: dict[str, list[Entry]] = {}
        for entry in self._entries:
            names.setdefault(entry.token, []).append(entry)
        return names

    def names(self, token: str) -> list[str]:
        """The names merged in a token, the most frequent first; none for an unknown token."""
        entries = sorted(self._names.get(token, []), key=lambda entry: (-entry.count, entry.name))
        return [entry.name for entry in entries]

    def count(self, token: str) -> int:
        """Occurrences of a token's names in the recipes the map was built from."""
        return sum(entry.count for entry in self._names.get(token, []))

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._names

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CanonicalMap) and self._entries == other._entries

    def __hash__(self) -> int:
        return hash(self.digest)

    def to_bytes(self) -> bytes:
        """The map as a plain table, sorted, so that two versions compare line by line."""
        lines = (f"{entry.token}\t{entry.name}\t{entry.count}\t{entry.how}" for entry in self._entries)
        return ("\n".join([_HEADER, *lines]) + "\n").encode()

    @cached_property
    def digest(self) -> str:
        """sha256 of the map's content; equal maps have equal digests."""
        return hashlib.sha256(self.to_bytes()).hexdigest()

    def save(self, path: Path) -> None:
        """Write the map to a file."""
        write_atomic(Path(path), self.to_bytes())


@cache
def shipped_map() -> CanonicalMap:
    """The map that comes with the package."""
    return CanonicalMap.load()


def token_of(name: str) -> str:
    """The token that a name would have as a canonical ingredient.

    >>> token_of("Green Beans")
    'green_beans'
    """
    return plain_name(name).replace(" ", "_")


def readings(name: str) -> Iterator[list[str]]:
    """The shorter forms of a name as words, the most careful first.

    >>> list(readings("fresh parsley (flat)"))[:2]
    [['fresh', 'parsley'], ['parsley']]
    """
    for form in _forms(normalise(name)):
        yield from without_qualifiers(form)


def _forms(text: str) -> Iterator[list[str]]:
    """The name as a whole, of alternatives the first, then what stands before a remark."""
    whole = _ASIDE.sub(" ", text).strip() or text.strip("()[] ")
    yield tokenise(whole)
    first, *others = _OR.split(whole)
    if others:
        # "beef or chicken stock" offers beef stock, "rice or noodles" no rice noodles.
        second = tokenise(_REMARK.split(others[0])[0])
        if len(second) > 1:
            yield [*tokenise(first), second[-1]]
        yield tokenise(first)
    first = _REMARK.split(first)[0]
    yield tokenise(first)
    both = [tokenise(part) for part in _AND.split(first)]
    # Of two foods the first; but "pork and fennel sausages" are not pork.
    if len(both) > 1 and (len(both[0]) > 1 or len(both[1]) == 1):
        yield both[0]


def without_qualifiers(words: list[str]) -> Iterator[list[str]]:
    """The words, then without what leads and trails, step by step, then without qualifiers in between.

    >>> [" ".join(words) for words in without_qualifiers(["ripe", "plum", "tomatoes"])]
    ['ripe plum tomatoes', 'plum tomatoes']
    """
    words = [word for word in words if not word[0].isdigit()]
    while words:
        rest = words
        yield rest
        while len(rest) > 1 and rest[-1] in _TRAILING:
            rest = rest[:-1]
            yield rest
        drop = _leading(words)
        if not drop:
            break
        words = words[drop:]
    inner = [word for word in words[:-1] if word not in QUALIFIERS]
    if words and len(inner) + 1 < len(words):
        yield [*inner, words[-1]]


def _leading(words: list[str]) -> int:
    """How many words in front are a qualifier; 0 where the name begins with the food."""
    for phrase in _LEADING_PHRASES.get(words[0], ()):
        if len(words) > len(phrase) and tuple(words[: len(phrase)]) == phrase:
            return len(phrase)
    return int(len(words) > 1 and words[0] in QUALIFIERS)


def read_table(path: Path, header: str, what: str, command: str) -> Iterator[tuple[int, list[str]]]:
    """The numbered lines of a file that `command` wrote, as cells; ChefError if it is not such a file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, IsADirectoryError) as error:
        raise ChefError(f"no {what} at {path}", f"make it with {command}") from error
    except UnicodeDecodeError as error:
        raise ChefError(f"{path} is not a text file", f"give a file that {command} wrote") from error
    if not lines or lines[0] != header:
        raise ChefError(f"{path} is not a {what}", f"its first line must be {header!r}")
    return ((number, line.split("\t")) for number, line in enumerate(lines[1:], start=2))


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
                node = self._root
                for word in words:
                    node = node.setdefault(word, {})
                node[_END] = entry.token

    def __call__(self, tokens: Sequence[str]) -> list[str]:
        """The tokens with every ingredient name made one token; all other words as they were."""
        singulars = [spelled(token) for token in tokens]
        out: list[str] = []
        at = 0
        while at < len(tokens):
            node, end, token = self._root, at + 1, tokens[at]
            for position in range(at, len(tokens)):
                if (following := node.get(singulars[position])) is None:
                    break
                node = following
                if _END in node:
                    end, token = position + 1, node[_END]
            out.append(token)
            at = end
        return out


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
