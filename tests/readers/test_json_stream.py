from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chef.readers import json_stream
from chef.readers.json_stream import BrokenJson, elements, parse

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=20,
)


def read(data: bytes, limit: int = 1 << 20) -> tuple[list[Any], BrokenJson | None]:
    """What came before the fault, and the fault."""
    values = []
    try:
        for value in elements(io.BytesIO(data), limit):
            values.append(value)
    except BrokenJson as error:
        return values, error
    return values, None


@given(st.lists(json_values, max_size=8), st.integers(1, 40), st.booleans())
def test_equals_json_loads_with_any_chunk_size(values: list[Any], chunk: int, is_ascii: bool) -> None:
    text = json.dumps(values, ensure_ascii=is_ascii, indent=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "_CHUNK", chunk)
        # Lone surrogates cannot be encoded as they are: the escaped form covers them.
        got, error = read(text.encode("utf-8", "surrogatepass" if is_ascii else "ignore"))
    assert error is None
    assert got == (json.loads(text.encode("utf-8", "ignore")) if not is_ascii else values)


@given(st.integers(0, 170))
def test_a_file_cut_anywhere_gives_the_whole_elements_before_the_cut(length: int) -> None:
    values = [{"id": str(number), "n": [number, "x]},"]} for number in range(5)]
    texts = [json.dumps(value) for value in values]
    text = f"[{', '.join(texts)}]"
    length = min(length, len(text) - 1)
    got, error = read(text[:length].encode())
    assert error is not None
    assert error.reason == ("cut short" if length else "not JSON")
    ends = [1 + len(", ".join(texts[: number + 1])) for number in range(5)]
    assert got == values[: sum(end <= length for end in ends)]


def test_a_fault_in_the_middle_is_told_from_a_cut() -> None:
    got, error = read(b'[{"a": 1}, {"a": oops}, {"a": 3}]' + b" " * 100)
    assert got == [{"a": 1}]
    assert error is not None
    assert error.reason == "not JSON"
    got, error = read(b'[{"a": 1} {"a": 2}]')
    assert (got, error and error.reason) == ([{"a": 1}], "not JSON")


def test_an_element_past_the_limit_is_not_held() -> None:
    data = io.BytesIO(b'["' + b"x" * (8 << 20) + b'"]')
    with pytest.raises(BrokenJson, match="no end within 1 MB") as caught:
        list(elements(data, limit=1 << 20))
    assert caught.value.reason == "too large"
    assert data.tell() < 5 << 20


def test_no_array() -> None:
    for data in (b"", b"   ", b'{"a": 1}'):
        got, error = read(data)
        assert (got, error and error.reason) == ([], "not JSON")


def test_deep_nesting_is_no_crash() -> None:
    got, error = read(b"[" * 100_000)
    assert (got, error and error.reason) == ([], "not JSON")
    with pytest.raises(BrokenJson):
        parse("[" * 100_000)


def test_latin_1_and_a_mark_at_the_start() -> None:
    assert read(b'\xef\xbb\xbf["cr\xe8me"]') == (["crème"], None)
