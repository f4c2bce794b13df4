"""Counts steps instead of seconds: the lines that our code runs and the moves of its regular expressions.

`count_patterns()` comes before the first import of `chef`: from then on every pattern that our code compiles
is also walked by a plain backtracking matcher, which counts, and which must find what `re` finds.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any

Next = Callable[[int], bool]
Matcher = Callable[[int, Next], bool]

MOST = 20_000_000  # steps; more are too many, whatever the input
_steps = 0


class TooMany(Exception):
    """More steps than anything may take."""


def _step(count: int = 1) -> None:
    global _steps
    _steps += count
    if _steps > MOST:
        raise TooMany


def steps(job: Callable[[], object]) -> int:
    """How many lines of our code and moves of its patterns a job takes; MOST if it takes more than that."""
    global _steps
    _steps = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if "/chef/" not in frame.f_code.co_filename:
            return None
        if event == "line":
            _step()
        return trace

    sys.settrace(trace)
    try:
        job()
    except TooMany:
        return MOST
    finally:
        sys.settrace(None)
    return _steps


def count_patterns() -> None:
    """Make `re` count what the patterns of `chef` do."""
    sys.setrecursionlimit(1_000_000)
    compiled, counted = re._compile, dict[Any, Counted]()  # type: ignore[attr-defined]

    def counting(pattern: Any, flags: int) -> Any:
        if isinstance(pattern, Counted):
            return pattern
        made = compiled(pattern, flags)
        is_ours = str(sys._getframe(2).f_globals.get("__name__")).startswith("chef.")
        if not is_ours or not isinstance(made.pattern, str):
            return made
        if made not in counted:
            counted[made] = Counted(made)
        return counted[made]

    re._compile = counting  # type: ignore[attr-defined]


class Counted:
    """A compiled pattern that counts."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._real, self._walk = pattern, _Walk(pattern)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def match(self, text: str, at: int = 0, end: int | None = None) -> Any:
        return self._first(self._real.match, text[:end], at, at)

    def fullmatch(self, text: str) -> Any:
        found = self._real.fullmatch(text)
        end = self._walk.end(text, 0, whole=True)
        assert end == (found and found.end()), (self.pattern, text[:200])
        return found

    def search(self, text: str, at: int = 0, end: int | None = None) -> Any:
        return self._first(self._real.search, text[:end], at, len(text[:end]))

    def finditer(self, text: str, at: int = 0, end: int | None = None) -> Any:
        text = text[:end]
        found = list(self._real.finditer(text, at))
        # After an empty match the next place is tried.
        starts = [at, *(max(match.end(), match.start() + 1) for match in found)]
        for start, match in zip(starts, [*found, None], strict=True):
            self._tried(text, start, match, len(text))
        return iter(found)

    def findall(self, text: str) -> Any:
        self.finditer(text)
        return self._real.findall(text)

    def sub(self, new: Any, text: str, count: int = 0) -> Any:
        self.finditer(text)
        return self._real.sub(new, text, count)

    def split(self, text: str, maxsplit: int = 0) -> Any:
        self.finditer(text)
        return self._real.split(text, maxsplit)

    def _first(self, find: Callable[[str, int], Any], text: str, at: int, last: int) -> Any:
        found = find(text, at)
        self._tried(text, at, found, last)
        return found

    def _tried(self, text: str, at: int, found: re.Match[str] | None, last: int) -> None:
        for start in range(at, (found.start() if found else last) + 1):
            end = self._walk.end(text, start)
            wanted = found.end() if found and found.start() == start else None
            assert end == wanted, (self.pattern, text[:200], start)


