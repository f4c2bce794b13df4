"""A JSON array of any size, one element at a time."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from chef.readers import limits
from chef.readers.clean import FALLBACK

_CHUNK = 1 << 20
_SPACE = re.compile(r"[\s\ufeff]*")


class BrokenJson(Exception):
    """The text stopped being JSON; `reason` is the phrase to count, `str()` the detail."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        super().__init__(detail)


def parse(text: str) -> Any:
    """The value of a JSON text; raw line breaks inside strings are let pass, as many sites write them."""
    try:
        return json.loads(text, strict=False)
    except RecursionError:
        raise BrokenJson("not JSON", "nested too deeply") from None
    except ValueError as error:
        raise BrokenJson("not JSON", str(error)) from error


def starts_array(stream: BinaryIO) -> bool:
    """Whether the file holds an array."""
    return stream.read(1024).removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")


def elements(stream: BinaryIO, limit: int = limits.LINE) -> Iterator[Any]:
    """The elements of the array in `stream`, in order; at most about `limit` characters are held.

    Raises BrokenJson where the text ends early, is no JSON or has an element past the limit: all that
    came before has been yielded then.
    """
    buffer = _Buffer(stream)
    if not buffer.skip("["):
        raise BrokenJson("not JSON", "no array of recipes")
    count = 0
    while not buffer.skip("]"):
        if count and not buffer.skip(","):
            raise buffer.broken(count)
        yield buffer.value(limit, count)
        count += 1


class _Buffer:
    """The part of the text that is not used up yet. Decoding starts over when a value was cut off, so
    each refill doubles the text held: the work stays linear in the size of the file."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8")(FALLBACK).decode
        self._scan = json.JSONDecoder(strict=False).raw_decode
        self._text = ""
        self._at = 0
        self._ended = False

    def skip(self, mark: str) -> bool:
        """Step over white space, and over `mark` if it comes next."""
        while True:
            spaces = _SPACE.match(self._text, self._at)
            self._at = spaces.end() if spaces else self._at
            if self._at < len(self._text):
                break
            if not self._refill():
                return False
        if not self._text.startswith(mark, self._at):
            return False
        self._at += len(mark)
        return True

    def value(self, limit: int, count: int) -> Any:
        self.skip("")
        while True:
            try:
                value, end = self._scan(self._text, self._at)
            except RecursionError:
                raise BrokenJson("not JSON", f"nested too deeply, after {count} recipes") from None
            except ValueError as error:
                if not self._is_cut(error):
                    raise BrokenJson("not JSON", f"after {count} recipes; the rest was not read") from error
                if len(self._text) - self._at > limit:
                    detail = f"no end within {limit >> 20} MB, after {count} recipes; the rest was not read"
                    raise BrokenJson("too large", detail) from None
                if not self._refill():
                    raise _cut_short(count) from error
                continue
            # A number may go on in the next chunk: "1" of "12", "10" of "10." and of "10e+".
            if isinstance(value, int | float) and len(self._text) - end < 3 and self._refill():
                continue
            self._at = end
            return value

    def _is_cut(self, error: ValueError) -> bool:
        """Whether the text held is not wrong, only not all there yet."""
        if not isinstance(error, json.JSONDecodeError):
            return False
        # An open string is reported at its start, anything else within a few characters of the end.
        return error.msg.startswith("Unterminated") or error.pos > len(self._text) - 12

    def broken(self, count: int) -> BrokenJson:
        """What to raise where neither a comma nor the end of the array comes next."""
        if self._at == len(self._text):
            return _cut_short(count)
        return BrokenJson("not JSON", f"after {count} recipes; the rest was not read")

    def _refill(self) -> bool:
        """Hold more text; False at the end of the file."""
        if self._ended:
            return False
        rest = self._text[self._at :]
        data = self._stream.read(max(_CHUNK, len(rest)))
        self._ended = not data
        self._text = rest + self._decode(data, final=self._ended)
        self._at = 0
        return True


def _cut_short(count: int) -> BrokenJson:
    return BrokenJson("cut short", f"the file ends in the middle, after {count} recipes")
