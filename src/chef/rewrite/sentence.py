"""Titles and instructions in which another ingredient has come in, as a person would write them."""

from __future__ import annotations

import re

from chef.food.kinds import fits, is_state, kind_of
from chef.food.words import FORMS
from chef.rewrite.chunks import chunks
from chef.rewrite.coming import Coming
from chef.rewrite.grammar import (
    FUNCTION,
    NUMBER,
    ONE,
    PLURAL_VERB,
    SEVERAL,
    SINGULAR_VERB,
    greasing,
    is_noun,
    is_titled,
    is_verb,
)
from chef.rewrite.mentions import Mention, Mentions
from chef.rewrite.nouns import article, like
from chef.text.tokens import tokenise
from chef.text.verbs import verbs
from chef.text.words import Word, beside, words_in

_SKIN_SIDE = re.compile(r",?\s*\(?\b(?:skin|breast|fat)[- ]sides? (?:up|down|facing (?:up|down))\b\)?", re.I)
_THE_SKIN_IS = re.compile(r"\b(the )?skin is\b", re.I)
_OPENS = re.compile(r"(?:^|[.!?:;]\s+)[\"'(]*$")  # a sentence begins here
_FATS = ("butter", "oil")
_GREASED = re.compile(
    r"\b(?:buttered|oiled)\b(?=(?:\s+\S+){0,4}\s+(?:pan|dish|tin|mold|mould|sheet|tray|skillet))", re.I
)
# What is done to a solid fat, and what to oil instead; the state it then reaches.
_HEATING = re.compile(r"\b(melt|cream)(?=\s+(?:[\d/.,¼-¾⅐-⅞\s]+[^\W\d_]+\s+)?(?:of\s+)?(?:the\s+)?$)", re.I)
_HEATED = {"melt": "heat", "cream": "beat"}
_IS_MELTED = re.compile(r"^\s+(?:is|has|just)?\s*(?:just )?melt(?:ed|s)\b")
_THEY = {"them": "it", "they are": "it is", "they have": "it has", "they": "it", "their": "its"}
_THEM = re.compile(rf"\b(?:{'|'.join(_THEY)})\b")


