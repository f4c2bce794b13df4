from __future__ import annotations

from chef.text.words import beside, key, keys, run, words_in


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
