"""How much of one thing a reader takes: bad input must not fill the memory."""

from __future__ import annotations

MB = 1 << 20

LINE = 16 * MB  # one line of JSON lines, one element of a JSON array
DOCUMENT = 64 * MB  # a file that is parsed as a whole, a member of an archive once unpacked
IMAGE = 50 * MB
PAGE = 10 * MB  # a web page
MARKDOWN = MB
