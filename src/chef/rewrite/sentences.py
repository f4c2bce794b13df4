"""Titles and instructions with another ingredient in them, as a person would write them."""

from __future__ import annotations

import re
from itertools import pairwise

from chef.food import FORMS
from chef.food.kinds import fits, is_state, kind_of
from chef.food.units import SIZES, unit_of
from chef.rewrite.grammar import (
    AT_START,
    FUNCTION,
    NO_PLURAL,
    OBJECT,
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

# Before a noun: one of it, or several counted ones.
_ONE = frozenset("a an each every one another".split())
_SEVERAL = frozenset("two three four five six seven eight nine ten twelve both several many few".split())
_NUMBER = re.compile(r"(?:\d+|[¼-¾⅐-⅞])\s*$")
_PLURAL_VERB = {
    "is": "are", "has": "have", "was": "were", "isn't": "aren't", "hasn't": "haven't", "does": "do",
    "keeps": "keep", "needs": "need", "looks": "look", "turns": "turn", "becomes": "become",
    "starts": "start", "bakes": "bake", "simmers": "simmer", "fries": "fry", "roasts": "roast",
    "begins": "begin", "cooks": "cook", "feels": "feel", "reaches": "reach",
    "releases": "release", "registers": "register", "flakes": "flake", "comes": "come", "gets": "get",
}  # fmt: skip
_SINGULAR_VERB = {many: one for one, many in _PLURAL_VERB.items()}
_VESSEL = (
    r"(?:pan|pans|dish|dishes|tin|tins|mold|molds|mould|moulds|sheet|sheets|ramekin|ramekins|casserole|skillet|"
    r"tray|trays|cups|griddle|grill|grate|rack|bowl|parchment|foil|paper|sides|bottom|inside)\b"
)
_SKIN_SIDE = re.compile(
    r"(,)?\s*\(?\b(?:skin|breast|fat)[- ]sides?[- ](?:up|down|facing (?:up|down))\b\)?"
    r"(?(1)(?:,(?! \w+ing\b))?)",
    re.I,
)
_THE_SKIN_IS = re.compile(r"\b(the )?skin is\b", re.I)
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+)[\"'(]*$")
_FATS = ("butter", "oil")
_GREASED = re.compile(
    r"\b(?:buttered|oiled)\b(?=(?:\s+\S+){0,4}\s+(?:pan|dish|tin|mold|mould|sheet|tray|skillet))", re.I
)
# What is done to a solid fat, and to oil instead; the state that it then reaches.
_MELTING = re.compile(r"\b(melt|cream)(?=\s+(?:[\d/.,¼-¾⅐-⅞\s]+[^\W\d_]+\s+)?(?:of\s+)?(?:the\s+)?$)", re.I)
_INSTEAD_OF_MELTING = {"melt": "heat", "cream": "beat"}
_IS_MELTED = re.compile(r"^\s+(?:is|has|just)?\s*(?:just )?melt(?:ed|s)\b")
_SINGULAR_PRONOUN = {
    "them": "it", "they are": "it is", "they're": "it's", "they’re": "it’s", "they have": "it has",
    "they": "it", "their": "its",
}  # fmt: skip
_THEY = re.compile(rf"\b(they)( \w+ly| only| just)? ({'|'.join(_SINGULAR_VERB)})\b", re.I)
_DONE_TO = """
    set put place lift turn transfer add cover drain remove rinse toss stir mix serve let leave cut
    slice break return season keep cook fry pour shred flake tip mash crumble dice chop shake pat rub
    dust coat grate peel
""".split()
_IT = re.compile(
    rf"\b({'|'.join(_DONE_TO)}) it\b|\bit (is|has|reaches|turns|becomes|looks|starts|begins|cooks)\b|\bits\b",
    re.I,
)
_PLURAL_PRONOUN = re.compile(rf"\b(?:{'|'.join(sorted(_SINGULAR_PRONOUN, key=len, reverse=True))})\b", re.I)
_DETERMINERS = frozenset("the a an your each both some all".split())
_CONTAINERS = re.compile(
    r"(?:\b(?:the|both|each|a|one|two|\d+)\s+)?\b(?:cans?|tins?|jars?)\s+of\s+(?:the\s+)?$", re.I
)
_PIECES = re.compile(
    r"\b(?:(?:a couple of|a few|some|the|an?|each|both|two|three|four|\d+) )?"
    r"(?:slices?|pieces?|fillets?|strips?|cubes?) of (?:the )?$",
    re.I,
)


