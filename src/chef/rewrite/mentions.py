"""Where a text mentions an ingredient of its recipe: by name, by part of it ("the cheese"), by its cut."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from chef.food import AMBIGUOUS, CUTS, FORMS
from chef.food.canonical import CanonicalMap
from chef.food.canonical.map import QUALIFIERS
from chef.food.kinds import kind_of
from chef.recipe import Ingredient
from chef.rewrite.grammar import WORDS, is_verb
from chef.text.words import Word, beside, keys, run, words_in

Keys = tuple[str, ...]

_MAX_WORDS = 6  # of a name
_SWALLOWED = WORDS["joint"] | {"meat", "mince"}
_OTHER_THING = WORDS["never"] | WORDS["dish"]


@dataclass(frozen=True, slots=True)
class Mention:
    """words[first:last] of a text name the ingredient."""

    first: int
    last: int


class MentionFinder:
    """Finds one ingredient, which may be several lines of the list, in a recipe's texts.

    tokens: its canonical tokens. lines: its lines in the list. others: all other lines, with whose names it
    must not be confused. also: other words that mean it in this recipe, such as meat.

    >>> cheddar = Ingredient("2 oz cheddar", "cheddar cheese")
    >>> cheese = MentionFinder(canonical, {"cheddar_cheese"}, [cheddar], [])
    >>> cheese.find("Sprinkle with the cheese.")
    [Mention(first=3, last=4)]
    """

    def __init__(
        self,
        canonical: CanonicalMap,
        tokens: Collection[str],
        lines: Sequence[Ingredient],
        others: Sequence[Ingredient],
        also: Collection[str] = (),
    ) -> None:
        self._names = _names(canonical)
        self._tokens = frozenset(tokens)
        self._is_flesh = any((kind := kind_of(item.name or "")) and "flesh" in kind.traits for item in lines)
        self._others = frozenset(item.token for item in others if item.token) - self._tokens
        short = {form for item in others for form in _short_forms(item)}
        self._also = {keys(word) for word in also} - short
        self.aliases = {form for item in lines for form in _short_forms(item)} - short | self._also
        words = {word.key for item in lines for word in words_in(item.line)}
        self.aliases |= {(cut,) for cut in words & (WORDS["joint"] | {"mince"})} - short

    def names_it(self, key: str) -> bool:
        """Whether a single word, given by its key, names the ingredient."""
        return (key,) in self.aliases or self._names.get((key,)) in self._tokens

    def find(self, text: str, *, title: bool = False, nouns: bool = False) -> list[Mention]:
        """The mentions in reading order; nouns: not those where the name is a verb, as in "Salt the water".

        In a title a longer name counts only where it is an ingredient of this recipe: tomato soup is made
        of tomatoes, a peanut butter cookie is not made of butter.
        """
        words, at = words_in(text), 0
        other_things = (WORDS["never"] if title else _OTHER_THING) | ({"juice"} if self._is_flesh else set())
        mentions: list[Mention] = []
        while at < len(words):
            length, token = self._longest_name(text, words, at, title)
            key = words[at].key
            is_dish = length == 1 and key in WORDS["patty"] and (key,) not in self.aliases
            is_dish = is_dish or (title and length > 1 and self._is_foreign(words[at : at + length]))
            is_match = token is not None and token in self._tokens and not is_dish
            if not is_match:
                alias = self._longest_alias(text, words, at)
                if alias >= max(length, 1):
                    length, is_match = alias, True
                elif self._is_part(words[at : at + length], token):
                    length, is_match = length - (words[at + length - 1].key in WORDS["peel"]), True
                elif length > 1 and "of" in (word.key for word in words[at : at + length]):
                    length = 1  # a squeeze of lemon
                elif token not in self._others and words[at].written.lower() in QUALIFIERS:
                    length = 1  # "cooked turkey" is turkey, whatever the map calls it
            if is_match:
                # Without the states before the name and the forms after it: whole [chicken] pieces.
                begin, last = at, at + length
                while last - begin > 1 and words[begin].written.lower() in QUALIFIERS:
                    begin += 1
                while last - begin > 1 and words[last - 1].key in FORMS - CUTS - {"meat", "bit"}:
                    last -= 1
                while (
                    last < len(words)
                    and (words[last].key in _SWALLOWED or words[last].written == "bits")
                    and beside(text, words[last - 1], words[last])
                    and text[words[last].end : words[last].end + 1] != "-"
                ):
                    last += 1  # ham hocks are ham, and the new food has no hocks
                if title and tuple(word.key for word in words[begin:last]) not in self.aliases:
                    prepared = [at for at in range(begin, last - 1) if words[at].written.endswith("ed")]
                    begin = prepared[-1] + 1 if prepared else begin  # hot smoked [salmon], pulled [pork]
                first = words[begin]
                is_other = last < len(words) and words[last].key in other_things
                is_other = is_other and beside(text, words[last - 1], words[last])
                if not is_other and (title or not nouns or not is_verb(text, first.written, first.start)):
                    mentions.append(Mention(begin, last))
            at += max(length, 1)
        return mentions

    def _is_foreign(self, words: list[Word]) -> bool:
        """Whether no word of a longer name is one of the ingredient's: char siu."""
        return not any((word.key,) in self.aliases or word.key in CUTS for word in words)

    def _is_part(self, words: list[Word], token: str | None) -> bool:
        """Whether a longer name is a part of it: lemon zest, duck legs, where the list has lemons, a duck."""
        if len(words) < 2 or token in self._others or words[-1].key not in WORDS["peel"] | CUTS | {"meat"}:
            return False
        name = tuple(word.key for word in words[:-1])
        return name in self.aliases or self._names.get(name) in self._tokens

    def _longest_name(self, text: str, words: list[Word], at: int, title: bool) -> tuple[int, str | None]:
        """The longest ingredient name from here: its number of words and its token."""
        for length in range(run(text, words, at, _MAX_WORDS), 0, -1):
            token = self._names.get(tuple(word.key for word in words[at : at + length]))
            if token is not None and (not title or token in self._tokens or token in self._others):
                return length, token
        return 0, None

    def _longest_alias(self, text: str, words: list[Word], at: int) -> int:
        """The number of words from here that are a short form of the ingredient's name; 0 for none."""
        for length in range(run(text, words, at, _MAX_WORDS), 0, -1):
            form = tuple(word.key for word in words[at : at + length])
            if form not in self.aliases or (at and words[at - 1].written.lower() == "cooking"):
                continue  # cooking oil is any oil
            if length > 1 or form in self._also or form[0] not in (AMBIGUOUS | CUTS) - WORDS["certain"]:
                return length
            if form[0] in WORDS["joint"] and words[at].is_plural:
                return length
            before = words[at - 1] if at else None
            if before and form[0] == "mince" and before.key in ("add", "brown", "cook", "in"):
                return length
            if before and beside(text, before, words[at]) and before.written.lower() in WORDS["determiner"]:
                return length
        return 0