class _Walk:
    """A pattern as a backtracking matcher that counts its moves."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._flags, self._text = pattern.flags, ""
        self._groups: dict[int, tuple[int, int]] = {}
        self._match = self._sequence(_parser.parse(pattern.pattern, pattern.flags))

    def end(self, text: str, start: int, *, whole: bool = False) -> int | None:
        """Where the match that starts here ends; None if there is none."""
        self._text, self._groups, ends = text, {}, list[int]()

        def done(at: int) -> bool:
            if whole and at < len(text):
                return False
            ends.append(at)
            return True

        return ends[-1] if self._match(start, done) else None

    def _sequence(self, items: Any) -> Matcher:
        matchers = [self._item(*item) for item in items]

        def sequence(at: int, then: Next, number: int = 0) -> bool:
            if number == len(matchers):
                return then(at)
            _step()
            return matchers[number](at, lambda end: sequence(end, then, number + 1))

        return sequence

    def _item(self, code: Any, value: Any) -> Matcher:
        if (one := self._one(code, value)) is not None:
            text_is = one
            return lambda at, then: at < len(self._text) and text_is(self._text[at]) and then(at + 1)
        if code is op.SUBPATTERN:
            return self._group(value[0], self._sequence(value[3]))
        if code is op.BRANCH:
            branches = [self._sequence(branch) for branch in value[1]]
            return lambda at, then: any(branch(at, then) for branch in branches)
        if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            return self._repeat(code, *value)
        if code is op.ATOMIC_GROUP:
            return _atomic(self._sequence(value))
        if code in (op.ASSERT, op.ASSERT_NOT):
            inner, back = self._sequence(value[1]), value[1].getwidth()[0] if value[0] < 0 else 0
            wanted = code is op.ASSERT
            return lambda at, then: (at >= back and inner(at - back, lambda _: True)) is wanted and then(at)
        if code is op.AT:
            return lambda at, then: self._is_at(value, at) and then(at)
        if code is op.GROUPREF:
            return lambda at, then: self._again(value, at, then)
        if code is op.GROUPREF_EXISTS:
            number, yes, no = value[0], self._sequence(value[1]), self._sequence(value[2] or [])
            return lambda at, then: (yes if number in self._groups else no)(at, then)
        raise AssertionError(f"this matcher cannot walk {code}: teach it, or write the pattern otherwise")

    def _one(self, code: Any, value: Any) -> Callable[[str], bool] | None:
        """What a single character must be; None where the item is something else."""
        if code is op.ANY:
            return lambda sign: sign != "\n" or bool(self._flags & re.S)
        if code in (op.LITERAL, op.NOT_LITERAL):
            code, value = op.IN, [(op.NEGATE, None)] * (code is op.NOT_LITERAL) + [(op.LITERAL, value)]
        if code is not op.IN:
            return None
        negated, ignore = value[0][0] is op.NEGATE, bool(self._flags & re.I)
        known: dict[str, bool] = {}

        def is_in(sign: str) -> bool:
            if sign not in known:
                forms = {sign, sign.lower(), sign.upper()} if ignore else {sign}
                known[sign] = negated != any(
                    _has(*part, form) for part in value for form in forms if len(form) == 1
                )
            return known[sign]

        return is_in

    def _group(self, number: int | None, inner: Matcher) -> Matcher:
        if number is None:
            return inner

        def group(at: int, then: Next) -> bool:
            def end(place: int) -> bool:
                before = self._groups.get(number)
                self._groups[number] = (at, place)
                if then(place):
                    return True
                if before is None:
                    del self._groups[number]
                else:
                    self._groups[number] = before
                return False

            return inner(at, end)

        return group

    def _again(self, number: int, at: int, then: Next) -> bool:
        if number not in self._groups:
            return False
        start, end = self._groups[number]
        written, here = self._text[start:end], self._text[at : at + end - start]
        same = written.lower() == here.lower() if self._flags & re.I else written == here
        return same and then(at + end - start)

    def _repeat(self, code: Any, least: int, most: Any, body: Any) -> Matcher:
        most = 1 << 60 if most is op.MAXREPEAT else int(most)
        if len(body) == 1 and (one := self._one(*body[0])) is not None:
            text_is = one

            def signs(at: int, then: Next) -> bool:
                text, end = self._text, at
                if code is op.MIN_REPEAT:
                    while end - at < least or not then(end):
                        if end - at >= most or end >= len(text) or not text_is(text[end]):
                            return False
                        _step()
                        end += 1
                    return True
                while end < len(text) and end - at < most and text_is(text[end]):
                    end += 1
                _step(end - at)
                if code is op.POSSESSIVE_REPEAT:
                    return end - at >= least and then(end)
                while end - at >= least:
                    _step()
                    if then(end):
                        return True
                    end -= 1
                return False

            return signs
        inner = self._sequence(body)

        def repeat(at: int, then: Next, count: int = 0) -> bool:
            def again(end: int) -> bool:
                return (end > at or count < least) and repeat(end, then, count + 1)

            _step()
            if code is op.MIN_REPEAT and count >= least and then(at):
                return True
            if count < most and inner(at, again):
                return True
            return code is not op.MIN_REPEAT and count >= least and then(at)

        return _atomic(repeat) if code is op.POSSESSIVE_REPEAT else repeat

    def _is_at(self, place: Any, at: int) -> bool:
        text, many = self._text, bool(self._flags & re.M)
        if place in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
            return at == 0 or (many and place is op.AT_BEGINNING and text[at - 1] == "\n")
        if place is op.AT_END_STRING:
            return at == len(text)
        if place is op.AT_END:
            return at == len(text) or (text[at] == "\n" and (many or at == len(text) - 1))
        before, after = (_is_word(text[i]) if 0 <= i < len(text) else False for i in (at - 1, at))
        return (before != after) == (place is op.AT_BOUNDARY)


def _atomic(inner: Matcher) -> Matcher:
    def atomic(at: int, then: Next) -> bool:
        ends = list[int]()
        return inner(at, lambda end: ends.append(end) or True) and then(ends[-1])

    return atomic


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _has(code: Any, value: Any, sign: str) -> bool:
    """Whether a part of a set in brackets has the sign."""
    if code is op.LITERAL:
        return bool(ord(sign) == value)
    if code is op.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    if code is op.CATEGORY:
        kind = {"SPACE": str.isspace, "DIGIT": str.isdecimal, "WORD": _is_word}[str(value).rpartition("_")[2]]
        return kind(sign) != ("_NOT_" in str(value))
    return False