_PARTS_OF = re.compile(r"\b(?:sides|pieces|slices|ends|edges) of (?:the )?$", re.I)
_CUT_UP = frozenset("piece cube strip slice chunk bite fillet".split())
_SOME_OF = re.compile(r"\b(?:the )?first $|\b(?:one|two|three|four|five|six|\d+) of (?:the|your) $", re.I)
_LAST = re.compile(r"\b(?:the )?(?:last|other|second|third) $", re.I)
_AMOUNT = re.compile(r"(?:\d|[¼-¾⅐-⅞])(?:[\d\s/.,¼-¾⅐-⅞-]|to|or)*([^\W\d_]+)\.?\s+(?:of )?(?:the )?$", re.I)


class SentenceRewriter:
    """Rewrites the texts of one recipe.

    mentions: finds the old ingredient, whose name is `old_name`. noun: the new one's;
    one: the list has just one of it. is_kept: the amount is the old one's.

    >>> SentenceRewriter(mentions, "chicken", beef, one=False).sentence("Brown both chicken breasts.")
    'Brown both pieces of beef.'
    """

    def __init__(
        self, mentions: MentionFinder, old_name: str, noun: Noun, *, one: bool, is_kept: bool = True
    ) -> None:
        self._mentions, self._noun, self._one, self._is_kept = mentions, noun, one, is_kept
        old, new = kind_of(old_name), self._noun.singular
        traits = old.traits if old is not None else frozenset[str]()
        self._was_counted = "count" in traits
        last = words_in(old_name)[-1:]
        self._was_plural = any(
            word.is_plural or word.key in NO_PLURAL or word.written[-2:] in ("ns", "ts") for word in last
        )
        kind = kind_of(new)
        self._is_small = kind is not None and "plural" in kind.traits and "plural" not in traits
        self._is_counted = kind is None or ("solid" in kind.traits and not self._is_small)
        self._is_fat = old is not None and old.name in _FATS
        self._is_liquid_fat = self._is_fat and not fits("melted", new)
        self._loses_skin = "skin" in traits and not fits("skin", new)
        forms = "|".join(re.escape(form) for form in {new, self._noun.plural})
        self._repeated = re.compile(rf"\b({forms})(?:(?:,? (?:and|or|with)|,) (?:the |more )?|/)\1\b", re.I)

    def title(self, text: str) -> str:
        """The title with the new name."""
        return "".join(self._rename(part, title=True) for part in chunks(text))

    def sentence(self, text: str, reach: int = 0) -> str:
        """A step, of one or more sentences, with the new name; up to `reach`, "they" may be the food."""
        is_plural = self._noun.countable and not self._one
        if reach and is_plural != self._was_plural:
            words = words_in(text)
            nouns = (  # what follows another noun of the old number may mean that one
                one.start
                for one, after in pairwise(words)
                if (
                    kind_of(one.key) or (one.key in _DETERMINERS and not after.is_plural)
                    if is_plural
                    else one.is_plural
                )
            )
            named = (words[one.first].start for one in self._mentions.find(text))
            stop = min(next(nouns, reach), next(named, reach), reach)
            text = (_plural if is_plural else _singular)(text[:stop]) + text[stop:]
        return "".join(map(self._rewrite, chunks(text)))

    def _rewrite(self, text: str) -> str:
        if self._is_fat:  # butter or oil as a verb: the dish is greased, whatever with
            names = {word.written.lower() for word in words_in(text) if self._mentions.names_it(word.key)}
            for name in names:
                text = greasing(name).sub(
                    lambda match: _replace_group(match, match_case(match[1], "grease")), text
                )
            text = _GREASED.sub(lambda match: match_case(match[0], "greased"), text)
        text = self._rename(text, title=False)
        if self._loses_skin:
            text = _SKIN_SIDE.sub("", text)
            text = _THE_SKIN_IS.sub(lambda match: "It is" if match[0][0].isupper() else "it is", text)
        return text

    def _rename(self, text: str, *, title: bool) -> str:
        words = words_in(text)
        mentions = self._mentions.find(text, title=title, nouns=True)
        for mention in reversed(mentions):
            text = self._replace(text, words, mention, title)
        return self._repeated.sub(r"\1", text) if mentions else text

    def _replace(self, text: str, words: list[Word], mention: Mention, title: bool) -> str:
        """The text with the new name at one mention, and with what agrees with it."""
        first, last = mention.first, mention.last
        name = text[words[first].start : words[last - 1].end]
        begin = _start_of_states(text, words, first)
        before, after = text[: words[begin].start], text[words[last - 1].end :]
        was_plural = words[last - 1].is_plural
        attributive = (
            re.match(r"-[^\W\d_]", after) is not None
        )  # [apple]-packed, [chicken] mixture, [Apple] Pie
        if not was_plural and last < len(words) and beside(text, words[last - 1], words[last]):
            following = words[last].written
            is_head = following.lower() not in FUNCTION if title else is_noun(following)
            attributive = attributive or is_head
            if attributive and self._is_small and words[last].key in _CUT_UP:  # beans come in no pieces
                was_plural, attributive, after = True, False, text[words[last].end :]
        if not fits("canned", self._noun.singular):
            before = _CONTAINERS.sub("the ", before)
        if self._is_small:
            before = _PIECES.sub(
                lambda m: "the " if m[0].lower().startswith(("each", "every", "both")) else "some ", before
            )
        if not self._is_kept:
            before = _measured(before)
        if not self._noun.countable or not self._is_kept:  # "4 of the eggs", "the last egg"
            before = _SOME_OF.sub(lambda m: match_case(m[0], "part of the "), before)
            before = _LAST.sub(lambda m: match_case(m[0], "the rest of the "), before)
        if (other := re.match(r" \(([a-z]+(?: [a-z]+)?)\)", after)) and kind_of(other[1]):
            after = after[other.end() :]  # paneer (cottage cheese)
        number = _number_before(before)
        if number and not self._is_counted and not attributive:  # "each fillet" is no single bean
            before, number = re.sub(r"(?:a few|[^\W\d_]+|[\d¼-¾⅐-⅞/.]+)\s+$", "the ", before), ""
            before = re.sub(r"\b(the|remaining|last|these|your) the $", r"\1 ", before)
            before = capitalise(before) if before == "the " else before
        new, is_plural = self._form(was_plural, attributive, number, words[last:])
        if title and self._was_counted and not was_plural and not number:
            new = self._noun.singular
        if title or name.isupper():
            new = match_case(name, new, title=title and is_title_case(text))
        states = text[words[begin].start : words[first].start]
        if not fits(states, self._noun.singular):  # keep those that fit the new food
            parts = [part for part in re.split(r",?\s+", states.strip()) if fits(part, self._noun.singular)]
            states = " ".join(parts) + " " if parts else ""
            if not parts:  # "drained and rinsed beans"
                before = re.sub(r"\b(\w+) and $", lambda m: "" if self._is_lost(m[1]) else m[0], before)
        after = re.sub(r"^,\s*(\w+)(?=[,.;]|\s+and\b)", lambda m: "" if self._is_lost(m[1]) else m[0], after)
        new = states + new
        if _SENTENCE_START.search(before):
            new = match_case(words[begin].written, new)
        if number == "one":
            article = "an" if new[0].lower() in "aeiou" else "a"
            before = re.sub(r"\b(an?)(\s+)$", lambda m: match_case(m[1], article) + m[2], before, flags=re.I)
        if self._is_liquid_fat:
            before = _MELTING.sub(lambda m: match_case(m[0], _INSTEAD_OF_MELTING[m[0].lower()]), before)
            after = _IS_MELTED.sub(" is hot", after)
        in_list = _is_in_list(before, after)
        match = None if _PARTS_OF.search(before) else re.match(r"\s+([a-z']+)\b", after)
        if match and (
            not in_list or is_plural
        ):  # "the rice and the fish is done": the verb is the fish's alone
            verb = (_PLURAL_VERB if is_plural else _SINGULAR_VERB).get(match[1])
            if is_plural and not was_plural and not attributive and match[1].endswith("s"):
                verb = verb or (None if is_noun(match[1]) else lemma(match[1]))  # the chickpea [shows]
            if verb is not None:
                after = _replace_group(match, verb) + after[match.end() :]
        if not in_list and not attributive:  # "it" instead of "them" in this sentence, or the other way round
            end = re.search(r"[.;!?](?:\s|$)", after)
            stop = end.start() if end else len(after)
            if (was_plural or self._was_plural) and not is_plural:
                after = _singular(after[:stop]) + after[stop:]
            elif not was_plural and is_plural and not number:
                after = _plural(after[:stop]) + after[stop:]
        return before + new + after

    def _is_lost(self, word: str) -> bool:
        """Whether a word is of a state that the new food cannot be in."""
        return is_state(word) and not fits(word, self._noun.singular)

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


