"""Text as people and web sites store it -> one clean line, or a list of lines."""

from __future__ import annotations

import codecs
import datetime
import html
import math
import re
from typing import Any

# Soft hyphens, byte-order marks, direction marks and control characters carry nothing a cook reads. Lone
# surrogates (JSON allows "\ud800") cannot be written out again. Joiners stay: scripts and emoji need them.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff\ud800-\udfff]"
)
_INLINE_TAG = re.compile(r"</?(?:a|b|i|u|em|strong|span|sup|sub|small|font|mark)\b[^<>]*>", re.I)
_BLOCK_TAG = re.compile(r"</?(?:br|p|li|ol|ul|div|tr|h[1-6])\b[^<>]*>", re.I)
_TAG = re.compile(r"</?[a-z][^<>]*>|<![^<>]*>", re.I)
# Web text is often escaped twice ("&amp;amp;"), rarely more; the bound stops a hostile "&amp;amp;amp;...".
_PASSES = 8


def clean(text: str) -> str:
    """One line without tags, entities and control characters, its white space folded.

    >>> clean("1&nbsp;cup <b>flour</b>\\n")
    '1 cup flour'
    """
    for _ in range(_PASSES):
        if "<" not in text and "&" not in text:
            break
        before = text
        text = _fold(_TAG.sub(" ", _INLINE_TAG.sub("", html.unescape(text))))
        if text == before:
            break
    return _fold(text)


def _fold(text: str) -> str:
    return " ".join(_INVISIBLE.sub("", text).split())


def clean_lines(text: str) -> list[str]:
    """The non-empty clean lines of a text; `<br>`, `<p>` and `<li>` end a line too."""
    if "<" in text or "&" in text:
        text = _BLOCK_TAG.sub("\n", html.unescape(text))
    return [line for line in map(clean, text.splitlines()) if line]


def plain(value: Any) -> str:
    """The clean text of a single value, "" where it has none: a number is written out, a list has none.

    >>> plain(2.0), plain(float("nan")), plain({"@value": "Pie"})
    ('2', '', 'Pie')
    """
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 256 else ""  # Python refuses to write endless numbers
    if isinstance(value, float):
        if not math.isfinite(value):
            return ""
        return str(int(value)) if value.is_integer() else str(round(value, 3))
    if isinstance(value, datetime.date):  # YAML reads 2024-01-31 as a date
        return value.isoformat()
    if isinstance(value, dict) and isinstance(value.get("@value"), str):  # JSON-LD
        return clean(value["@value"])
    return ""


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Decode the bytes that are no UTF-8 as Windows-1252, the usual other encoding of old recipe files."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = error.object[error.start : error.end]
    # Five bytes mean nothing in Windows-1252; they stay as they are.
    return "".join(bytes((byte,)).decode("cp1252", "ignore") or chr(byte) for byte in bad), error.end


FALLBACK = "chef-windows-1252"
codecs.register_error(FALLBACK, _as_windows_1252)


def decode(data: bytes) -> str:
    """The text of a file: UTF-8 with or without mark, UTF-16 with mark, else Windows-1252 (Latin-1)."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", FALLBACK)
