import pytest

from chef.rewrite.sentences import SentenceRewriter, greasing, is_title_case
from tests.conftest import cases
from tests.rewrite.small import mentions, parsed, replacement

CHICKEN = ["2 chicken breasts"]


def rewriter(left, word, others=(), *, one=False, also=()):
    name = parsed(left[0]).name
    return SentenceRewriter(mentions(list(left), list(others), also), name, replacement(word).noun, one=one)


@pytest.mark.parametrize(("word", "before", "after"), cases("rewrite", "chicken in sentences"))
def test_chicken_in_sentences(word, before, after):
    assert rewriter(CHICKEN, word).sentence(before) == after


@pytest.mark.parametrize(("word", "before", "after"), cases("rewrite", "butter in sentences"))
def test_butter_in_sentences(word, before, after):
    changed = rewriter(["100 g butter"], word, ["50 g peanut butter", "1 cup sugar"])
    assert changed.sentence(before) == after


@pytest.mark.parametrize(("left", "word", "before", "after"), cases("rewrite", "counts, articles, verbs"))
def test_counts_articles_verbs_and_other_words(left, word, before, after):
    changed = rewriter(
        [left], word, one=left in ("1 onion", "1 apple"), also=("meat",) if "beef" in left else ()
    )
    assert changed.sentence(before) == after


@pytest.mark.parametrize(("left", "word", "before", "after"), cases("rewrite", "titles of swaps"))
def test_titles(left, word, before, after):
    assert rewriter(left, word).title(before) == after


def test_butter_as_a_verb():
    verbs = [
        "Butter a deep dish.",
        "Heat the oven. Butter and flour two cake tins.",
        "Line and butter the pan.",
    ]
    nouns = ["Melt the butter in a pan.", "Butter is best.", "Add butter and the cream."]
    assert [text for text in verbs + nouns if greasing("butter").search(text)] == verbs


def test_title_case():
    assert is_title_case("Chicken with Rice")
    assert is_title_case("Chicken")
    assert not is_title_case("Chicken with rice")
