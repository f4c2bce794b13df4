"""The object store's errors as ours."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager

from chef.errors import ChefError

_WAY_OUT = "check the address, the network and the AWS_ variables, then run the same command again"
_CODE = re.compile(r"<Code>([^<]*)</Code>")


class Unreachable(ChefError):
    """The store does not answer, or not as it should: nothing is known of what lies there."""


@contextmanager
def told(place: str, *meant: type[Exception]) -> Iterator[None]:
    """Errors of network, rights and server in one line. A missing object stays FileNotFoundError.

    meant: errors that the caller looks for itself.
    """
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(errno.ENOENT, "no such object", place) from None  # theirs takes many lines
    except Exception as error:
        from obstore.exceptions import BaseError

        if not isinstance(error, BaseError | ValueError) or isinstance(error, meant):
            raise
        raise Unreachable(f"{place} cannot be used: {_reason(str(error))}", _WAY_OUT) from error


def _reason(message: str) -> str:
    """The part of the message that says something: the server's own word, or the first line."""
    if code := _CODE.search(message):
        return code[1]
    first = message.partition("\n\nDebug source")[0]
    return " ".join(first.split())[-200:]
