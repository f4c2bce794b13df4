"""Titles and instructions with another ingredient in them: the name, and what agrees with it.

Only what is surely understood is rewritten. The rest stays as it was written and is kept for the notes.
"""

import re

from chef.food import CUTS, FORMS
from chef.food.kinds import fits, is_state, kind_of
from chef.food.units import SIZES, unit_of
from chef.rewrite.grammar import (
    AT_START,
    OBJECT,
    RE,
    WORDS,
    Noun,
    capitalise,
    chunks,
    is_noun,
    match_case,
)
from chef.rewrite.mentions import Mention, MentionFinder
from chef.text.tokens import tokenise
from chef.text.verbs import lemma, verbs
from chef.text.words import Word, beside, words_in

_PLURAL_VERB = {"is": "are", "has": "have", "was": "were", "isn't": "aren't", "does": "do"}
_SINGULAR_VERB = {many: one for one, many in _PLURAL_VERB.items()}
_SINGULAR = {
    "they are": "it is", "they're": "it's", "they’re": "it’s", "they have": "it has", "them": "it",
    "their": "its",
}  # fmt: skip
_PLURAL = {one: many for many, one in _SINGULAR.items()}
_TO_SINGULAR = re.compile(rf"\b(?:{'|'.join(_SINGULAR)})\b", re.I)
_PRONOUN = {True: RE["plural pronoun"], False: RE["singular pronoun"]}
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+)[\"'(]*$")