def core_name(name: str) -> str:
    """A name without what follows it.

    >>> core_name("lamb shoulder on the bone")
    'lamb shoulder'
    """
    return re.split(r"(?<=\S) (?:on|in|with|from|for) ", name)[0]


def _short_forms(item: Ingredient) -> Iterator[Keys]:
    """What people call an ingredient for short: its last words, and the food without its cut.

    >>> sorted(_short_forms(Ingredient("", "sharp cheddar cheese")))
    [('cheddar', 'cheese'), ('cheese',), ('sharp', 'cheddar', 'cheese')]
    """
    name = keys(core_name(item.name or ""))
    if len(name) > 1 and (kind := kind_of(" ".join(name))) and kind == kind_of(" ".join(name[:-1])):
        yield name[:-1]  # frankfurter sausages are frankfurters
        yield name[-2:-1]
    for start in range(len(name)):
        if start == 0 or len(name) - start > 1 or name[start] not in WORDS["preparation"]:
            yield name[start:]
    food = name
    while len(food) > 1 and food[-1] in CUTS | FORMS:
        food = food[:-1]
        yield food
        yield food[-1:]


@lru_cache(maxsize=4)
def _names(canonical: CanonicalMap) -> dict[Keys, str]:
    """The names that mean their ingredient in running text, too, with its token."""
    tokens: dict[Keys, str] = {}
    # The less frequent name first: where two names have the same keys, the last one wins.
    for entry in sorted(canonical, key=lambda entry: (entry.count, entry.token)):
        name = keys(entry.name)
        if not name or len(name) > _MAX_WORDS or "and" in name:
            continue
        if len(name) == 1 and name[0] in AMBIGUOUS:
            continue
        if name[-1] in _OTHER_THING and name[-1] not in keys(entry.token):
            continue  # an egg wash is not an egg
        tokens[name] = entry.token
    return tokens
