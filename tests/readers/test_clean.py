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


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("x", "x"),
        (7, "7"),
        (2.0, "2"),
        (1 / 3, "0.333"),
        (math.nan, ""),
        (math.inf, ""),
        (True, ""),
        (None, ""),
        (["x"], ""),
        ({"a": 1}, ""),
        (datetime.date(2024, 1, 31), "2024-01-31"),
    ],
)
def test_plain(value: object, wanted: str) -> None:
    assert plain(value) == wanted


def test_endless_numbers_have_no_text() -> None:
    assert plain(16**5000) == ""  # Python itself refuses to write it out


@pytest.mark.parametrize(
    "data",
    [
        "crème brûlée".encode(),
        codecs.BOM_UTF8 + "crème brûlée".encode(),
        "crème brûlée".encode("latin-1"),
        "crème brûlée".encode("utf-16"),
    ],
)
def test_decode(data: bytes) -> None:
    assert decode(data) == "crème brûlée"


def test_decode_takes_any_bytes() -> None:
    assert decode(b"5 \x96 6 \x81") == "5 – 6 \x81"
