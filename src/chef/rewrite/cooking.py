"""Steps that cook another food: the old food's cues, times and parts give way to what the new one needs.

`tables/doneness.tsv` in `chef/food` says when a food is done. What changed and what is doubtful gets a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from chef.food import CUTS
from chef.food.doneness import Doneness, lost_words, says
from chef.rewrite.grammar import Noun, Span, capitalise, chunks, clauses
from chef.rewrite.mentions import MentionFinder
from chef.text.tokens import sentences, tokenise
from chef.text.verbs import verbs
from chef.text.words import words_in

_HEATING = """
    bake barbecue blanch boil braise broil char cook fry grill microwave poach roast saute sauté sear simmer
    smoke steam scramble cooking frying baking roasting simmering grilling boiling
""".split()
_NOT_HEATED = """
    sheet dish tray pan powder soda spray oil time water sugar rack parchment paper liquid juices stock
""".split()
_HEAT = re.compile(
    rf"\b(?:{'|'.join(_HEATING)})\b(?!\s+(?:{'|'.join(_NOT_HEATED)}))"
    r"|\bstew(?= (?:the|it|them|for|until|gently|over|in)\b)"
    r"|(?<!low )(?<!medium )(?<!high )\bheat(?= (?:the (?:meatball|patti)|for|through|until|it|them|gently))"
    r"|(?<!golden )(?<!the )(?<!deep )(?<!until )(?<!and )(?<!lightly )"
    r"\bbrown\b(?! (?:sugar|rice|bits|stuff))"
    r"|\b(?:oven|cooker|fryer)\b(?=.*\d)",
    re.I,
)
_NO_HEAT = re.compile(
    r"\bwhile [^,.;]*|\bpre-?heat\b[^.;]*|\b(?:set|heat|turn) (?:the |an? |your )?(?:oven|grill)\b[^.;,]*"
    r"|\b(?:from|out of) (?:the |a )?(?:hot |preheated )?oven\b[^.;]*"
    r"|\b(?:not|never|don.t|without|no need to)\s+(?:\w+\s+)?(?:cook|boil|bak|fry)\w*",
    re.I,
)
_COLD = re.compile(r"\b(?:cool|chill|freeze|refrigerate|rest|marinate|soak)\b", re.I)
_SAMPLE = re.compile(r"\b(?:taste|teaspoon|sample|test|small amount)\b", re.I)  # tried for its seasoning
_ALL = re.compile(r"\b(?:ingredients|everything|mixture|together|stew|soup|casserole)\b", re.I)
_ADDS = re.compile(r"(?:add|stir|mix|fold|toss|pour|put|place|return|tip|scatter|top|serve|sprinkle)\b", re.I)
_INGREDIENTS = re.compile(r"(?<!sauce )\bingredients\b", re.I)
_MEAT = re.compile(r"\bmeat\b", re.I)
_SHAPES = re.compile(r"\b(?:(?:meat ?)?balls?|patty|patties|burgers?|kebabs?|meat ?loaf)\b", re.I)
_OBJECT = re.compile(rf"\b(?:{'|'.join(_HEATING)}) (?:the|your|an?)\b", re.I)  # fry [the] chips
_NEAR = 4  # sentences after one that names the food

_OURS = re.compile("[\ue000-\uf8ff]")  # see Cooking._hold
_NUMBER = r"(?:\d+(?:[.,/]\d+)?|[¼-¾⅐-⅞]|one|two|three|four|five|six|seven|eight|ten|a few|another)"
_MINUTES = (
    rf"{_NUMBER}(?:\s*(?:-|–|to|or)\s*{_NUMBER})?[\s-]*(?:more |further |full )?"
    r"(?:minutes?|mins?\b(?:\.(?= [a-z]))?|m\b|seconds?|secs?\b)(?:\s*(?:-|–|to)\s*\d+\s*h\w*)?"
    r"(?:\s*(?:more|longer|or so|each(?! side)))?"
    r"(?:\s*(?:per|on each|each|a|on both|on either|on the (?:first|other|second)) sides?)?"
)
_TIME = re.compile(
    rf",?\s*\(?(?:\b(?:for|about|around|approximately|at least|a further|only|just)\s+)*{_MINUTES}\)?", re.I
)
_LONG = re.compile(
    r"\b(?:hours?|hrs?)\b|\b(?:[2-9]\d|\d{3})\s*(?:(?:-|–|to)\s*\d+\s*)?(?:minutes|mins?)\b", re.I
)

_UNTIL = re.compile(
    r"(?:,?\s*\bor\s+)?\b(?:just )?(until|till|when|once|as soon as|to(?= pink| opaque))\s+", re.I
)
_CLAUSE = re.compile(r"(?:\([^()]*\)|[^;.!?()]|\.(?=\d))*")
_ORDER = re.compile(  # "when done turn off the heat"
    r"\b(cooked(?: through)?|done|opened?|pink|opaque) "
    r"(?=(?:turn|remove|add|take|stir|transfer|place|put|serve)\b)"
)
_CONJUNCTION = re.compile(r",?\s+(?:and|or)\s+(?:until\s+|when\s+)?|,\s+")
_NEXT = re.compile(r"(?:\w+ly )?\w+ing\b|then\b|about\b|for\b|\d[^°]{0,15}\b(?:hours?|hrs?)\b")
_GOES_ON = re.compile(  # what looks like an order and is none: until crisp, [brown] and [cooked]
    r"(?:is|are|has|have|was|were|"
    r"turns?|starts?|begins?|looks?|feels?|reach(?:es)?|flakes?|opens?|runs?|"
    r"pulls?|falls?|brown|crisp|golden|dry|firm|clear|open|set|thick|warm|slightly|lightly|no longer|not|"
    r"cooked|done|tender|soft)\b"
)
_ANY_CUE = ("cooked", "done", "raw", "internal", "thermometer", "temperature")
_OTHER_CUE = re.compile(r"\b(?:al dente|colou?r|(?:barely|just) warm)\b", re.I)  # said of the food itself
_ANY_FOOD = re.compile(  # what any food may become
    r"\b(?:lightly|well|nicely|deep|golden|brown|crisp|coat|combine|cover|hot|heat|char|cool|use|mix|add|tender|smooth|ready)",
    re.I,
)
_WEAK = frozenset(("white", "red", "medium", "firm", "open"))  # said of much else
_UNDERDONE = re.compile(
    r"\b(?:rare|medium(?! well)|(?:still|barely|slightly|little) (?:\w+ )?"
    r"(?:pink|translucent|warm)|pink in)\b",
    re.I,
)
_SHOULD = re.compile(r"\b(?:should|must|will)\b", re.I)
_NO_VERB = re.compile(r"(?:the|all|both|your) [\w-]+(?: [\w-]+)?$", re.I)  # [the grains] and lentils are soft
_SUBJECT = re.compile(
    r"(?!(?:it|they)\b)(?:(?:the|your|all)\s+)?(\w.*?)\s+(?:is|are|has|have|turns?|looks?|runs?|flakes?|opens?)\b",
    re.I,
)
_ANY_FLESH = re.compile(
    r"\b(?:meat|flesh|cent(?:er|re)|inside|juices?|shells?|temperature|thermometer|part|outside|filling|fat)\b",
    re.I,
)
_DEGREES = r"(\d{2,3})(?!\s*(?:-|–|to|or)?\s*\d*\s*(?:more )?(?:min|sec|hour|hr|cm|inch|%))"
_DEGREES += r"\s*(?:°|º|˚|degrees?)?\s*([CF])?\b(?:elsius|ahrenheit)?"
_INSIDE = re.compile(
    r"\b(?:internal|inside|thermometer|registers?|reach(?:es)?|cent(?:er|re)|probe|reads?)\b[^.;]{0,60}?"
    rf"(?P<degrees>{_DEGREES}(?:\s*[(/]\s*\d{{2,3}}[^)/.;,]{{0,12}}\)?)?)",
    re.I,
)
_RARE = re.compile(
    r"\s*\b(?:to|for) (?:your |the |taste |desired |preferred )+(?:liking|(?:\w+ of )?doneness)\b"
    r"|,?\s*\b(?:to|for|until|at)\s+(?:an?\s+|the\s+)?(?:medium[- ])?rare\b|\s*\bmedium[- ]rare\b",
    re.I,
)


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


@dataclass
class Cooking:
    """Rewrites the steps of one recipe; afterwards `notes` says what changed and what is doubtful.

    mentions, others: find the old food and the other foods. noun, one: the new food's name, and whether the
    list has just one. old, new: when each is done. is_ready: the new food is bought cooked.
    """

    mentions: MentionFinder
    others: MentionFinder
    old_name: str
    noun: Noun
    one: bool
    old: Doneness | None
    new: Doneness | None
    is_flesh: bool  # the old food
    is_mixed: bool  # other ingredients need cooking, too
    is_ready: bool
    notes: list[str] = field(default_factory=list)
    _ours: list[str] = field(default_factory=list)  # texts of ours, each held by one private character
    _is_told: bool = False  # whether a step says when the food is done

    def steps(self, texts: Sequence[str], rename: Callable[[str, int], str]) -> list[str]:
        """The steps; `rename(sentence, reach)` puts the new name in; "they" may be the food up to `reach`."""
        parts = list(self._sentences(texts))
        if _matters(self.old) or _matters(self.new):
            for part in parts:
                if part.is_about:
                    self._replace_cues(part)
            if self._needs_cooking and not self._is_told:
                self._add_doneness(parts)
            self._note_times(parts)
        if self.new is not None and self.new.bought:
            source = f" ({self.new.source})" if self.new.is_needed else ""
            self.notes.append(f"{capitalise(self.noun.plural)}: use {self.new.bought}{source}.")
        if not any(part.is_named for part in parts):
            self.notes.append(f"No step says “{self.old_name}”: look for another word for it.")
        out, follows = [""] * len(texts), False
        doubtful: dict[int, None] = {}
        for part in parts:
            new = rename(part.text, self._reach(part.text) if follows else 0)
            if (follows or part.is_named) and self._stale.search(new):
                doubtful[part.step + 1] = None
            out[part.step] += part.gap + new
            follows = part.is_named or (follows and not part.is_others)
        if doubtful:
            words = self._verb("“they” or “them”", "“it”")
            self.notes.append(f"{words} in {_places(doubtful)} may mean {self.food}.")
        self._note_words(parts, out)
        return [self._filled(text) for text in out]

    def _first_clause(self, text: str) -> int:
        """Where the clause begins that adds the food: what is before it does not cook it."""
        found = self.mentions.find(text)
        at = words_in(text)[found[0].first].start if found else 0
        start = max((start for start, _ in clauses(text) if start <= at), default=0)
        return start if _ADDS.match(text, start) else 0

    def _reach(self, text: str) -> int:
        """Where a sentence first names another food."""
        found = self.others.find(text)
        return words_in(text)[found[0].first].start if found else len(text)

    @property
    def food(self) -> str:
        """The new food with its article."""
        return f"the {self.noun.form(self.one)}"

    @property
    def _needs_cooking(self) -> bool:
        return _matters(self.new) and not self.is_ready

    def _sentences(self, texts: Sequence[str]) -> Iterator[_Sentence]:
        is_ground = self.old is not None and self.old.name.startswith("ground")
        is_only_meat = self.is_flesh and not self.is_mixed
        is_in, since = False, _NEAR  # how many sentences ago the food was named
        for step, text in enumerate(texts):
            at = 0
            for one in [part for whole in sentences(text) for part in chunks(whole)]:
                start = text.index(one, at)
                named = bool(self.mentions.find(one) or _INGREDIENTS.search(one))
                named = named or bool(
                    (is_only_meat and _MEAT.search(one)) or (is_ground and _SHAPES.search(one))
                )
                others = bool(self.others.find(one))
                heats = bool(_HEAT.search(_NO_HEAT.sub("", one[self._first_clause(one) :])))
                about = named or not others or (heats and bool(_ALL.search(one)))
                is_in, since = is_in or named, 0 if named else since + 1 if about else _NEAR
                yield _Sentence(step, text[at:start], one, named, others, heats, about and is_in, since)
                at = start + len(one)
            if text[at:]:
                yield _Sentence(step, text[at:], "", False, False, False, False, _NEAR)

    @cached_property
    def _cues(self) -> re.Pattern[str]:
        cues = sorted({*_ANY_CUE, *(self.old.cues if self.old else ())}, key=len, reverse=True)
        return re.compile(rf"\b(?:{'|'.join(cues)})(?:s|es|d|ed)?\b", re.I)

    @cached_property
    def _stale(self) -> re.Pattern[str]:
        """A pronoun of the old food's number, where the new food has another."""
        pronoun = self._verb(r"\bthe(?:y|m|ir)\b", r"\bits?\b")
        last = words_in(self.old_name)[-1]  # cod fillets are also "it"
        is_same = (last.is_plural and last.key not in CUTS) == ("its" in pronoun)
        return re.compile("(?!)" if is_same else pronoun, re.I)

    def _hold(self, text: str) -> str:
        self._ours.append(text)
        return chr(0xE000 + len(self._ours) - 1)

    def _filled(self, text: str) -> str:
        return _OURS.sub(lambda mark: self._ours[ord(mark[0]) - 0xE000], text)

    def _clause(self, named: bool) -> str:
        """What to wait for, held; `named`: the sentence has named the food."""
        plural = self.noun.countable and not self.one
        subject = ("they" if plural else "it") if named else self.food
        if self.new is None:
            return self._hold(f"{subject} {'are' if plural else 'is'} hot through")
        return self._hold(self.new.clause(subject, plural))

    def _replace_cues(self, part: _Sentence) -> None:
        """The old food's cues in a sentence become the new one's."""
        for match in reversed(list(_UNTIL.finditer(part.text))):
            spans = list(self._conjuncts(part.text, match.end()))
            wrong = [self._is_cue(part.text[start:end], part) for start, end in spans]
            if not any(wrong):
                continue
            begin, end = match.start(), spans[-1][1]
            has_subject = bool(self.mentions.find(part.text[slice(*spans[wrong.index(True)])]))
            is_named = part.is_named and bool(self.mentions.find(part.text[:begin])) and not part.is_others
            kept = [
                part.text[slice(*span)].strip()
                for span, is_wrong in zip(spans, wrong, strict=True)
                if not is_wrong
            ]
            if kept and _NO_VERB.match(kept[0]):
                self._note_doubt(part, part.text[begin:end])
                continue
            if not kept and (after := _TIME.match(part.text, end)):
                end = after.end()
            for before in _TIME.finditer(part.text, 0, begin):
                if (
                    not kept
                    and part.text[before.end() : begin].strip(" ,") == ""
                    and not _LONG.search(before[0])
                ):
                    begin = before.start()
            self._note_change(part, part.text[begin:end])
            self._is_told = self._is_told or not _SAMPLE.search(part.text)
            clause = self._clause(any(map(self.mentions.find, kept)) or (is_named and not has_subject))
            lead = "" if not part.text[:begin].strip() else " "
            new = f"{lead}{'until' if match[1] == 'to' else match[1]} {' and '.join([*kept, clause])}"
            part.text = part.text[:begin].rstrip() + new + part.text[end:]
        rare = _RARE.search(part.text)
        if rare and self.is_flesh and part.heats and (part.is_named or not part.is_others):
            self._note_change(part, rare[0])
            until = "" if _OURS.search(part.text) else f" until {self._clause(part.is_named)}"
            self._is_told = True
            part.text = _RARE.sub("", _RARE.sub(until, part.text, count=1))
        part.text = _INSIDE.sub(lambda match: self._degrees(match, part), part.text)
        if part.is_named and _SHOULD.search(part.text) and _UNDERDONE.search(part.text):
            self._note_change(part, part.text)
            self._is_told = True
            part.text = self._hold("Make sure that ") + self._clause(False) + "."

    def _conjuncts(self, text: str, at: int) -> Iterator[Span]:
        """The parts of an until clause: until [the shrimp are pink] and [the sauce is thick], then serve."""
        whole = _CLAUSE.match(text, at)
        start, end = at, whole.end() if whole else at
        if order := _ORDER.search(text, at, end):
            end = order.end(1)
        for joint in [*_CONJUNCTION.finditer(text, at, end), None]:
            if joint is None:
                yield start, end
                return
            if text.count("(", start, joint.start()) > text.count(")", start, joint.start()):
                continue
            following = text[joint.end() : end]
            yield start, joint.start()
            is_next = _TIME.match(following) or _NEXT.match(following)
            ours = self.mentions.find(following)
            goes_on = (
                _GOES_ON.match(following) or self._cues.match(following) or (ours and ours[0].first == 0)
            )
            if is_next or (not goes_on and 1 in verbs(["and", *tokenise(following)[:8]])):
                return
            start = joint.end()

    def _is_cue(self, text: str, part: _Sentence) -> bool:
        """Whether a part of an until clause is about the old food, and does not hold for the new one."""
        is_ours = bool(self.mentions.find(text))
        if not is_ours:
            subject = _SUBJECT.match(text)
            is_own = bool(self.mentions.find(part.text)) and not part.is_others
            if (
                (subject and not _ANY_FLESH.search(subject[1]))
                or (self.is_mixed and not is_own)  # "until cooked through" is also for what is cooked with it
                or self.others.find(text)
                or not (part.is_named or self.is_flesh)
                or (part.is_others and not (part.is_named and self.is_flesh))
                or (not part.heats and _COLD.search(part.text))
            ):
                return False
        degrees = re.search(_DEGREES, text)
        is_cue = self._cues.search(text.replace("-", " ")) or (degrees and degrees[2])
        if not (is_cue or (is_ours and _OTHER_CUE.search(text))):
            if is_ours and " " in text.strip() and self.old != self.new and not _ANY_FOOD.search(text):
                self._note_doubt(part, text)
            return False
        if self.old is None or self.old != self.new:
            return True
        if not is_cue:
            return False
        self._is_told = True  # the same food to a thermometer: what was right for the one is for the other
        inside = _INSIDE.search(text)
        return bool(_UNDERDONE.search(text)) or (inside is not None and self._is_low(inside))

    def _is_low(self, inside: re.Match[str]) -> bool:
        least = self.new.celsius if self.new else None
        return least is not None and 45 <= _celsius(inside) < least

    def _degrees(self, inside: re.Match[str], part: _Sentence) -> str:
        """A temperature inside the food outside an until clause, as the new food needs it."""
        if self.new is None or self.new.celsius is None or not 45 <= _celsius(inside) <= 100:
            return inside[0]
        if (self.old == self.new or self.is_mixed) and not self._is_low(inside):
            return inside[0]
        self._note_change(part, inside["degrees"])
        start = inside.start("degrees") - inside.start()
        self._is_told = True
        return inside[0][:start] + f"{self.new.celsius} °C ({round(self.new.celsius * 9 / 5 + 32)} °F)"

    def _add_doneness(self, parts: list[_Sentence]) -> None:
        """The doneness in the last sentence that cooks the food, or before the first that uses it."""
        heated = [part for part in parts if part.is_about and part.heats and not _SAMPLE.search(part.text)]
        cooks = (
            [part for part in heated if part.since < 2]
            or [part for part in heated if part.since < _NEAR]
            or (heated if _matters(self.old) else [])
        )
        if not cooks:
            users = [part for part in parts if part.is_named] or parts[:1]
            if users:
                clause = self._clause(True)
                first = self._hold(f"First cook {self.food} until ")
                opening = next(part for part in parts if part.step == users[0].step)
                opening.text = f"{first}{clause}. {capitalise(opening.text)}"
                where = f"step {users[0].step + 1} now cooks {self._verb('it', 'them')} first"
            else:
                where = f"cook {self._verb('it', 'them')} first, until {self._filled(self._clause(True))}"
            self.notes.insert(0, f"No step is sure to cook {self.food}, so {where}.")
            return
        named = [part for part in cooks if part.is_named]
        part = named[-1] if named and _OBJECT.search(cooks[-1].text) else cooks[-1]
        for following in parts[parts.index(part) + 1 :]:
            if following not in heated or following.step != part.step:
                break
            part = following
        heat = _HEAT.search(part.text)
        time = _TIME.search(part.text, heat.end() if heat else 0)
        if time and not _UNTIL.search(part.text):
            after = part.text[time.end() :]
            is_own = (
                bool(self.mentions.find(part.text))
                and not part.is_others
                and self.old != self.new
                and not _LONG.search(part.text)
                and not part.text[: time.start()].endswith(" of")
            )
            begin = time.start() if is_own else time.end()
            comma = "" if re.match(r"\s*(?:[,.;:!()]|$)", after) else ","
            lead = " until " if is_own else ", until "
            part.text = part.text[:begin] + lead + self._clause(is_own) + comma + after
        else:
            for last in parts[parts.index(part) :]:  # up to the full stop
                if last.step == part.step and last.text:
                    part = last
                if re.search(r"[.!?)]\s*$", part.text) or last.step > part.step:
                    break
            end = "" if re.search(r"[.!?)]\s*$", part.text) else "."
            part.text = re.sub(r"[;:,]\s*$", "", part.text) + end
            part.text += self._hold(" Make sure that ") + self._clause(False) + "."
        self.notes.append(f"Step {part.step + 1} now says when {self.food} {self._verb('is', 'are')} done.")

    def _verb(self, one: str, many: str) -> str:
        return many if self.noun.countable and not self.one else one

    def _note_change(self, part: _Sentence, old: str) -> None:
        if not _OURS.search(old):
            self.notes.append(f"Step {part.step + 1}: “{old.strip(' ,')}” was for {self.old_name}.")

    def _note_doubt(self, part: _Sentence, text: str) -> None:
        self.notes.append(f"Step {part.step + 1} says “{text.strip(' ,')}”: that is for {self.old_name}.")

    def _note_times(self, parts: list[_Sentence]) -> None:
        timed = [
            part
            for part in parts
            if part.is_about and part.since < _NEAR and part.heats
            if _TIME.search(part.text) or _LONG.search(part.text)
        ]
        steps = sorted({part.step + 1 for part in timed if part.is_named or self.is_flesh})
        if steps and self.old != self.new:
            self.notes.append(f"Times in {_places(steps)} are still those for {self.old_name}.")

    def _note_words(self, parts: list[_Sentence], steps: list[str]) -> None:
        """Parts and actions that only the old food has, where the new steps still name them."""
        lost = lost_words(self.old, self.new)
        if self.is_flesh and self.old and self.new:
            lost |= self.old.cues - self.new.cues - self.new.words - _WEAK
        said: dict[int, dict[str, None]] = {}
        no_name = not any(part.is_named for part in parts)
        for part in parts:
            names = self._named(part.text)
            for start, end in clauses(part.text) if part.is_about or (no_name and not part.is_others) else ():
                clause = part.text[start:end]
                if self.others.find(clause) and not self.mentions.find(clause):
                    continue
                for word in says(lost, clause):
                    if word in steps[part.step].lower() and not any(word in name for name in names):
                        said.setdefault(part.step + 1, {})[f"“{word}”"] = None
        for step, words in said.items():
            self.notes.append(
                f"Step {step} says {', '.join(words)}: that is for {self.old_name}, not for {self.food}."
            )

    def _named(self, text: str) -> list[str]:
        words, found = words_in(text), self.mentions.find(text) + self.others.find(text)
        return [text[words[one.first].start : words[one.last - 1].end].lower() for one in found]


def _places(steps: Collection[int]) -> str:
    return f"step{'s' if len(steps) > 1 else ''} {', '.join(map(str, steps))}"


def _matters(doneness: Doneness | None) -> bool:
    return doneness is not None and doneness.is_needed


def _celsius(inside: re.Match[str]) -> float:
    value, unit = float(inside[2]), inside[3]
    is_fahrenheit = unit.upper() == "F" if unit else value > 110
    return (value - 32) * 5 / 9 if is_fahrenheit else value
