"""Taking an ingredient out of titles and steps: from its list, with its phrase, or with its instruction."""

import re

from chef.food import FORMS
from chef.food.canonical.map import QUALIFIERS
from chef.food.kinds import is_state, kind_of
from chef.rewrite.grammar import RE, WORDS, Span, capitalise, chunks, clauses, is_noun
from chef.rewrite.mentions import MentionFinder
from chef.text.tokens import sentences
from chef.text.verbs import lemma, verbs
from chef.text.words import Word, words_in

_MAX_MENTIONS = 12  # of one ingredient in a sentence or a title
_MAX_ITEM = 100  # characters of one item in a list
_NUMBER = " 0123456789/.¼½¾⅓⅔"


class IngredientRemover:
    """Takes an ingredient out of a recipe's texts.

    removed: finds that ingredient. ingredients: finds every ingredient, so that lists are recognised.

    >>> IngredientRemover(parsley, ingredients).step("Stir in the parsley and bake for an hour.")
    'Bake for an hour.'
    """

    def __init__(self, removed: MentionFinder, ingredients: MentionFinder) -> None:
        self._removed, self._ingredients = removed, ingredients

    def step(self, text: str) -> str:
        """The step without the ingredient; empty where it said nothing else."""
        if not self._removed.find(text):
            return text
        kept: list[str] = []
        for sentence in (part for whole in sentences(text) for part in chunks(whole)):
            if shorter := self._sentence(sentence):
                kept.append(shorter)
            elif kept:
                kept[-1] = re.sub(r"[;,]$", ".", kept[-1])
        shorter = " ".join(kept)
        return capitalise(shorter) if text[:1].isupper() else shorter

    def title(self, text: str) -> str:
        """The title without the ingredient, or as it was where nothing else would remain."""
        for _ in self._removed.find(text, title=True)[:_MAX_MENTIONS]:
            span = self._phrase(text, title=True)
            if span is None:
                break
            shorter = self._out_of_list(text, span) or _without_phrase(text, span)
            shorter = " ".join(shorter.split()).strip(" ,&-")
            if not words_in(shorter) or RE["dangling"].search(shorter):
                break
            text = capitalise(shorter) if text[:1].isupper() else shorter
        return text

    def _sentence(self, text: str) -> str:
        for _ in self._removed.find(text)[:_MAX_MENTIONS]:
            span = self._phrase(text)
            if span is None:
                break
            text = _out_of_compound(text, span) or self._out_of_list(text, span) or _out_of_clause(text, span)
        return text

    def _phrase(self, text: str, *, title: bool = False) -> Span | None:
        """The first mention with what belongs to it: [2 tablespoons of the parsley]."""
        mentions = self._removed.find(text, title=title, nouns=True)
        if not mentions:
            return None
        words, last = words_in(text), mentions[0].last
        start = words[_phrase_start(text, words, mentions[0].first)].start
        if number := RE["number before"].search(text[:start]):
            start = number.start()
        while last < len(words) and words[last].key in FORMS:
            if text[words[last - 1].end : words[last].start] != " ":
                break
            last += 1
        return start, words[last - 1].end

    def _out_of_list(self, text: str, span: Span) -> str | None:
        """The text without the phrase in its list of ingredients; None where it stands in no list."""
        (start, end), items, separators = span, [""], list[str]()
        while (match := RE["separator at end"].search(text[:start])) and (
            before := self._item_before(text, match.start())
        ) is not None:
            items.insert(0, text[before : match.start()])
            separators.insert(0, match[0])
            start = before
        position = len(items) - 1
        while (match := RE["separator"].match(text, end)) and (
            after := self._item_after(text, match.end())
        ) is not None:
            items.append(text[match.end() : after])
            separators.append(match[0])
            end = after
        if not separators:
            return None
        if position == 0 and re.match(r"the\s", text[span[0] :], re.I) and not RE["article"].match(items[1]):
            items[1] = f"the {items[1]}"
        # The last separator, " and ", stays the last one.
        is_last = position == len(separators)
        gone = separators.pop(max(0, position - 1 - (is_last and position > 1)))
        del items[position]
        before_list = text[:start]
        if len(items) == 1 and gone.strip(" ,/") and self._ingredients.find(before_list[-_MAX_ITEM:]):
            before_list = re.sub(r",(?=\s*$)", " and", before_list)
        elif len(items) == 2:
            separators[0] = re.sub(r",\s*(?=[a-z&])", " ", separators[0])
        joined = items[0] + "".join(map(str.__add__, separators, items[1:]))
        return before_list + (joined if words_in(before_list) else capitalise(joined)) + text[end:]

    def _item_before(self, text: str, end: int) -> int | None:
        """The start of the ingredient that ends here; None if none does."""
        offset = max(0, end - _MAX_ITEM)
        part = text[offset:end]
        words = words_in(part)
        for mention in self._ingredients.find(part)[-1:]:
            if words[mention.last - 1].end == len(part):
                start = words[_phrase_start(part, words, mention.first)].start
                number = RE["number before"].search(part[:start])
                return offset + (number.start() if number else start)
        # A plural after a comma is no order: beef, [ribs] and parsley.
        plural = re.search(r"(?<=,\s)(?:the\s+)?[a-z-]+s$", part)
        return offset + plural.start() if plural else None

    def _item_after(self, text: str, start: int) -> int | None:
        """The end of the ingredient that begins here; None if none does."""
        rest = text[start : start + _MAX_ITEM]
        words = words_in(rest)
        for mention in self._ingredients.find(rest)[:1]:
            is_first = _phrase_start(rest, words, mention.first) == 0
            if is_first and not rest[: words[0].start].strip(_NUMBER):
                return start + words[mention.last - 1].end
        return None