class SentenceRewriter:
    """Rewrites the texts of one recipe; of the last sentence, `doubts` may be wrong now, `gone` is left out.

    mentions: finds the old ingredient, whose name is `old_name`. noun: the new one's;
    one: the list has just one of it. is_kept: the amount is the old one's.

    >>> SentenceRewriter(mentions, "chicken", beef, one=False).sentence("Brown both chicken breasts.")
    'Brown both pieces of beef.'
    """

    def __init__(
        self, mentions: MentionFinder, old_name: str, noun: Noun, *, one: bool, is_kept: bool = True
    ) -> None:
        self._mentions, self._noun, self._one, self._is_kept = mentions, noun, one, is_kept
        old, kind = kind_of(old_name), kind_of(noun.singular)
        last = words_in(old_name)[-1:]
        self._was_plural = any(
            word.is_plural or word.key in WORDS["no plural"] or word.written[-2:] in ("ns", "ts")
            for word in last
        )
        self._is_plural = noun.countable and not one
        self._is_cut = any(word.key in CUTS for word in last)  # cod fillets are also "it"
        self._was_counted = old is not None and "count" in old.traits
        is_small = kind is not None and "plural" in kind.traits and not (old and "plural" in old.traits)
        self._is_counted = kind is None or ("solid" in kind.traits and not is_small)
        self._is_fat = old is not None and old.name in ("butter", "oil")
        forms = "|".join(re.escape(form) for form in {noun.singular, noun.plural})
        self._repeated = re.compile(
            rf"\b({forms})(?:(?:,? (?:and|or|with)|,) (?:the |more )?|/| \((?:or )?)\1\b\)?", re.I
        )
        self.doubts: list[str] = []
        self.gone: list[str] = []

    def title(self, text: str) -> str:
        """The title with the new name."""
        new = "".join(self._rename(part, title=True) for part in chunks(text))
        return re.sub(r"\b(\w{3,}) \1\b", r"\1", new) if new != text else text  # Kidney Bean Bean Burritos

    def sentence(self, text: str, *, follows: bool = False, alone: bool = True) -> str:
        """A sentence with the new name.

        follows: "it" or "they" in it may be the food. alone: it names no other food.
        """
        self.doubts, self.gone = [], []
        if self._is_fat:  # butter or oil as a verb: the dish is greased, whatever with
            for name in {word.written for word in words_in(text) if self._mentions.names_it(word.key)}:
                text = greasing(name).sub(lambda m: _group(m, match_case(m[1], "grease")), text)
            text = RE["greased"].sub(lambda match: match_case(match[0], "greased"), text)
        named = self._mentions.find(text)
        if follows and (self._is_cut or self._was_plural != self._is_plural):  # "it" may be much else
            end = words_in(text)[named[0].first].start if named else len(text)
            in_list = self._is_plural or not alone
            text = self._pronouns(text[:end], self._is_plural, in_list=in_list) + text[end:]
        return "".join(self._rename(part, title=False) for part in chunks(text))

    def _rename(self, text: str, *, title: bool) -> str:
        words = words_in(text)
        mentions = self._mentions.find(text, title=title, nouns=True)
        for mention in reversed(mentions):
            text = self._replace(text, words, mention, title)
        if not mentions:
            return text
        text = re.sub(rf",(?= (?:the )?{self._repeated.pattern})", " and", text, flags=re.I)
        return self._repeated.sub(r"\1", text)

    def _replace(self, text: str, words: list[Word], mention: Mention, title: bool) -> str:
        """The text with the new name at one mention, and with what agrees with it."""
        first, last = mention.first, mention.last
        name = text[words[first].start : words[last - 1].end]
        begin = _start_of_states(text, words, first)
        before, after = text[: words[begin].start], text[words[last - 1].end :]
        was_plural = words[last - 1].is_plural
        # [apple]-packed, [chicken] mixture, [Apple] Pie
        attributive = re.match(r"-[^\W\d_]", after) is not None
        if not was_plural and last < len(words) and beside(text, words[last - 1], words[last]):
            following = words[last].written.lower()
            is_name = is_noun(following) or (
                not following.endswith(("ly", "ing", "ed", "s"))
                and last not in verbs([word.written.lower() for word in words])
            )
            is_free = following not in WORDS["function"] | WORDS["verb after a food"]
            attributive = is_free if title else attributive or (is_name and is_free)
        number, part = _number_before(before), RE["part of amount"].search(before)
        if number and not attributive and not self._is_counted:  # "each fillet" is no single bean
            self.gone.append(text[RE["count"].search(before).start() : words[last - 1].end])  # type: ignore[union-attr]
            before, number, part = RE["count"].sub("the ", before), "", None
            before = capitalise(before) if before == "the " else before
        new, is_plural = self._form(was_plural, attributive, number, words[last:])
        if title and not was_plural and not number:  # Tomato & ..., Clam, ...
            is_first = re.match(r"\s*(?:,|&|and\b)(?:.*\w ){2}", after)
            new = self._noun.singular if self._was_counted or is_first else new
        is_next_upper = last < len(words) and words[last].written[0].isupper()
        if title or name.isupper() or (name[0].isupper() and is_next_upper):
            new = match_case(name, new, title=title and is_title_case(text))
        states = text[words[begin].start : words[first].start]
        if not fits(states, self._noun.singular):  # keep those that fit the new food
            kept = [one for one in re.split(r",?\s+", states.strip()) if fits(one, self._noun.singular)]
            states = " ".join(kept) + " " if kept else ""
        if part and not title and not (self._is_kept and (self._noun.countable or _is_measure(part[0]))):
            self.doubts.append(part[0] + new)
        new = states + new
        if _SENTENCE_START.search(before):
            new = match_case(words[begin].written, new)
        if number == "one":
            article = "an" if new[0].lower() in "aeiou" else "a"
            before = re.sub(r"\b(an?)(\s+)$", lambda m: match_case(m[1], article) + m[2], before, flags=re.I)
        if self._is_fat and not fits("melted", self._noun.singular):
            before = RE["melt"].sub(lambda m: match_case(m[0], "heat"), before)
        if attributive or title:
            return before + new + after
        in_list = _is_in_list(before, after)
        verb = None if in_list and not is_plural else RE["verb after"].match(after)
        if verb and (agreeing := _agreeing(verb[2], is_plural, was_plural)):
            after = f" {verb[1]}{agreeing}{after[verb.end() :]}"
        if (was_plural or (self._was_plural and not self._noun.countable)) != is_plural:
            after = self._pronouns(after, is_plural, in_list=in_list)
        return before + new + after

    def _form(
        self, was_plural: bool, attributive: bool, number: str, following: list[Word]
    ) -> tuple[str, bool]:
        """The new name's form, and whether a verb after it is plural."""
        noun = self._noun
        if attributive:
            return noun.singular, was_plural
        if noun.countable:
            one = number == "one" or (not number and self._one)
            return noun.form(one), not one
        if not number or (following and following[0].key in FORMS):
            return noun.singular, False
        several = number == "several"
        return f"{'pieces' if several else 'piece'} of {noun.singular}", several

    def _pronouns(self, text: str, is_plural: bool, *, in_list: bool = False) -> str:
        """The text with "it" for "they" or the other way round, up to a noun that they may stand for."""
        words = words_in(text)
        nouns = (
            word.start
            for at, word in enumerate(words)
            if word.key not in WORDS["no noun"]
            if (not is_plural and (word.is_plural or word.key in ("these", "those")))
            or (is_plural and (kind_of(word.key) or (at and words[at - 1].key in ("the", "a", "an", "your"))))
        )
        joint = RE["joint"].search(text)  # "tuck the potatoes between them"
        start = 0 if not words or text[0].isalpha() else joint.start() if joint else len(text)
        stop = start if in_list else max(start, next(nouns, len(text)))
        pattern, forms = (RE["to plural"], _PLURAL) if is_plural else (_TO_SINGULAR, _SINGULAR)
        new = pattern.sub(lambda m: match_case(m[0], forms[m[0].lower()]), text[start:stop])
        text = text[:start] + new + text[stop:]
        for one in _PRONOUN[not is_plural].finditer(text):
            start = text.rfind(" ", 0, max(0, one.start() - 1)) + 1
            self.doubts.append(text[start : one.end()].strip(" ,.;("))
        return text


