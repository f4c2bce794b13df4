"""Sentences and titles: words for what the grammar laid out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from chef.data.kitchen.grammar import Family, Sentence
from chef.data.kitchen.verbs import HEAT, KNIFE, METHODS, VERBS

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_PANS: dict[str, tuple[str, ...]] = {
    "pot": ("a large pot", "a heavy pot", "a large saucepan", "a deep saucepan"),
    "pan": ("a large frying pan", "a wide pan", "a large skillet", "a heavy skillet"),
    "wok": ("a wok", "a large wok", "a hot wok"),
    "bowl": ("a large bowl", "a mixing bowl", "a medium bowl", "a small bowl"),
    "dish": ("a baking dish", "an ovenproof dish", "a shallow dish"),
    "tray": ("a baking tray", "a roasting tray", "a rimmed tray"),
    "tin": ("the prepared tin", "the tin"),
    "blender": ("a blender", "a powerful blender"),
}
_AT = ("{in}", "{to}", "{into}")
_HOT = ("pot", "pan", "wok")
_TEMPERATURES = (
    "160°C", "170°C", "180°C", "180°C (350°F)", "190°C", "200°C", "200°C (400°F)", "220°C", "325°F", "350°F",
    "375°F", "400°F", "425°F",
)  # fmt: skip
_FIRST = ("To start, ", "First, ", "Before you begin, ")
_ANY = ("Next, ", "Then ", "After that, ", "When you are ready, ", "Now ")
_KNIFE = ("Using a sharp knife, ", "On a large board, ", "With a small knife, ")
_HEAT = ("Meanwhile, ", "When the pan is hot, ", "Once everything is prepared, ", "At the same time, ")
_LAST = ("Finally, ", "To finish, ", "Just before eating, ", "When ready to eat, ")
_ADJECTIVES = (
    "easy", "quick", "simple", "classic", "hearty", "rustic", "family", "speedy", "weeknight", "homemade",
    "light", "comforting", "everyday", "healthy", "zesty", "favourite", "cosy", "fresh",
    "best-ever", "golden",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """A food as this recipe's author calls it."""

    token: str
    spoken: str  # in sentences
    one: str  # before a noun, in titles
    many: str
    plural: bool


@dataclass(slots=True)
class Narrator:
    """Turns the sentences of a family into words; remembers which pans were already named."""

    foods: Mapping[str, Sequence[Named]]  # role -> foods
    method: str | None
    pans: dict[str, str] = field(default_factory=dict)
    before: tuple[str, Sequence[Named]] = ("", ())
    oven: bool = False

    def say(self, sentence: Sentence, rng: Random, first: bool, last: bool) -> tuple[str, str] | None:
        """The sentence in words and its action word; None where all its foods are absent."""
        what, extra = self._foods(sentence.what), self._foods(sentence.extra)
        x = self._noun(sentence.what, what)
        if sentence.what and not x:
            return None
        y = self._noun(sentence.extra, extra)
        if sentence.extra == ("season",):
            y = y.removeprefix("the ")
        fits = self._templates(sentence, bool(y))
        if not fits:  # no verb of the sentence can be said without the foods after "with"
            return None
        verb = rng.choice(sorted(fits))
        minutes, _ = VERBS[verb]
        text = expand(rng.choice(fits[verb]), rng).replace("{v}", verb).replace("{hot}", "")
        text = text.replace("{x}", x).replace("{y}", y).replace("{t}", _minutes(minutes, rng))
        text = text.replace("{temp}", rng.choice(_TEMPERATURES))
        if sentence.pan is not None:
            text = self._with_pan(text, sentence.pan, rng)
        opening = self._opening(verb, what, rng, first, last)
        self.before = (verb, what)
        self.oven = self.oven or verb == "preheat"
        text = " ".join((opening + text).split()).replace(" ,", ",")
        return text[0].upper() + text[1:] + ".", verb

    def _templates(self, sentence: Sentence, extra: bool) -> dict[str, list[str]]:
        """Verb -> its templates that fit what the recipe has."""
        verbs = [(self.method or "cook") if verb == "METHOD" else verb for verb in sentence.verbs]
        fits = {verb: [line for line in VERBS[verb][1] if _fits(line, extra, sentence.pan)] for verb in verbs}
        return {verb: lines for verb, lines in fits.items() if lines}

    def _foods(self, roles: Sequence[str]) -> list[Named]:
        return [named for role in roles for named in self.foods.get(role, ())]

    def _noun(self, roles: Sequence[str], foods: Sequence[Named]) -> str:
        plain = [role[1:].replace("_", " ") for role in roles if role.startswith("=")]
        if plain:
            return plain[0] if plain[0] == "everything" else f"the {plain[0]}"
        if roles == ("oven",):
            return "the oven"
        return _join([named.spoken for named in foods[:5]])

    def _with_pan(self, text: str, pan: str, rng: Random) -> str:
        if not any(at in text for at in _AT):
            return text
        name = f"the {pan}" if pan in self.pans else rng.choice(_PANS[pan])
        self.pans[pan] = name
        for at in _AT:
            text = text.replace(at, f"{at[1:-1]} {name}")
        return text

    def _opening(self, verb: str, what: Sequence[Named], rng: Random, first: bool, last: bool) -> str:
        if rng.random() > (0.45 if last else 0.24):
            return ""
        options: list[str] = list(_LAST if last else _FIRST if first else _ANY)
        if verb in KNIFE:
            options += _KNIFE
            if self.oven:
                options.append("While the oven heats, ")
        if verb in HEAT and not first:
            options += _HEAT
        verb_before, foods = self.before
        if verb_before in HEAT and len(foods) == 1 and foods[0] not in what and not last:
            thing = foods[0]
            options += [f"While the {thing.spoken} {'cook' if thing.plural else 'cooks'}, "] * 3
            options.append(f"Once the {thing.spoken} {'are' if thing.plural else 'is'} ready, ")
        return rng.choice(options)