class Rewriter:
    """Rewrites the texts of one recipe.

    mentions: finds what leaves. one: the new list has just one of what comes.

    >>> Rewriter(mentions, beef, one=False).sentence("Brown both chicken breasts until they are golden.")
    'Brown both pieces of beef until they are golden.'
    """

    def __init__(self, mentions: Mentions, leaving: str, coming: Coming, *, one: bool) -> None:
        self._mentions, self._coming, self._one = mentions, coming, one
        kind = kind_of(leaving)
        self._was_counted = kind is not None and "count" in kind.traits
        self._fat = kind is not None and kind.name in _FATS
        self._thins = self._fat and not fits("melted", coming.noun.singular)
        self._loses_skin = (
            kind is not None and "skin" in kind.traits and not fits("skin", coming.noun.singular)
        )
        forms = "|".join(re.escape(form) for form in {coming.noun.singular, coming.noun.plural})
        self._twice = re.compile(rf"\b({forms})(?:,? (?:and|or|with)|,) (?:the |more )?\1\b", re.I)

    def title(self, text: str) -> str:
        """The title with the new name."""
        return "".join(self._names(part, title=True) for part in chunks(text))

    def sentence(self, text: str) -> str:
        """A step, of one or more sentences, with the new name."""
        return "".join(map(self._part, chunks(text)))

    def _part(self, text: str) -> str:
        text = self._greased(text)
        new = self._names(text, title=False)
        if self._loses_skin:
            new = _SKIN_SIDE.sub("", new)
            new = _THE_SKIN_IS.sub(lambda match: "It is" if match[0][0].isupper() else "it is", new)
        return new

    def _greased(self, text: str) -> str:
        """Butter or oil as a verb: the dish is greased, whatever with."""
        if not self._fat:
            return text
        for word in {word.written.lower() for word in words_in(text) if self._mentions.names_it(word.key)}:
            text = greasing(word).sub(lambda match: _at(match, 1, like(match[1], "grease")), text)
        return _GREASED.sub(lambda match: like(match[0], "greased"), text)

    def _names(self, text: str, *, title: bool) -> str:
        words = words_in(text)
        found = [
            mention
            for mention in self._mentions.find(text, title=title)
            if title or not is_verb(text, words[mention.first].written, words[mention.first].start)
        ]
        for mention in reversed(found):
            text = self._replaced(text, words, mention, title)
        return self._twice.sub(r"\1", text) if found else text

    def _replaced(self, text: str, words: list[Word], mention: Mention, title: bool) -> str:
        first, last = mention.first, mention.last
        name = text[words[first].start : words[last - 1].end]
        begin = self._states_before(text, words, first)
        before, after = text[: words[begin].start], text[words[last - 1].end :]
        kept = self._kept_states(text, words, begin, first)
        was_plural = words[last - 1].is_plural
        attributive = self._belongs_to_next(text, words, last, title) and not was_plural
        number = _number_before(before)
        new, is_plural = self._form(was_plural, attributive, number, words[last:])
        if title and self._was_counted and not was_plural and not number:
            new = self._coming.noun.singular
        if title or name.isupper():
            new = like(name, new, title=title and is_titled(text))
        new = kept + new
        if _OPENS.search(before):
            new = like(words[begin].written, new)
        if number == "one":
            before = _with_article(before, new)
        if self._thins:
            before = _HEATING.sub(lambda match: like(match[0], _HEATED[match[0].lower()]), before)
            after = _IS_MELTED.sub(" is hot", after)
        if not _is_listed(before, after):
            after = _agreed(after, is_plural)
            if was_plural and not is_plural and not attributive:
                after = _pronouns(after)
        return before + new + after

    def _form(
        self, was_plural: bool, attributive: bool, number: str, following: list[Word]
    ) -> tuple[str, bool]:
        """The words that come in, and whether a verb after them is in the plural."""
        noun = self._coming.noun
        if attributive:
            return noun.singular, was_plural
        if not noun.counted:
            if not number or (following and following[0].key in FORMS):
                return noun.singular, False
            many = number == "several"
            return f"{'pieces' if many else 'piece'} of {noun.singular}", many
        one = number == "one" or (not number and self._one)
        return noun.form(one), not one

    def _belongs_to_next(self, text: str, words: list[Word], last: int, title: bool) -> bool:
        if last >= len(words) or not beside(text, words[last - 1], words[last]):
            return False
        following = words[last]
        return following.written.lower() not in FUNCTION if title else is_noun(following.written)

    def _states_before(self, text: str, words: list[Word], first: int) -> int:
        """Where the words of state before the name begin: [boneless, skinless] chicken."""
        at = first
        while at > 0 and text[words[at - 1].end : words[at].start].strip() in ("", "-", ","):
            word = words[at - 1].written.lower()
            if not (is_state(word) or (word in ("in", "on") and text[words[at - 1].start - 1] == "-")):
                break
            at -= 1
        return at

    def _kept_states(self, text: str, words: list[Word], begin: int, first: int) -> str:
        """What may stay of the words of state before the name, with the space after it."""
        if begin == first:
            return ""
        written = text[words[begin].start : words[first].start]
        if fits(written, self._coming.noun.singular):
            return written
        parts = [
            part for part in re.split(r",?\s+", written.strip()) if fits(part, self._coming.noun.singular)
        ]
        return " ".join(parts) + " " if parts else ""


def _is_listed(before: str, after: str) -> bool:
    """Whether the name is one of several: "onions and" it, or it "and onions"."""
    if re.search(r"(?:\band|,)\s+(?:the\s+)?$", before):
        return True
    # "and stir" goes on with an order, not with another ingredient.
    return re.match(r",|\s+and\b", after) is not None and 1 not in verbs(["and", *_after_and(after)])


def _after_and(after: str) -> list[str]:
    return tokenise(re.sub(r"^(?:,\s*)?(?:\s*and\b)?", "", after))[:8]


def _agreed(after: str, is_plural: bool) -> str:
    """What follows a name, its verb in the name's number."""
    match = re.match(r"\s+([a-z']+)\b", after)
    verb = (PLURAL_VERB if is_plural else SINGULAR_VERB).get(match[1]) if match else None
    return after if match is None or verb is None else _at(match, 1, verb) + after[match.end() :]


def _pronouns(after: str) -> str:
    """What follows, up to the end of the sentence, with "it" in place of "them"."""
    end = re.search(r"[.;!?](?:\s|$)", after)
    stop = end.start() if end else len(after)
    return _THEM.sub(lambda match: _THEY[match[0]], after[:stop]) + after[stop:]


def _number_before(before: str) -> str:
    """ "one", "several" or "": what the words before a name count it as."""
    if match := NUMBER.search(before):
        return "one" if match[0].strip() == "1" else "several"
    last = re.search(r"([^\W\d_]+)\s+$", before)
    word = last[1].lower() if last else ""
    return "one" if word in ONE else "several" if word in SEVERAL else ""


def _with_article(before: str, new: str) -> str:
    return re.sub(r"\b(an?)(\s+)$", lambda match: like(match[1], article(new)) + match[2], before, flags=re.I)


def _at(match: re.Match[str], group: int, new: str) -> str:
    """The whole match with one group replaced."""
    start = match.start()
    return match[0][: match.start(group) - start] + new + match[0][match.end(group) - start :]
