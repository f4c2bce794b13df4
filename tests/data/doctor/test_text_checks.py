import random

import numpy as np
import pytest

from chef.data.doctor.text_checks import Templates, Texts, foreign_language, odd_line
from chef.text.tokens import tokenise
from tests.conftest import cases, probes

_WORDS = [f"word{n}" for n in range(400)]


def _naive_runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[n : n + 6]) for n in range(len(words) - 5)}


def test_repeats_as_comparing_all_pairs_of_instructions() -> None:
    """Recipes cut together from a few common texts, some of them in several recipes."""
    chance = random.Random(1)
    texts = [chance.choices(_WORDS, k=60) for _ in range(6)]
    recipes = [
        text[: chance.randint(10, 60)] + chance.choices(_WORDS, k=chance.randint(0, 60))
        for text in chance.choices(texts, k=80)
    ]
    splits = np.array(chance.choices([0, 1], k=80), np.int64)
    gathered = Texts()
    for words in recipes:
        gathered.add("", (), words)
    repeats = gathered.repeats(splits)

    runs = [_naive_runs(words) for words in recipes]
    pairs = 0
    for i in range(80):
        earlier: dict[bool, list[int]] = {True: [-1], False: [-1]}
        for j in range(i):
            small, large = sorted((len(runs[i]), len(runs[j])))
            shared = len(runs[i] & runs[j])
            if small >= 20 and shared >= 0.6 * small and shared >= 0.3 * large:
                earlier[bool(splits[i] == splits[j])].append(j)
                pairs += 1
        assert repeats.within[i] == (earlier[True][1:] or [-1])[0]
        assert repeats.across[i] == (earlier[False][1:] or [-1])[0]
    assert 10 < pairs < 80 * 79 / 2


def test_template_steps_count_for_nothing() -> None:
    chance = random.Random(2)
    greeting = chance.choices(_WORDS, k=60)
    gathered = Texts()
    for _ in range(3):
        gathered.add("", (), chance.choices(_WORDS, k=30) + greeting)
    splits = np.zeros(3, np.int64)
    assert gathered.repeats(splits).within.tolist() == [-1, 0, 0]
    assert gathered.repeats(splits, [greeting]).within.tolist() == [-1, -1, -1]


GREETING = (
    "Thank you for reading this far and do not forget to tell all of your friends about my kitchen blog today"
)


def test_a_long_step_of_five_recipes_is_a_template() -> None:
    templates = Templates()
    for recipe in range(6):
        assert templates.templates(recipe) == (0, [])  # so far in at most four
        steps = ["Heat the oven to 180 degrees", f"Stir {recipe} times", *[GREETING] * 2][: 2 + recipe]
        templates.add(recipe, [(step, tokenise(step)) for step in steps])
    assert templates.templates(6) == (5, [(1, GREETING)])
    assert templates.templates(10_000) == (0, [])  # in a large collection five are few


@pytest.mark.parametrize(("kind", "lines"), cases("data", "odd lines"))
def test_odd_lines_and_ordinary_ones(kind: str | None, lines: list[str]) -> None:
    assert {line: odd_line(line) for line in lines} == dict.fromkeys(lines, kind)


def test_capitals_are_a_heading_only_among_small_letters() -> None:
    assert odd_line("ICING", ["2 eggs", "ICING", "1 cup sugar"]) == "heading-as-ingredient"
    assert odd_line("BUTTER", ["EGGS", "BUTTER", "SUGAR"]) is None


def test_foreign_languages_are_named() -> None:
    assert foreign_language([]) is None
    for text, language in probes("languages.tsv"):
        assert (foreign_language(tokenise(text)) or "") == language