def _singular(text: str) -> str:
    text = _THEY.sub(lambda m: match_case(m[1], "it") + f"{m[2] or ''} {_SINGULAR_VERB[m[3]]}", text)
    return _PLURAL_PRONOUN.sub(lambda m: match_case(m[0], _SINGULAR_PRONOUN[m[0].lower()]), text)


def _plural(text: str) -> str:
    """With "them" for "it" where no other word has to change."""

    def several(match: re.Match[str]) -> str:
        new = f"they {_PLURAL_VERB[match[2]]}" if match[2] else "their"
        return f"{match[1]} them" if match[1] else match_case(match[0].split()[0], new)

    return _IT.sub(several, text)


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


def _measured(before: str) -> str:
    """The text without an amount at its end, which the new food does not have."""
    amount = _AMOUNT.search(before)
    is_amount = amount and (unit_of(amount[1]) or amount[1].lower() in SIZES)
    return before[: amount.start()] + "the " if amount and is_amount else before


def _is_in_list(before: str, after: str) -> bool:
    """Whether the name is one of several: "onions and" it, or it "and onions"."""
    if re.search(r"(?:\band|,)\s+(?:the\s+)?$", before):
        return True
    if not re.match(r",|\s+and\b", after):
        return False
    # "and stir" goes on with another instruction, not with another ingredient.
    if re.match(r",?\s+(?:so|which|until|if|with|while|when|as|turning|then)\b", after):
        return False
    following = tokenise(re.sub(r"^(?:,\s*)?(?:\s*and\b)?", "", after))[:8]
    return 1 not in verbs(["and", *following])


def _number_before(before: str) -> str:
    """ "one", "several" or "": how many the words before a name say there are."""
    if match := _NUMBER.search(before):
        is_half = re.search(r"(?:\b\d/\d+|[¼-¾⅐-⅞])\s*$", before) and not re.search(
            r"\d\s+\d/\d+\s*$", before
        )
        return "one" if match[0].strip() == "1" or is_half else "several"
    last = re.search(r"([^\W\d_]+)\s+$", before)
    word = last[1].lower() if last else ""
    return "one" if word in _ONE else "several" if word in _SEVERAL else ""


def _replace_group(match: re.Match[str], new: str) -> str:
    """The whole match with its first group replaced."""
    start = match.start()
    return match[0][: match.start(1) - start] + new + match[0][match.end(1) - start :]


def greasing(word: str) -> re.Pattern[str]:
    """A pattern for a fat's name used as a verb on a vessel: "butter a deep dish", "oil and flour the pan".

    The word itself is group 1.
    """
    near = rf"(?=[^.;]{{0,60}}?\b{_VESSEL})"
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
    return all(word[:1].isupper() for word in words if word.lower() not in FUNCTION)
