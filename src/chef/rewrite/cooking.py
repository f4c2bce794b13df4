"""Steps that cook another food: the old food's cues give way to what the new one needs.

In `chef/food/tables`, `doneness.tsv` says when a food is done and `usage.tsv` which words cooks use with it.
One note for each step says what is gone and quotes what may not suit the new food.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from chef.food import FORMS
from chef.food.doneness import Doneness, doneness_of, lost_words, says
from chef.food.kinds import kind_of
from chef.food.usage import is_odd
from chef.rewrite.grammar import RE, WORDS, Noun, Span, capitalise, chunks, clauses
from chef.rewrite.mentions import MentionFinder
from chef.rewrite.sentences import SentenceRewriter
from chef.text.tokens import sentences, tokenise
from chef.text.verbs import verbs
from chef.text.words import words_in

_NEAR = 4  # sentences after one that names the food

_OURS = re.compile("[\ue000-\uf8ff]")  # see Cooking._hold
_CLAUSE = re.compile(r"(?:\([^()]*\)|[^;:.!?()]|\.(?=\d))*")
_ANY_CUE = ("cooked", "done", "raw", "internal", "thermometer", "temperature", "doneness")


@dataclass
class _Sentence:
    step: int
    gap: str  # the white space in front of it
    text: str
    is_named: bool  # names the food
    is_others: bool  # names other ingredients
    heats: bool
    is_about: bool  # the food may be in it, named or not
    since: int  # sentences after one that names it, with no other food in between
    is_late: bool  # after the first sentence that names it


@dataclass
class Cooking:
    """Rewrites the steps of one recipe; afterwards `notes` says what changed and what is doubtful.

    mentions, others: find the old food and the other foods. leftovers: the words that still name the old
    food in a text. noun, one: the new food's name, and whether the list has just one. old, new: when each is
    done. is_ready: the new food is bought cooked.
    """

    mentions: MentionFinder
    others: MentionFinder
    rewriter: SentenceRewriter
    leftovers: Callable[[str], list[str]]
    old_name: str
    noun: Noun
    one: bool
    old: Doneness | None
    new: Doneness | None
    is_flesh: bool  # the old food
    is_mixed: bool  # other ingredients need cooking, too
    is_ready: bool
    is_shaped: bool  # the old food holds together, the new one may not
    is_starch: bool  # the old food, another one than the new
    new_name: str  # as what the new food is used: ground veal
    notes: list[str] = field(default_factory=list)
    _ours: list[str] = field(default_factory=list)  # texts of ours, each held by one private character
    _said: dict[int, list[str]] = field(default_factory=dict)  # what the notes say of each step
    _is_told: bool = False  # whether a step says when the food is done

    def steps(self, texts: Sequence[str]) -> list[str]:
        """The steps with the new food."""
        parts = list(self._sentences(texts))
        if _matters(self.old) or _matters(self.new):
            for part in parts:
                if part.is_late:
                    self._replace_cues(part)
            is_egg = self.old == self.new and self.new is not None and self.new.name == "eggs"
            if _matters(self.new) and not self.is_ready and not self._is_told and not is_egg:
                self._add_doneness(parts)
        if self.new is not None and self.new.bought:
            source = f" ({self.new.source})" if self.new.is_needed else ""
            self.notes.append(f"{capitalise(self.noun.plural)}: use {self.new.bought}{source}.")
        if not any(part.is_named or RE["ingredients"].search(part.text) for part in parts):
            self.notes.append(f"No step says “{self.old_name}”: look for another word for it.")
        out, follows = [""] * len(texts), False
        doubts: dict[int, dict[str, None]] = {}
        for part in parts:
            new = self.rewriter.sentence(part.text, follows=follows, alone=not part.is_others)
            places = [place for place in self._doubts(part, new) if place.lower() in new.lower()]
            for gone in self.rewriter.gone:
                self._say(part, f"“{gone}” was for {self.old_name}")
            for place in sorted(places, key=new.lower().find):
                if not any(place.lower() in other.lower() and place != other for other in places):
                    doubts.setdefault(part.step, {})[f"“{place}”"] = None
            out[part.step] += part.gap + new
            follows = part.is_named or (follows and not part.is_others)
        for step in sorted({*self._said, *doubts}):
            check = [f"check {', '.join(doubts[step])}"] if step in doubts else []
            self.notes.append(f"Step {step + 1}: {'; '.join([*self._said.get(step, ()), *check])}.")
        return [self._filled(text) for text in out]

    @property
    def food(self) -> str:
        """The new food with its article."""
        return f"the {self.noun.form(self.one)}"

    def _sentences(self, texts: Sequence[str]) -> Iterator[_Sentence]:
        is_ground = self.old is not None and self.old.name.startswith("ground")
        is_only_meat = self.is_flesh and not self.is_mixed
        is_in, since = False, _NEAR  # how many sentences ago the food was named
        for step, text in enumerate(texts):
            at = 0
            for one in [part for whole in sentences(text) for part in chunks(whole)]:
                start = text.index(one, at)
                named = bool(
                    self.mentions.find(one)
                    or (is_only_meat and RE["meat"].search(one))
                    or (is_ground and RE["shapes"].search(one) and not RE["other shapes"].search(one))
                )
                others = bool(self.others.find(one))
                heats = bool(RE["heat"].search(RE["no heat"].sub("", one[self._first_clause(one) :])))
                about = named or not others or (heats and bool(RE["all"].search(one)))
                is_in = is_in or named or bool(RE["ingredients"].search(one))
                since = 0 if named else since + 1 if about else _NEAR
                gap, about = text[at:start], about and is_in
                yield _Sentence(step, gap, one, named, others, heats, about, since, is_in)
                at = start + len(one)
            if text[at:]:
                yield _Sentence(step, text[at:], "", False, False, False, False, _NEAR, False)

    def _first_clause(self, text: str) -> int:
        """Where the clause begins that adds the food: what is before it does not cook it."""
        found = self.mentions.find(text)
        at = words_in(text)[found[0].first].start if found else 0
        start = max((start for start, _ in clauses(text) if start <= at), default=0)
        return start if RE["adds"].match(text, start) else 0

    @cached_property
    def _cues(self) -> re.Pattern[str]:
        cues = sorted({*_ANY_CUE, *(self.old.cues if self.old else ())}, key=len, reverse=True)
        return re.compile(rf"\b(?:{'|'.join(cues)})(?:s|es|d|ed)?\b", re.I)

    @cached_property
    def _facts(self) -> re.Pattern[str]:
        """What the text says that the food does or is."""
        food = f"(?:{re.escape(self.noun.plural)}|{re.escape(self.noun.singular)})"
        return re.compile(
            rf"\b{food} (?:can|may|will|should|must|tends?|needs?|takes?)\b[^.,;!]{{0,60}}(?<! )\b", re.I
        )

    def _hold(self, text: str) -> str:
        self._ours.append(text)
        return chr(0xE000 + len(self._ours) - 1)

    def _filled(self, text: str) -> str:
        return _OURS.sub(lambda mark: self._ours[ord(mark[0]) - 0xE000], text)

    def _clause(self, named: bool, is_stewed: bool = False) -> str:
        """What to wait for, held; `named`: the sentence has named the food."""
        assert self.new is not None
        new, plural = self.new, self.noun.countable and not self.one
        if is_stewed:
            new = doneness_of("stew meat") or new
        return self._hold(new.clause(("they" if plural else "it") if named else self.food, plural))

    def _is_stewed(self, text: str, end: int | None = None) -> bool:
        """Whether a text stews the new food before `end`, which is then tender long after it is safe."""
        found = RE["stewed"].search(text) if self._is_cut and not RE["moment"].search(text) else None
        return found is not None and (end is None or found.start() < end)

    def _is_tender(self, text: str, part: _Sentence) -> bool:
        """Whether a part of an until clause waits for the food, not for a vegetable, to be tender."""
        of_meat = self.mentions.find(text) or RE["meat"].search(text)
        of_all = not part.is_others and not RE["subject"].match(text)
        return "tender" in text and bool(of_meat or of_all)

    @property
    def _is_cut(self) -> bool:
        return self.new is not None and self.new.name == "whole cuts"

    def _say(self, part: _Sentence, said: str) -> None:
        self._said.setdefault(part.step, []).append(said)

    def _gone(self, part: _Sentence, old: str) -> None:
        self._is_told = self._is_told or not RE["no cooking"].search(part.text)
        if not _OURS.search(old):
            self._say(part, f"“{old.strip(' ,')}” was for {self.old_name}")

    def _replace_cues(self, part: _Sentence) -> None:
        """The old food's cues in a sentence become the new one's."""
        for match in reversed(list(RE["until"].finditer(part.text)) if self.new else []):
            spans = list(self._conjuncts(part.text, match.end()))
            cues = [span for span in spans if self._is_cue(part.text[slice(*span)], part)]
            if not cues:
                continue
            kept = [part.text[slice(*span)].strip() for span in spans if span not in cues]
            if kept and RE["no verb"].match(kept[0]):
                continue
            begin, end = match.start(), spans[-1][1]
            has_subject = bool(self.mentions.find(part.text[slice(*cues[0])]))
            is_named = bool(self.mentions.find(part.text[:begin])) and not part.is_others
            self._gone(part, part.text[begin:end])
            is_stewed = self._is_stewed(part.text, begin)
            clause = self._clause(is_named and not has_subject and not kept, is_stewed)
            is_tender = is_stewed and any(self._is_tender(one, part) for one in kept)
            left = kept if is_tender else [*kept, clause]
            lead = " " if part.text[:begin].strip() else ""
            until = "until" if match[1] == "to" else match[1]
            new = f"{lead}{until} {' and '.join(left)}"
            part.text = part.text[:begin].rstrip() + new + part.text[end:]
        rare = RE["rare"].search(part.text)
        if rare and self.new and self.is_flesh and part.heats and (part.is_named or not part.is_others):
            self._gone(part, rare[0])
            is_named = bool(self.mentions.find(part.text))
            until = "" if _OURS.search(part.text) else f" until {self._clause(is_named)}"
            part.text = RE["rare"].sub("", RE["rare"].sub(until, part.text, count=1))
        if part.is_about:
            part.text = RE["degrees inside"].sub(lambda match: self._degrees(match, part), part.text)
        is_ours = part.is_late and not part.is_others and self.is_flesh
        if self.new and is_ours and RE["should"].search(part.text) and RE["underdone"].search(part.text):
            self._gone(part, part.text)
            part.text = self._hold("Make sure that ") + self._clause(False) + "."

    def _conjuncts(self, text: str, at: int) -> Iterator[Span]:
        """The parts of an until clause: until [the shrimp are pink] and [the sauce is thick], then serve."""
        whole = _CLAUSE.match(text, at)
        start, end = at, whole.end() if whole else at
        if order := RE["order"].search(text, at, end):
            end = order.start() if text[order.start() - 2 : order.start()] != ", " else end
            end = len(text[:end].rstrip())
        for joint in [*RE["conjunction"].finditer(text, at, end), None]:
            if joint is None:
                yield start, end
                return
            if text.count("(", start, joint.start()) > text.count(")", start, joint.start()):
                continue
            following = text[joint.end() : end]
            yield start, joint.start()
            ours = self.mentions.find(following)
            is_subject = bool(ours) and ours[0].first == 0
            goes_on = is_subject or RE["goes on"].match(following) or self._cues.match(following)
            is_other = self.others.find(following) and not RE["subject"].match(following)
            is_next = is_other or RE["next"].match(following)
            if is_next or (not goes_on and 1 in verbs(["and", *tokenise(following)[:8]])):
                return
            start = joint.end()

    def _is_cue(self, text: str, part: _Sentence) -> bool:
        """Whether a part of an until clause is about the old food, and does not hold for the new one."""
        degrees = RE["degrees"].search(text)
        is_inside = degrees and degrees["unit"] and 55 <= _celsius(degrees) <= 77 and part.heats
        if not self.mentions.find(text) and not (is_inside and self.is_flesh and not self.is_mixed):
            subject = RE["subject"].match(text)
            is_own = bool(self.mentions.find(part.text)) and not part.is_others
            if (
                not part.is_about
                or (not part.is_named and part.since >= _NEAR)
                or (subject and not RE["any flesh"].search(subject[1]))
                or (self.is_mixed and not is_own)  # "until cooked through" is also for what is cooked with it
                or self.others.find(text)
                or not (part.is_named or self.is_flesh)
                or (part.is_others and not (self.is_flesh and self.mentions.find(part.text)))
                or (not part.heats and RE["cold"].search(part.text))
            ):
                return False
        if not (self._cues.search(text.replace("-", " ")) or (degrees and degrees["unit"])):
            return False
        if self.old is None or self.old != self.new:
            return True
        self._is_told = True  # the same food to a thermometer: what was right for the one is for the other
        inside = RE["degrees inside"].search(text)
        return bool(RE["underdone"].search(text)) or (inside is not None and self._is_low(inside))

    def _is_low(self, inside: re.Match[str]) -> bool:
        least = self.new.celsius if self.new else None
        return least is not None and 45 <= _celsius(inside) < least - 1

    def _degrees(self, inside: re.Match[str], part: _Sentence) -> str:
        """A temperature inside the food outside an until clause, as the new food needs it."""
        if self.new is None or self.new.celsius is None or not 45 <= _celsius(inside) <= 100:
            return inside[0]
        if (self.old == self.new or self.is_mixed) and not self._is_low(inside):
            return inside[0]
        self._gone(part, inside["degrees"])
        start = inside.start("degrees") - inside.start()
        return inside[0][:start] + f"{self.new.celsius} °C ({round(self.new.celsius * 9 / 5 + 32)} °F)"

    def _add_doneness(self, parts: list[_Sentence]) -> None:
        """The doneness after the last sentence that cooks the food, or before the first that uses it."""
        heated = [part for part in parts if part.is_about and self._cooks(part.text)]
        cooks = (
            [
                part
                for part in parts
                if self._is_cut and part.is_late and RE["stewed for long"].search(part.text)
            ]
            or [part for part in heated if part.since < 2]
            or [part for part in heated if part.since < _NEAR]
            or ((heated or [one for one in parts if one.heats and one.is_late]) if _matters(self.old) else [])
        )
        verb = "are" if self.noun.countable and not self.one else "is"
        if not cooks:
            used = next((part for part in parts if part.is_named), parts[0] if parts else None)
            clause = self._clause(True)
            if used:
                first = self._hold(f"First cook {self.food} until ")
                opening = next(part for part in parts if part.step == used.step)
                opening.text = f"{first}{clause}. {capitalise(opening.text)}"
            where = f"step {used.step + 1} now does" if used else f"cook until {self._filled(clause)}"
            self.notes.append(f"No step is sure to cook {self.food}: {where}.")
            return
        named = [part for part in cooks if part.is_named]
        part = named[-1] if named and RE["heats object"].search(cooks[-1].text) else cooks[-1]
        is_stewed = self._is_stewed(part.text)
        ends = [match.end() for match in RE["until"].finditer(part.text)]
        waits = [part.text[slice(*span)] for end in ends for span in self._conjuncts(part.text, end)]
        if is_stewed and any(self._is_tender(one, part) for one in waits):
            return
        rest = [one for one in parts[parts.index(part) :] if one.step == part.step and one.text]
        for one, following in zip(rest, [*rest[1:], None], strict=True):  # up to a full stop
            is_end = one is rest[-1] or re.search(r"[.!?)]\s*$", one.text)
            if is_end and not (following and following in heated):
                stop = "" if re.search(r"[.!?)]\s*$", one.text) else "."
                done = self._hold(f" {capitalise(self.food)} {verb} done when ")
                one.text = (
                    re.sub(r"[;:,]\s*$", "", one.text) + f"{stop}{done}{self._clause(True, is_stewed)}."
                )
                break
        self._said.setdefault(part.step, []).insert(0, f"now says when {self.food} {verb} done")

    def _cooks(self, text: str) -> bool:
        """Whether a clause cooks the food, or what is not another food."""
        heating = RE["no heat"].sub("", RE["until clause"].sub("", text))
        return not RE["no cooking"].search(text) and any(
            RE["heat"].search(clause)
            and (not self.others.find(clause) or self.mentions.find(clause) or RE["all"].search(clause))
            for clause in (heating[start:end] for start, end in clauses(heating))
        )

    def _doubts(self, part: _Sentence, new: str) -> Iterator[str]:
        """The places of a sentence that were written for the old food and may be wrong for the new one."""
        found = self.mentions.find(part.text) + self.others.find(part.text)
        words = words_in(part.text)
        names = {at for one in found for at in range(one.first, one.last)}
        after = {one.last for one in self.others.find(part.text) if one.last < len(words)}
        names |= {at for at in after if words[at].key in FORMS}  # calamari rings
        foods = {at for at, word in enumerate(words) if at not in names and kind_of(word.key)}
        names |= {at - 1 for at in foods}  # melted butter
        named = " ".join(words[at].written.lower() for at in names)
        if part.is_about and part.since < (2 if self.old and not RE["no cooking"].search(part.text) else 1):
            yield from self.rewriter.doubts
            for start, end in clauses(part.text):
                clause = part.text[start:end]
                if self.others.find(clause) and not self.mentions.find(clause):
                    continue
                yield from (
                    word.written.lower()
                    for at, word in enumerate(words)
                    if start <= word.start < end and at not in names
                    if is_odd(word, self.old_name, self.new_name)
                )
                yield from (one for one in says(lost_words(self.old, self.new), clause) if one not in named)
            if self.old != self.new:
                yield from (one[0] for one in self._facts.finditer(new))
                cues = (one[0] for one in self._cues.finditer(part.text))
                yield from (cue for cue in cues if cue.lower() not in {named, *WORDS["weak cue"]})
                degrees = RE["degrees"].finditer(part.text)
                yield from (one[0] for one in degrees if one["unit"] and 45 <= _celsius(one) <= 77)
            if self.new and self.new.bought:  # bought cooked
                yield from says({"soak", "do not cook"}, part.text)
            if self.is_shaped:
                yield from (one[0] for one in RE["shaping"].finditer(new))
            if part.heats and (self.old != self.new or self.is_starch):
                yield from (time[0] for time in RE["time"].finditer(part.text))
        elif part.is_late and not part.is_others and self.is_flesh:  # bones and grease that nothing else has
            yield from says(lost_words(self.old, self.new) & WORDS["flesh part"], part.text)
        yield from self.leftovers(new)


def _matters(doneness: Doneness | None) -> bool:
    return doneness is not None and doneness.is_needed


def _celsius(match: re.Match[str]) -> float:
    value, unit = float(match["value"]), match["unit"]
    is_fahrenheit = unit.upper() == "F" if unit else value > 110
    return (value - 32) * 5 / 9 if is_fahrenheit else value
