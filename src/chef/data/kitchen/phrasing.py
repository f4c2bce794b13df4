"""Titles and sentences: words for what a dish family lays out, from `phrases.json`.

In the sentence templates of a verb `{v}` is the verb itself, so the action word is always in the sentence;
`{x}` are the foods, `{y}` the foods after "with"; `{in}`, `{to}`, `{into}` the pan ("in a large pot", then
"in the pot"); `{t}` minutes; `{temp}` an oven temperature. `[a|b]` chooses one; `{hot}` needs a hot pan.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from chef.data.kitchen.tables import Sentence, foods, read_text

PHRASES: dict[str, Any] = json.loads(read_text("phrases.json"))
VERBS: dict[str, Any] = PHRASES["verbs"]
# A cooking method: what the food is called once done, and the look it gets.
METHODS: dict[str, tuple[str, str]] = PHRASES["methods"]
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_PAN = re.compile(r"\{(in|to|into)\}")


@dataclass(frozen=True, slots=True)
class Named:
    """A food as the author of this recipe calls it."""

    token: str
    spoken: str  # in sentences
    one: str  # before a noun, in titles
    many: str


@dataclass(slots=True)
class Narrator:
    """Turns the sentences of a family into words; remembers which pans were already named."""

    foods: Mapping[str, Sequence[Named]]  # role -> foods
    method: str | None
    pans: set[str] = field(default_factory=set)

    def say(self, sentence: Sentence, rng: Random, first: bool, last: bool) -> tuple[str, str] | None:
        """The sentence in words and its action word; None where its foods are absent."""
        what = [named for role in sentence.what for named in self.foods.get(role, ())]
        extra = [named for role in sentence.extra for named in self.foods.get(role, ())]
        verbs = [self.method or "cook" if verb == "METHOD" else verb for verb in sentence.verbs]
        if verbs == ["PREPARE"]:
            verbs, what = _prepared(what, rng)
        x, y = _noun(sentence.what, what), _noun(sentence.extra, extra)
        if sentence.extra == ["season"]:
            y = y.removeprefix("the ")
        lines = {verb: [t for t in VERBS[verb]["templates"] if _fits(t, y, sentence.pan)] for verb in verbs}
        verbs = [verb for verb in verbs if lines[verb]]
        if not x or not verbs or (sentence.needs_extra and not y):
            return None
        verb = rng.choice(verbs)
        text = expand(rng.choice(lines[verb]), rng)
        fields = {"v": verb, "x": x, "y": y, "hot": "", "t": _minutes(rng, *VERBS[verb]["minutes"])}
        fields["temp"] = rng.choice(PHRASES["temperatures"])
        if sentence.pan is not None and _PAN.search(text):
            pan = sentence.pan
            name = f"the {pan}" if pan in self.pans else rng.choice(PHRASES["pans"][pan])
            self.pans.add(pan)
            fields |= {at: f"{at} {name}" for at in ("in", "to", "into")}
        if rng.random() < (0.45 if last else 0.24):
            text = rng.choice(PHRASES["openings"]["last" if last else "first" if first else "any"]) + text
        text = " ".join(text.format(**fields).split()).replace(" ,", ",").replace("about about", "about")
        return _capital(text) + ".", verb


def _prepared(what: Sequence[Named], rng: Random) -> tuple[list[str], list[Named]]:
    """A verb that suits the first food that has one, and all the foods that it suits."""
    suitable: dict[str, str] = PHRASES["prepare"]  # token or kind of food -> verbs
    verbs = [suitable.get(named.token, suitable.get(foods()[named.token].kind, "")).split() for named in what]
    first = next(filter(None, verbs), None)
    if first is None:
        return [], []
    verb = rng.choice(first)
    return [verb], [named for named, own in zip(what, verbs, strict=True) if verb in own]


def _noun(roles: Sequence[str], named: Sequence[Named]) -> str:
    """The foods of a sentence as an enumeration, or its plain word."""
    if roles and roles[0].startswith("="):
        return "everything" if roles == ["=everything"] else f"the {roles[0][1:]}"
    if roles == ["oven"]:
        return "the oven"
    names = [food.spoken for food in named[:5]]
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
    return listed and f"the {listed}"


def expand(template: str, rng: Random) -> str:
    """Choose within every `[a|b]`, innermost first."""
    while match := _CHOICE.search(template):
        template = template[: match.start()] + rng.choice(match[1].split("|")) + template[match.end() :]
    return template


def _fits(template: str, extra: str, pan: str | None) -> bool:
    if ("{hot}" in template and pan not in ("pot", "pan", "wok")) or (pan is None and _PAN.search(template)):
        return False
    return ("{y}" in template) == bool(extra)


def _minutes(rng: Random, low: int, high: int) -> str:
    minutes = rng.randint(low, high)
    minutes = 5 * round(minutes / 5) if minutes > 12 else minutes
    said = rng.choice(
        (f"{minutes}", f"about {minutes}", f"{minutes} to {minutes + (5 if minutes > 12 else 2)}")
    )
    return "1 minute" if minutes <= 1 else f"{said} minutes"


def group(sentences: Sequence[str], rng: Random) -> list[str]:
    """Sentences gathered into 3 to 10 steps of one to three sentences."""
    count = len(sentences)
    least = max(3, -(-count // 3))
    sizes = [1] * rng.randint(least, max(least, min(10, count)))
    while sum(sizes) < count:
        sizes[rng.choice([i for i, size in enumerate(sizes) if size < 3])] += 1
    rest = iter(sentences)
    return [" ".join(next(rest) for _ in range(size)) for size in sizes]


def title(
    titles: Sequence[str],
    by_role: Mapping[str, Sequence[Named]],
    others: Sequence[Named],
    rng: Random,
    **more: str,
) -> str:
    """A title as cooks write them. `others` are the foods worth naming beside the main one."""
    fields = {"adj": rng.choice(PHRASES["adjectives"]), **more}
    for role, named in by_role.items():
        fields[role], fields[f"{role}1"] = named[0].many, named[0].one
    fields["main"], fields["mains"] = by_role["main"][0].one, by_role["main"][0].many
    names = [named.many for named in rng.sample(list(others), min(2, len(others)))]
    fields["x"] = names[0] if names else ""
    fields["with"] = f" with {' and '.join(names[: rng.randint(1, 2)])}" if names else ""
    for _ in range(12):
        text = expand(rng.choice(titles), rng)
        used = set(re.findall(r"\{(\w+)\}", text))
        if used <= fields.keys() and all(fields[name] or name == "with" for name in used):
            filled = " ".join(text.format(**fields).split())
            long_words = [word for word in re.findall(r"\w+", filled.lower()) if len(word) > 4]
            # "green beans with green beans" names one thing twice: draw again.
            if len(set(long_words)) == len(long_words):
                return _capital(filled)
    return _capital(f"{fields['main']} {more['name']}")


def title_case(text: str) -> str:
    """Every word with a capital except the small ones."""
    small = ("with", "and", "in", "on", "of", "the")
    return _capital(" ".join(word if word in small else _capital(word) for word in text.split()))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
