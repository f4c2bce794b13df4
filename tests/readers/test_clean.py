from __future__ import annotations

import codecs
import datetime
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.readers.lines import clean, clean_lines, decode, plain


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("  two \t cups\n flour ", "two cups flour"),
        ("salt &amp; pepper", "salt & pepper"),
        ("salt &amp;amp; pepper", "salt & pepper"),
        ("<p>1<sup>1/2</sup> cups</p>", "11/2 cups"),
        ("<td>2</td><td>eggs</td>", "2 eggs"),
        ("&lt;b&gt;bold&lt;/b&gt; claim", "bold claim"),
        ("heat < 180 & > 90", "heat < 180 & > 90"),
        ("a\x00b\x07c\ud800d", "abcd"),
        ("soft\u00adhyphen\u200b\ufeff", "softhyphen"),
        ("1\u00a0cup\u2028milk", "1 cup milk"),
        ("👩\u200d🍳 says hi", "👩\u200d🍳 says hi"),
    ],
)
def test_clean(raw: str, wanted: str) -> None:
    assert clean(raw) == wanted


@given(st.text(st.sampled_from("ab <>/&;#\n\t&lt;amp\x00\ud800"), max_size=40))
def test_clean_text_stays_as_it_is(raw: str) -> None:
    once = clean(raw)
    assert clean(once) == once
    once.encode()  # can be written out


def test_lines_end_at_breaks_and_block_tags() -> None:
    assert clean_lines("a<br>b\r\n\nc<p>d</p>") == ["a", "b", "c", "d"]
    assert clean_lines("&lt;li&gt;a&lt;/li&gt;&lt;li&gt;b&lt;/li&gt;") == ["a", "b"]


PLAIN = [("x", "x"), (7, "7"), (2.0, "2"), (1 / 3, "0.333"), (datetime.date(2024, 1, 31), "2024-01-31")]
# Python itself refuses to write out the last number.
NO_TEXT: list[object] = [math.nan, math.inf, True, None, ["x"], {"a": 1}, 16**5000]


def test_plain() -> None:
    for value, wanted in [*PLAIN, *((value, "") for value in NO_TEXT)]:
        assert plain(value) == wanted


def test_decode() -> None:
    text = "crème brûlée"
    for data in (
        text.encode(),
        codecs.BOM_UTF8 + text.encode(),
        text.encode("latin-1"),
        text.encode("utf-16"),
    ):
        assert decode(data) == text
    assert decode(b"5 \x96 6 \x81") == "5 – 6 \x81"