def _phrase_start(text: str, words: list[Word], first: int) -> int:
    """The first word of the noun phrase whose name begins at `first`: [the finely chopped] parsley."""
    while first > 0:
        word = words[first - 1].written.lower()
        if text[words[first - 1].end : words[first].start].strip(_NUMBER) not in ("", "-"):
            break
        is_adverb = word.endswith("ly") and first > 1
        if words[first].key in ("the", "a", "an"):  # in "warm the naan" warm is the verb
            is_part = word in ("of", "half", "all", "each")
        else:
            is_part = word in WORDS["in phrase"] or word in QUALIFIERS or is_state(word) or is_adverb
        if not is_part or (first == 1 and lemma(word) == word):  # a sentence begins with its verb
            break
        first -= 1
    return first


def _out_of_compound(text: str, span: Span) -> str | None:
    """Without a name that modifies the noun after it, "the [flour] mixture"; None where it does not."""
    before, after = text[: span[0]], text[span[1] :]
    following = re.match(r"\s+([^\W\d_]+)", after)
    if following is None or before.endswith("/"):
        return None
    if not is_noun(following[1]) and kind_of(following[1]) is None:  # the [saffron] milk
        return None
    last = re.search(r"([^\W\d_]+)\s+$", before)  # brush with butter [parsley] mixture
    is_named = last is not None and (last[1].lower() == "each" or kind_of(last[1]) is not None)
    rest = ("" if is_named else "the ") + after.lstrip()
    return before + (capitalise(rest) if text[span[0]].isupper() else rest)


def _out_of_clause(text: str, span: Span) -> str:
    """The sentence without the phrase, or without the whole clause if that was about nothing else."""
    parts = clauses(text)
    at = next((i for i, part in enumerate(parts) if part[0] <= span[0] and span[1] <= part[1]), None)
    if at is None:
        return _without_phrase(text, span)
    start, end = parts[at]
    if match := RE["and after"].match(text, span[1], end):  # season with [the pepper and] a squeeze of lime
        return text[: span[0]] + text[match.end() :]
    # Taggers miss some verbs: in "shred the chicken, stir in the rice" only the first one may be known.
    if (match := RE["verb before"].search(text[start : span[0]])) and lemma(match[1].lower()):
        start += match.start(1)
    if (match := RE["order after"].search(text, span[1], end)) and lemma(match[1].lower()):
        end = match.start()
    clause, inside = text[start:end], (span[0] - start, span[1] - start)
    words, shorter = words_in(clause), _without_phrase(clause, inside)
    before = words_in(clause[: inside[0]])
    is_about_it = (
        (words[0].key if words else "") in WORDS["needs object"]
        # Directly after the verb or its particle: stir in [the parsley].
        or len(before) == 1
        or (len(before) == 2 and before[1].key in WORDS["particle"])
        or RE["dangling"].search(shorter)
        or len(words_in(shorter)) < 2
    )
    if not is_about_it:
        return _tidy(text[:start] + shorter + text[end:])
    # "Peel and chop the onion": a clause before it without an object of its own is about it, too.
    while start == parts[at][0] and at > 0:
        if not all(lemma(word.written.lower()) for word in words_in(text[slice(*parts[at - 1])])):
            break
        at -= 1
        start = parts[at][0]
    return _without_clause(text, start, end, is_object=len(before) <= 2)


def _without_phrase(text: str, span: Span) -> str:
    """Without the phrase and the preposition before it, or the subordinate clause that it opens."""
    before, after = text[: span[0]], text[span[1] :]
    if match := RE["subordinate"].search(before):
        rest = re.search(r"[,;.!)]", after)
        left = after[rest.start() :] if rest else ""
        return before[: match.start()] + re.sub(r"^,(?=\s+(?:about|for)\b)", "", left)
    if match := RE["before phrase"].search(before):
        before = before[: match.start()]
        if match[0].strip().lower() == "and":  # toast the nuts for 5 minutes [and the seeds for 2 minutes]
            after = RE["time after"].sub("", after, count=1) if RE["time after"].match(after) else after
    return _tidy(before + after)


def _without_clause(text: str, start: int, end: int, *, is_object: bool) -> str:
    """Without a clause; is_object: "it" in the next one is what the clause was about."""
    before = re.sub(r"(?:[,;]?\s*\b(?:and|then|or)\b\s*|[,;]\s*)+$", "", text[:start])
    after = re.sub(r"^(?:\s*[,;]\s*|\s*\b(?:and|then|or)\b\s*)+", "", text[end:])
    if is_object:  # slice the chili and [mix it with] the cabbage, chop the parsley and [add it to the soup]
        after = RE["with it"].sub(r"\1 ", after, count=1)
        after = re.sub(r"^(?:\s*[,;]\s*|\s*\b(?:and|then)\b\s*)+", "", RE["do it"].sub("", after, count=1))
    if not words_in(before):
        # "turning often" described the clause that is gone.
        is_independent = words_in(after) and not words_in(after)[0].written.lower().endswith("ing")
        return capitalise(after) if is_independent else ""
    if not words_in(after):
        if RE["is subordinate"].fullmatch(before) or not verbs(before.lower().split()):
            return ""
        return before.rstrip(" ,;") + "."
    if RE["is subordinate"].fullmatch(before):
        return f"{before}, {after}"
    return f"{before.rstrip(' ,;')} and {after}" if not re.match(r"[.!?]", after) else before + after


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([.,;:!?)])", r"\1", re.sub(r"\s{2,}", " ", text))
    text = re.sub(r"([,;])\s*(?=\1)", "", text)
    return re.sub(r",?(?:\s+(?:then|and))?\s*(?=[.;])|\(\s*\)", "", text)