def _agreeing(verb: str, is_plural: bool, was_plural: bool) -> str | None:
    """The verb of a noun that has changed its number; None where it stays, or may be no verb."""
    if is_plural and not was_plural and verb.endswith("s") and verb not in _PLURAL_VERB and not is_noun(verb):
        return lemma(verb)  # the chickpea [shows]
    return (_PLURAL_VERB if is_plural else _SINGULAR_VERB).get(verb)


def _start_of_states(text: str, words: list[Word], first: int) -> int:
    """Where the words of state before the name begin: [boneless, skinless] chicken."""
    at = first
    while at > 0 and text[words[at - 1].end : words[at].start].strip() in ("", "-", ","):
        word = words[at - 1].written.lower()
        if "," in text[words[at - 1].end : words[at].start] and not word.endswith(("ed", "less")):
            break  # "bay leaf, chicken"
        is_hyphened = word == "extra" or (word in ("in", "on") and text[words[at - 1].start - 1] == "-")
        if not (is_state(word) or is_hyphened):
            break
        at -= 1
    return at


def _is_measure(part: str) -> bool:
    """Whether a part of an amount is weighed or measured: "2 cups of the "."""
    return any(
        (unit := unit_of(word.written)) is not None and unit.kind in ("mass", "volume")
        for word in words_in(part)
        if word.written.lower() not in SIZES
    )


def _is_in_list(before: str, after: str) -> bool:
    """Whether the name is one of several: "onions and" it, or it "and onions"."""
    if re.search(r"(?:\band|,)\s+(?:the\s+)?$", before):
        return True
    if not re.match(r",|\s+and\b", after):
        return False
    # "and stir" goes on with another instruction, not with another ingredient.
    if re.match(r",?\s+(?:so|which|until|if|with|while|when|as|turning|then)\b", after):
        return False
    following = tokenise(re.sub(r"^(?:,\s*)?(?:\s*and\b)?(?:\s+the\b)?", "", after))[:8]
    return bool(following and kind_of(following[0])) or 1 not in verbs(["and", *following])


def _number_before(before: str) -> str:
    """ "one", "several" or "": how many the words before a name say there are."""
    if match := RE["number at end"].search(before):
        is_half = re.search(r"(?:\b\d/\d+|[¼-¾⅐-⅞])\s*$", before) and not re.search(
            r"\d\s+\d/\d+\s*$", before
        )
        return "one" if match[0].strip() == "1" or is_half else "several"
    last = re.search(r"([^\W\d_]+)\s+$", before)
    word = last[1].lower() if last else ""
    return "one" if word in WORDS["one"] else "several" if word in WORDS["several"] else ""


def _group(match: re.Match[str], new: str) -> str:
    """The whole match with its first group replaced."""
    start = match.start()
    return match[0][: match.start(1) - start] + new + match[0][match.end(1) - start :]


def greasing(word: str) -> re.Pattern[str]:
    """A pattern for a fat's name used as a verb on a vessel: "butter a deep dish", "oil and flour the pan".

    The word itself is group 1.
    """
    near = RE["near vessel"].pattern
    return re.compile(
        rf"(?:{AT_START}|\b(?:and|then|lightly|generously|well)\s+)"
        rf"\b({re.escape(word)})\b(?:{OBJECT}|(?=\s+and\s+(?:flour|line|sugar|dust)\b)){near}",
        re.I,
    )


def is_title_case(text: str) -> bool:
    """Whether the longer words of a title are capitalised.

    >>> is_title_case("Chicken with Rice"), is_title_case("Chicken with rice")
    (True, False)
    """
    words = re.findall(r"[^\W\d_]{4,}", text)[1:]
    return all(word[:1].isupper() for word in words if word.lower() not in WORDS["function"])
