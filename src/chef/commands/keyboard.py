"""Single keys from the terminal, without Enter."""

from __future__ import annotations

import os
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

_ESCAPE = "\x1b"


@contextmanager
def single_keys() -> Iterator[Iterator[str]]:
    """The keys that are pressed, one at a time, until the terminal closes.

    The terminal stays in this mode for the whole block, so no key is lost while the program is busy.
    """
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield _keys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _keys(terminal: int) -> Iterator[str]:
    while pressed := _read(terminal):
        if pressed == _ESCAPE:
            pressed = _read(terminal)
            if pressed in ("[", "O"):  # an arrow or function key: not one of ours, up to its last sign
                while (sign := _read(terminal)) and not "@" <= sign <= "~":
                    pass
                continue
        yield pressed


def _read(terminal: int) -> str:
    return os.read(terminal, 1).decode("ascii", errors="replace")
