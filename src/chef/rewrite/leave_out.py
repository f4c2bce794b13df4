"""Texts without an ingredient: out of its list, with its phrase, or with the order that was about it."""

from __future__ import annotations

import re

from chef.food.canonical.qualifiers import QUALIFIERS
from chef.food.kinds import is_state
from chef.food.words import FORMS
from chef.rewrite.chunks import chunks
from chef.rewrite.clauses import Clause, clauses
from chef.rewrite.grammar import is_noun, is_verb
from chef.rewrite.mentions import Mentions
from chef.rewrite.nouns import capital
from chef.text.tokens import sentences
from chef.text.verbs import lemma
from chef.text.words import Word, words_in

# Orders that are nothing without what they are done with: "Season with salt".
_DONE_WITH = frozenset(
    "season sprinkle top garnish dust brush drizzle scatter dot spread decorate finish grease coat".split()
)
_MOST = 12  # times that a sentence or a title names one ingredient, if it is one
_ITEM = 100  # characters of one item in a list, at most
_PREPOSITIONS = "with|in|of|on|over|into|onto|using|from|to|through|by"
_BEFORE_PHRASE = re.compile(rf"(?:,\s*)?\b(?:{_PREPOSITIONS}|and|plus)\s+$", re.I)
_SUBORDINATE = re.compile(r",?\s*\b(?:until|when|once|while|if|before|after|as soon as)\s+$", re.I)
_PARTICLE = frozenset("in on up out over off down into together".split())
_ORDER = re.compile(
    rf"(?:[,;]\s*(?:and\s+|then\s+)*|\b(?:and|then)\s+)([a-z]+)(?:\s+(?:{'|'.join(_PARTICLE)}))?\s+$", re.I
)
_SEPARATOR = re.compile(r"\s*,\s*(?:(?:and|or|&)\s+)?|\s+(?:and|or|&)\s+|/")
_IN_PHRASE = frozenset("the a an some remaining rest more extra of reserved half all each".split())
_DANGLING = re.compile(rf"\b(?:{_PREPOSITIONS}|and|or|the|a|an|until)\s*[.,;:!]*$", re.I)


class LeaveOut:
    """Takes an ingredient out of a recipe's texts.

    gone: finds what goes; any_: finds every ingredient, so that lists are known as such.

    >>> LeaveOut(parsley, ingredients).step("Stir in the parsley and bake for an hour.")
    'Bake for an hour.'
    """

    def __init__(self, gone: Mentions, any_: Mentions) -> None:
        self._gone, self._any = gone, any_

    def step(self, text: str) -> str:
        """The step without the ingredient; empty where nothing else was said."""
        if not self._gone.find(text):
            return text
        left: list[str] = []
        for sentence in (part for whole in sentences(text) for part in chunks(whole)):
            if shorter := self._sentence(sentence):
                left.append(shorter)
            elif left:
                left[-1] = re.sub(r"[;,]$", ".", left[-1])
        shorter = " ".join(left)
        return capital(shorter) if text[:1].isupper() else shorter

    def title(self, text: str) -> str:
        """The title without the ingredient, or as it was where nothing else would be left."""
        for _ in self._gone.find(text, title=True)[:_MOST]:
            place = self._phrase(text, title=True)
            if place is None:
                break
            shorter = self._out_of_list(text, place) or self._phrase_out(text, place)
            shorter = " ".join(shorter.split()).strip(" ,&-")
            if not words_in(shorter) or _DANGLING.search(shorter):
                break
            text = capital(shorter) if text[:1].isupper() else shorter
        return text

    def _sentence(self, text: str) -> str:
        for _ in self._gone.find(text)[:_MOST]:
            place = self._phrase(text)
            if place is None:
                break
            text = (
                self._out_of_name(text, place)
                or self._out_of_list(text, place)
                or self._out_of_clause(text, place)
            )
        return text

    @staticmethod
    def _out_of_name(text: str, place: tuple[int, int]) -> str | None:
        """Where the name says more of the word after it, "the [flour] mixture"; None where it does not."""
        following = re.match(r"\s+([^\W\d_]+)", text[place[1] :])
        if following is None or not is_noun(following[1]) or text[: place[0]].endswith("/"):
            return None
        rest = text[place[1] :].lstrip()
        article = "" if re.search(r"\beach\s+$", text[: place[0]], re.I) else "the "
        return text[: place[0]] + (capital(article + rest) if text[place[0]].isupper() else article + rest)

    def _phrase(self, text: str, *, title: bool = False) -> tuple[int, int] | None:
        """Where the first mention stands, with what belongs to it: "2 tablespoons of the [parsley]"."""
        words = words_in(text)
        found = [
            mention
            for mention in self._gone.find(text, title=title)
            if title or not is_verb(text, words[mention.first].written, words[mention.first].start)
        ]
        if not found:
            return None
        first, last = found[0].first, found[0].last
        start = words[first].start
        while first > 0 and _belongs(text, words, first):
            first -= 1
            start = words[first].start
        if number := re.search(r"(?:[\d¼-¾⅐-⅞][\d\s./¼-¾⅐-⅞–-]*)$", text[:start]):
            start = number.start()
        while (
            last < len(words)
            and words[last].key in FORMS
            and text[words[last - 1].end : words[last].start] == " "
        ):
            last += 1
        return start, words[last - 1].end

    def _out_of_list(self, text: str, place: tuple[int, int]) -> str | None:
        """The text with the phrase taken from its list of ingredients; None where it stands in none."""
        start, end, items = place[0], place[1], [""]
        while (match := _last(_SEPARATOR, text[:start])) and (
            before := self._item_before(text, match.start())
        ) is not None:
            items.insert(0, text[before : match.start()])
            start = before
        position = len(items) - 1
        while (match := _SEPARATOR.match(text, end)) and (
            after := self._item_after(text, match.end())
        ) is not None:
            items.append(text[match.end() : after])
            end = after
        if len(items) == 1:
            return None
        if (
            position == 0
            and re.match(r"the\s", text[place[0] :], re.I)
            and not re.match(r"the\s", items[1], re.I)
        ):
            items[1] = f"the {items[1]}"
        del items[position]
        joined = items[0] if len(items) == 1 else ", ".join(items[:-1]) + f" and {items[-1]}"
        return text[:start] + (capital(joined) if not words_in(text[:start]) else joined) + text[end:]

    def _item_before(self, text: str, end: int) -> int | None:
        """Where the ingredient that ends here begins; None if none does."""
        start = max(0, end - _ITEM)
        part = text[start:end]
        words = words_in(part)
        for mention in self._any.find(part)[-1:]:
            if words[mention.last - 1].end == len(part):
                first = mention.first
                while first > 0 and _belongs(part, words, first):
                    first -= 1
                return start + words[first].start
        return None

    def _item_after(self, text: str, start: int) -> int | None:
        """Where the ingredient that begins here ends; None if none does."""
        rest = text[start : start + _ITEM]
        words = words_in(rest)
        for mention in self._any.find(rest)[:1]:
            first = mention.first
            while first > 0 and _belongs(rest, words, first):
                first -= 1
            if first == 0 and not rest[: words[0].start].strip(" 0123456789/.¼½¾⅓⅔"):
                return start + words[mention.last - 1].end
        return None

    def _out_of_clause(self, text: str, place: tuple[int, int]) -> str:
        """The sentence without the phrase, or without the whole order if that was about it alone."""
        found = clauses(text)
        at = next((i for i, one in enumerate(found) if one.start <= place[0] and place[1] <= one.end), None)
        if at is None:
            return self._phrase_out(text, place)
        clause = found[at]
        clause = Clause(_order_before(text, clause.start, place[0]), clause.end)
        said = text[clause.start : clause.end]
        inside = place[0] - clause.start, place[1] - clause.start
        verb = words_in(said)[0].key if words_in(said) else ""
        shorter = self._phrase_out(said, inside)
        if (
            verb in _DONE_WITH
            or _is_object(said, inside)
            or _DANGLING.search(shorter)
            or len(words_in(shorter)) < 2
        ):
            # "Peel and chop the onion": an order before it that has no object of its own is about it too.
            start = clause.start
            while start == found[at].start and at > 0 and _has_no_object(text, found[at - 1]):
                at -= 1
                start = found[at].start
            return _without_clause(text, start, clause.end)
        return _tidy(text[: clause.start] + shorter + text[clause.end :])

    @staticmethod
    def _phrase_out(text: str, place: tuple[int, int]) -> str:
        """Without the phrase and the preposition before it, or the subordinate clause that it opens."""
        before, after = text[: place[0]], text[place[1] :]
        if match := _SUBORDINATE.search(before):
            rest = re.search(r"[,;.!)]", after)
            left = after[rest.start() :] if rest else ""
            return before[: match.start()] + re.sub(r"^,(?=\s+(?:about|for)\b)", "", left)
        if match := _BEFORE_PHRASE.search(before):
            before = before[: match.start()]
        return _tidy(before + after)