def expand(template: str, rng: Random) -> str:
    """Choose within every `[a|b]`, innermost first.

    >>> expand("[one|one] egg", Random(0))
    'one egg'
    """
    while match := _CHOICE.search(template):
        template = template[: match.start()] + rng.choice(match[1].split("|")) + template[match.end() :]
    return template


def _fits(template: str, extra: bool, pan: str | None) -> bool:
    if "{hot}" in template and pan not in _HOT:
        return False
    return ("{y}" in template) == extra and (pan is not None or not any(at in template for at in _AT))


def _minutes(between: tuple[int, int], rng: Random) -> str:
    low, high = between
    minutes = rng.randint(low, high)
    if minutes > 12:
        minutes = 5 * round(minutes / 5)
    if minutes <= 1:
        return "1 minute"
    more = minutes + (5 if minutes > 12 else 2)
    return rng.choice(
        (
            f"{minutes} minutes",
            f"about {minutes} minutes",
            f"{minutes} to {more} minutes",
            f"{minutes}-{more} minutes",
        )
    )


def _join(names: Sequence[str]) -> str:
    if not names:
        return ""
    head = f"the {names[0]}"
    if len(names) == 1:
        return head
    return ", ".join([head, *names[1:-1]]) + f" and {names[-1]}"


def group(sentences: Sequence[str], rng: Random) -> list[str]:
    """Sentences gathered into 3 to 10 steps of one to three sentences."""
    count = len(sentences)
    least, most = max(3, -(-count // 3)), min(10, count)
    steps = rng.randint(least, max(least, most))
    sizes = [1] * steps
    while sum(sizes) < count:
        open_steps = [i for i, size in enumerate(sizes) if size < 3]
        sizes[rng.choice(open_steps)] += 1
    out, start = [], 0
    for size in sizes:
        out.append(" ".join(sentences[start : start + size]))
        start += size
    return out


def title(
    family: Family,
    foods: Mapping[str, Sequence[Named]],
    seen: Sequence[Named],
    cuisine: str,
    method: str | None,
    rng: Random,
) -> str:
    """A title as cooks write them. `seen` are the foods worth naming beside the main one."""
    fields = {"cuisine": _capital(cuisine), "adj": rng.choice(_ADJECTIVES), "noun": rng.choice(family.nouns)}
    fields["done"] = METHODS[method][0] if method else ""
    for role, named in foods.items():
        fields[role], fields[f"{role}1"] = named[0].many, named[0].one
    fields["main"], fields["mains"] = foods["main"][0].one, foods["main"][0].many
    others = [named.many for named in rng.sample(list(seen), min(2, len(seen)))]
    fields["x"] = others[0] if others else ""
    fields["with"] = f" with {' and '.join(others[: rng.randint(1, 2)])}" if others else ""
    for _ in range(12):
        text = expand(rng.choice(family.titles), rng)
        names = set(re.findall(r"\{(\w+)\}", text))
        if names <= fields.keys() and all(fields[name] or name == "with" for name in names):
            filled = " ".join(text.format(**fields).split())
            words = re.findall(r"\w+", filled.lower())
            # "green beans with green beans" names one thing twice: draw again.
            if len({word for word in words if len(word) > 4}) == len([w for w in words if len(w) > 4]):
                return filled[0].upper() + filled[1:]
    plain = f"{fields['main']} {fields['noun']}"
    return plain[0].upper() + plain[1:]


def title_case(text: str) -> str:
    """Every word with a capital but the small ones."""
    small = {"with", "and", "in", "on", "of", "the", "al", "from", "alla"}
    return " ".join(
        word if i and word in small else word[0].upper() + word[1:] for i, word in enumerate(text.split())
    )


def _capital(text: str) -> str:
    return " ".join(word[0].upper() + word[1:] for word in text.split())
