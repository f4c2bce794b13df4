import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.errors import ChefError
from chef.text.tokens import normalise, plain, sentences, tokenise, without_accents
from chef.text.verbs import is_verb, lemma, pos_tag, verbs
from chef.text.vocabulary import PAD, UNK, Vocabulary
from chef.text.words import beside, key, keys, run, words_in
from tests.conftest import cases, probes


@pytest.mark.parametrize(("text", "expected"), cases("text", "tokenise"))
def test_tokenise(text, expected):
    assert tokenise(text) == expected


@pytest.mark.parametrize(("text", "expected"), cases("text", "sentences"))
def test_sentences(text, expected):
    assert sentences(text) == expected


@given(st.text())
def test_tokens_are_clean_and_sentences_lose_none(text):
    tokens = tokenise(text)
    assert all(token == token.lower() and token.split() == [token] for token in tokens)
    assert [word for part in sentences(text) for word in tokenise(part)] == tokens


@pytest.mark.parametrize(("text", "expected"), cases("text", "normalise"))
def test_normalise(text, expected):
    assert normalise(text) == expected


@given(st.text())
def test_normal_text_stays_as_it_is(text):
    assert normalise(normalise(text)) == normalise(text)


def test_plain_keeps_the_case_and_accents_can_go():
    assert plain("1 T sugar, 1 t salt") == "1 T sugar, 1 t salt"
    assert without_accents("jalapeño, crème fraîche") == "jalapeno, creme fraiche"


def test_words_know_their_places_and_singulars():
    text = "Fry 2 Red Onions, then 1½ cups jalapeños."
    words = words_in(text)
    assert [word.key for word in words] == ["fry", "red", "onion", "then", "cup", "jalapeno"]
    assert all(text[word.start : word.end] == word.written for word in words)
    assert [word.written for word in words if word.is_plural] == ["Onions", "cups", "jalapeños"]
    possessive = [word.written for word in words_in("the chicken's skin, don't peel")]
    assert possessive == ["the", "chicken", "skin", "don't", "peel"]


def test_keys_fold_case_accents_and_spellings():
    assert key("Chillies") == key("chile") == "chili"
    assert keys("green_beans") == ("green", "bean")


def test_a_run_ends_at_punctuation_but_not_at_an_apostrophe():
    text = "sun-dried tomato, garlic"
    words = words_in(text)
    assert run(text, words, 0, 6) == 3
    assert run(text, words, 0, 2) == 2
    assert not beside(text, words[2], words[3])
    text = "confectioners' sugar"
    assert beside(text, *words_in(text))


COUNTS = {"salt": 12, "oil": 12, "saffron": 1, "egg": 5}


def test_order_is_by_count_then_alphabet_and_rare_words_are_unknown():
    vocabulary = Vocabulary.build(COUNTS, minimum=2)
    assert vocabulary.words == ("<PAD>", "<UNK>", "oil", "salt", "egg")
    assert vocabulary.counts == (0, 1, 12, 12, 5)
    assert (vocabulary.words[PAD], vocabulary.words[UNK]) == ("<PAD>", "<UNK>")
    assert vocabulary.text(vocabulary.ids(["egg", "saffron", "dragon"])) == ["egg", "<UNK>", "<UNK>"]
    assert "egg" in vocabulary
    assert "saffron" not in vocabulary


def test_save_and_load(tmp_path):
    vocabulary = Vocabulary.build(COUNTS, minimum=1)
    vocabulary.save(tmp_path / "words.tsv")
    assert Vocabulary.load(tmp_path / "words.tsv") == vocabulary


@pytest.mark.parametrize("content", ["", "salt\t3\n", "no tab\n", "<PAD>\tx\n"])
def test_a_foreign_file_is_an_error(tmp_path, content):
    (tmp_path / "words.tsv").write_text(content)
    with pytest.raises(ChefError, match="not a vocabulary"):
        Vocabulary.load(tmp_path / "words.tsv")


@pytest.mark.parametrize(
    ("word", "expected"),
    [("chopped", "chop"), ("frying", "fry"), ("beaten", "beat"), ("whisks", "whisk"), ("melted", "melt"),
     ("sauteed", "saute"), ("carrot", None), ("green_beans", None), ("the", None), ("", None), ("42", None)],
)  # fmt: skip
def test_lemma(word, expected):
    assert lemma(word) == expected
    assert is_verb(word) is (expected is not None)


def f1(guess) -> float:
    right = total = 0
    for (sentence,) in probes("verbs.tsv"):
        words = sentence.split()
        gold = {i for i, word in enumerate(words) if word.isupper()}
        guessed = set(guess([word.lower() for word in words]))
        right += 2 * len(guessed & gold)
        total += len(guessed) + len(gold)
    return right / total


def test_verbs_in_use_beat_the_tagger_and_wordnet_alone():
    ours = f1(verbs)
    wordnet = f1(lambda words: [i for i, word in enumerate(words) if is_verb(word)])
    tagger = f1(
        lambda words: [i for i, tag in enumerate(pos_tag(["you", *words])[1:]) if tag.startswith("VB")]
    )
    assert ours >= 0.95
    assert ours > max(wordnet, tagger)
    assert verbs([]) == []


def test_punctuation_can_be_words_of_its_own():
    text = "Don't stir; add 1.5 cups (baker's) flour, then bake – 350°F!"
    signs = [*";(),!"]
    words = tokenise(text, punctuation=True)
    assert [word for word in words if word in signs] == signs
    assert [word for word in words if word not in signs] == tokenise(text)
    assert words[:4] == ["dont", "stir", ";", "add"]