def _belongs(text: str, words: list[Word], at: int) -> bool:
    """Whether the word before `at` belongs to the same phrase."""
    word = words[at - 1].written.lower()
    between = text[words[at - 1].end : words[at].start]
    if between.strip() not in ("", "-"):
        return False
    return word in _IN_PHRASE or word in QUALIFIERS or is_state(word) or (word.endswith("ly") and at > 1)


def _order_before(text: str, start: int, end: int) -> int:
    """Where the order begins whose object stands at `end`; `start` if that is not plain to see.

    Taggers miss some: in "shred the chicken, stir in the rice" only the first verb may be known.
    """
    match = _ORDER.search(text[start:end])
    return start + match.start(1) if match and lemma(match[1].lower()) else start


def _has_no_object(text: str, clause: Clause) -> bool:
    return all(lemma(word.written.lower()) for word in words_in(text[clause.start : clause.end]))


def _is_object(clause: str, place: tuple[int, int]) -> bool:
    """Whether the phrase follows the verb directly, or its particle: stir in [the parsley]."""
    words = words_in(clause[: place[0]])
    return len(words) == 1 or (len(words) == 2 and words[1].key in _PARTICLE)


def _without_clause(text: str, start: int, end: int) -> str:
    before = re.sub(r"(?:[,;]?\s*\b(?:and|then|or)\b\s*|[,;]\s*)+$", "", text[:start])
    after = re.sub(r"^(?:\s*[,;]\s*|\s*\b(?:and|then|or)\b\s*)+", "", text[end:])
    if not words_in(before):
        # "turning often" was said of the order that has gone.
        alone = words_in(after) and not words_in(after)[0].written.lower().endswith("ing")
        return capital(after) if alone else ""
    if not words_in(after):
        return before.rstrip(" ,;") + "."
    return f"{before.rstrip(' ,;')} and {after}" if not re.match(r"[.!?]", after) else before + after


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([.,;:!?)])", r"\1", re.sub(r"\s{2,}", " ", text))
    return re.sub(r",\s*(?=[.;])|\(\s*\)", "", text)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The match that ends where the text does."""
    return re.search(rf"(?:{pattern.pattern})$", text)
