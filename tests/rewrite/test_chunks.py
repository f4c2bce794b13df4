from __future__ import annotations

import pytest

from chef.rewrite.chunks import chunks


@pytest.mark.parametrize(
    "text", ["", "Fry it.", "Fry the rice. " * 500, "rice " * 5000, "a" * 5000, " " * 5000, "Fry!\n" * 900]
)
def test_parts_are_short_and_make_the_whole(text):
    parts = list(chunks(text))
    assert "".join(parts) == text
    assert all(len(part) <= 600 for part in parts)


def test_cuts_come_after_sentences_and_words():
    assert all(part.endswith(". ") for part in chunks("Fry the rice. " * 500) if part)
    assert all(part.endswith("rice ") for part in chunks("rice " * 5000) if part)
