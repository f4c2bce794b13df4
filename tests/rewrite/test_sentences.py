import pytest

from chef.rewrite.sentences import SentenceRewriter, greasing, is_title_case
from tests.rewrite.small import mentions, parsed, replacement

CHICKEN = ["2 chicken breasts"]


def rewriter(left, word, others=(), *, one=False, also=()):
    name = parsed(left[0]).name
    return SentenceRewriter(mentions(list(left), list(others), also), name, replacement(word).noun, one=one)


@pytest.mark.parametrize(
    ("word", "before", "after"),
    [
        ("beef", "Season the chicken breasts and set them aside.", "Season the beef and set it aside."),
        ("beef", "Slice each chicken breast.", "Slice each piece of beef."),
        ("beef", "Brown both chicken breasts until they are golden.",
         "Brown both pieces of beef until they are golden."),
        ("beef", "Put a chicken breast on each plate.", "Put a piece of beef on each plate."),
        ("beef", "Wait until the chicken breasts are done.", "Wait until the beef is done."),
        ("beef", "STIR THE CHICKEN.", "STIR THE BEEF."),
        ("beef", "Stir in the chicken broth.", "Stir in the chicken broth."),
        ("beef", "Tuck the chicken breasts between them.", "Tuck the beef between them."),
        ("beef", "Fry the chicken crust.", "Fry the beef crust."),
        ("beef", "Add the boneless, skinless chicken.", "Add the boneless beef."),
        ("tofu", "Add the boneless, skinless chicken.", "Add the tofu."),
        ("pork chops", "Add the chicken; the chicken is done.",
         "Add the pork chops; the pork chops are done."),
        ("pork chops", "Slice each chicken breast.", "Slice each pork chop."),
        ("eggplant", "Chop a chicken breast.", "Chop an eggplant."),
        ("chickpeas", "Spoon the chicken mixture over.", "Spoon the chickpea mixture over."),
        ("Greek yogurt", "Add the Chicken now.", "Add the Greek yogurt now."),
        ("beef", "Add chicken breasts and chicken to taste.", "Add beef to taste."),
    ],
)  # fmt: skip
def test_chicken_in_sentences(word, before, after):
    assert rewriter(CHICKEN, word).sentence(before) == after


@pytest.mark.parametrize(
    ("word", "before", "after"),
    [
        ("margarine", "Butter a deep dish.", "Grease a deep dish."),
        ("margarine", "Bake in the buttered dish.", "Bake in the greased dish."),
        ("margarine", "Cream the butter and sugar.", "Cream the margarine and sugar."),
        ("olive oil", "Melt 2 tablespoons of the butter.", "Heat 2 tablespoons of the olive oil."),
        ("olive oil", "Drizzle with the melted butter.", "Drizzle with the olive oil."),
        ("margarine", "Drizzle with the melted butter.", "Drizzle with the melted margarine."),
        ("margarine", "Beat in the peanut butter.", "Beat in the peanut butter."),
    ],
)
def test_butter_in_sentences(word, before, after):
    changed = rewriter(["100 g butter"], word, ["50 g peanut butter", "1 cup sugar"])
    assert changed.sentence(before) == after


@pytest.mark.parametrize(
    ("left", "word", "before", "after"),
    [
        ("1 onion", "leek", "Chop the onion.", "Chop the leek."),
        ("2 onions", "leek", "Chop the onions.", "Chop the leeks."),
        ("1 apple", "pear", "Peel an apple.", "Peel a pear."),
        ("1 cup flour", "rice flour", "Flour the board.", "Flour the board."),
        ("1 lb ground beef", "lentils", "Brown the beef, breaking up the meat.",
         "Brown the lentils, breaking up the lentils."),
    ],
)  # fmt: skip
def test_counts_articles_verbs_and_other_words(left, word, before, after):
    changed = rewriter(
        [left], word, one=left in ("1 onion", "1 apple"), also=("meat",) if "beef" in left else ()
    )
    assert changed.sentence(before) == after


@pytest.mark.parametrize(
    ("left", "word", "before", "after"),
    [
        (CHICKEN, "beef", "Lemon Chicken Soup", "Lemon Beef Soup"),
        (CHICKEN, "pork chops", "Chicken with rice", "Pork chops with rice"),
        (CHICKEN, "pork chops", "Chicken with Rice", "Pork Chops with Rice"),
        (CHICKEN, "chickpeas", "Chicken Curry", "Chickpea Curry"),
        (CHICKEN, "tofu", "PAN-FRIED CHICKEN", "PAN-FRIED TOFU"),
        (["6 apples"], "pears", "Apple Crumble", "Pear Crumble"),
        (["4 tomatoes"], "red bell pepper", "Tomato & Ricotta Pasta", "Red Bell Pepper & Ricotta Pasta"),
        (["100 g butter"], "margarine", "Buttermilk Pancakes", "Buttermilk Pancakes"),
    ],
)
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
