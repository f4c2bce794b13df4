"""Any text is rewritten without an error; one that names nothing stays as it is."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from chef.rewrite.lines import replace_in_line
from chef.rewrite.mentions import MentionFinder
from chef.rewrite.removal import IngredientRemover
from chef.rewrite.sentences import SentenceRewriter
from tests.rewrite.small import any_ingredient, mentions, parsed, replacement

LINES = ["2 chicken breasts", "1 cup rice", "2 tbsp butter", "1 onion"]
PARTS = st.sampled_from(
    """
    chicken Chicken chickens breasts butter Butter onion onions rice the a an each both 2 ½ and or then with
    in of skin-side down is are them melt add fry . , ; ( ) - ' \n pan dish mixture until boneless, salted
    """.split(" ")
)
TEXTS = st.lists(PARTS, max_size=25).map(" ".join) | st.text(max_size=80)


@cache
def finders() -> tuple[MentionFinder, MentionFinder]:
    return mentions(["2 chicken breasts", "2 tbsp butter"], ["1 cup rice", "1 onion"]), any_ingredient(LINES)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_sentences_and_titles(text):
    gone, everything = finders()
    for word in ("beef", "pork chops", "olive oil"):
        rewriter = SentenceRewriter(gone, "chicken breasts", replacement(word).noun, one=False)
        rewriter.sentence(text), rewriter.title(text)
    out = IngredientRemover(gone, everything)
    shorter = out.step(text), out.title(text)
    if not gone.find(text):
        assert shorter[0] == text


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_lines(text):
    for word in ("beef", "pork chops", "olive oil"):
        line = replace_in_line(parsed(f"2 chicken breasts {text}"), replacement(word).noun).text
        assert line == " ".join(line.split())
