"""Plots as SVG pictures with logarithmic axes: curves through points, and points alone.

>>> picture = curves("growth", "C", "seconds", {"nex": [(1, 0.1), (10, 1.0)]})
>>> picture.startswith("<svg"), "nex" in picture
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TypeAlias

from ..records import dataclass

Point: TypeAlias = tuple[float, float]

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 130, 40, 50
_COLOURS = ("#1b6ca8", "#c0392b", "#1e8449", "#8e44ad", "#b9770e", "#34495e")
_STEPS = (1, 2, 5)  # of the numbers at a logarithmic axis, in each power of ten
_MOST_TICKS = 8
_NEARLY = 1 + 1e-9  # logarithms are not exact
_NAME_LETTERS, _LETTER = 28, 6.6  # of the longest name that is shown, and the width of one
_DOTS = 60  # a curve of more points has no dots


@dataclass(frozen=True, slots=True)
class _Axis:
    """Positions of values between the smallest and the largest; by their logarithm, or plain."""

    low: float
    high: float
    start: float
    end: float
    plain: bool = False

    def at(self, value: float) -> float:
        if self.plain:
            part = (value - self.low) / ((self.high - self.low) or 1.0)
        else:
            span = math.log(self.high) - math.log(self.low) or 1.0
            part = (math.log(value) - math.log(self.low)) / span
        return self.start + part * (self.end - self.start)

    def ticks(self) -> list[float]:
        """The powers of ten inside, with two and five times each if these are few. On a plain axis,
        some round numbers."""
        if self.plain:
            step = _round_step((self.high - self.low) / 5)
            first = math.ceil(self.low / step)
            return [step * number for number in range(first, math.floor(self.high / step) + 1)]
        every = list(_steps(self.low, self.high))
        return every if len(every) <= _MOST_TICKS else [x for x in every if _is_power_of_ten(x)]

    @staticmethod
    def around(values: Sequence[float], start: float, end: float, plain: bool = False) -> _Axis:
        """An axis between round numbers, with all the values on it."""
        if plain:
            return _Axis(0.0, max(values), start, end, plain)
        wider = list(_steps(min(values) / 10, max(values) * 10))
        low = max(step for step in wider if step <= min(values) * _NEARLY)
        high = min(step for step in wider if step >= max(values) / _NEARLY and step > low)
        return _Axis(min(low, *values), max(high, *values), start, end)


def _steps(low: float, high: float) -> Iterator[float]:
    """The numbers of a logarithmic axis.

    >>> list(_steps(0.4, 10))
    [0.5, 1.0, 2.0, 5.0, 10.0]
    """
    for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
        for step in _STEPS:
            value = float(f"{step}e{power}")
            if low / _NEARLY <= value <= high * _NEARLY:
                yield value


def _is_power_of_ten(value: float) -> bool:
    return f"{value:e}".startswith("1.000000e")


def _round_step(least: float) -> float:
    """1, 2 or 5 times a power of ten.

    >>> _round_step(0.3), _round_step(17)
    (0.5, 20.0)
    """
    power = 10.0 ** math.floor(math.log10(least)) if least > 0 else 1.0
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)


def curves(
    title: str,
    across: str,
    up: str,
    series: Mapping[str, Sequence[Point]],
    plain_across: bool = False,
) -> str:
    """A line through each series of points. Values must be positive on a logarithmic axis."""
    frame = _Frame.around([point for line in series.values() for point in line], plain_across)
    parts = frame.parts(title, across, up)
    for number, (name, line) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [frame.place(point) for point in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if len(places) <= _DOTS:
            parts += [_dot(x, y, colour) for x, y in places]
        parts += _legend(number, name, colour)
    return _whole(parts, series)


def scatter(
    title: str,
    across: str,
    up: str,
    points: Mapping[str, Sequence[tuple[float, float, str]]],
) -> str:
    """Points with a text that is shown when the mouse is on them, in kinds; with lines where both
    values are the same, and where one is ten times the other."""
    every = [(x, y) for kind in points.values() for x, y, _ in kind]
    values = [value for point in every for value in point] or [1.0]
    least, most = min(values), max(max(values), min(values) * 10)
    frame = _Frame.around([(least, least), (most, most)])
    low, high = frame.wide.low, frame.wide.high
    parts = frame.parts(title, across, up)
    for factor in (0.1, 1.0, 10.0):
        first, last = max(low, low / factor), min(high, high / factor)
        if first < last:
            ends = frame.place((first, first * factor)), frame.place((last, last * factor))
            parts.append(_line(*ends[0], *ends[1], "#888888" if factor == 1.0 else "#bbbbbb"))
    for number, (name, kind) in enumerate(points.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        parts += [_dot(*frame.place((x, y)), colour, text) for x, y, text in kind]
        parts += _legend(number, name, colour, dots=True)
    return _whole(parts, points)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Both axes."""

    wide: _Axis
    high: _Axis

    @staticmethod
    def around(points: Sequence[Point], plain_across: bool = False) -> _Frame:
        xs = [x for x, _ in points] or [1.0]
        ys = [y for _, y in points] or [1.0]
        wide = _Axis.around(xs, _LEFT, _WIDTH - _RIGHT, plain_across)
        return _Frame(wide, _Axis.around(ys, _HEIGHT - _BOTTOM, _TOP))

    def place(self, point: Point) -> Point:
        return self.wide.at(point[0]), self.high.at(point[1])

    def parts(self, title: str, across: str, up: str) -> list[str]:
        """Titles, ticks and lines at the ticks."""
        parts = [
            _text(_WIDTH / 2, 22, title, "middle", 15),
            _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12, across, "middle"),
            _text(14, _TOP - 12, up, "start"),
        ]
        for x in self.wide.ticks():
            place = self.wide.at(x)
            parts.append(_line(place, _TOP, place, _HEIGHT - _BOTTOM))
            parts.append(_text(place, _HEIGHT - _BOTTOM + 18, f"{x:g}", "middle"))
        for y in self.high.ticks():
            place = self.high.at(y)
            parts.append(_line(_LEFT, place, _WIDTH - _RIGHT, place))
            parts.append(_text(_LEFT - 8, place + 4, f"{y:g}", "end"))
        parts.append(
            f'<rect x="{_LEFT}" y="{_TOP}" width="{_WIDTH - _RIGHT - _LEFT}" '
            f'height="{_HEIGHT - _BOTTOM - _TOP}" fill="none" stroke="#666666"/>'
        )
        return parts


def _whole(parts: Iterable[str], names: Iterable[str]) -> str:
    """The picture; as wide as the longest name beside the plot needs."""
    letters = max((len(_shortened(name)) for name in names), default=0)
    width = max(_WIDTH, round(_WIDTH - _RIGHT + 44 + letters * _LETTER))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    paper = f'<rect width="{width}" height="{_HEIGHT}" fill="white"/>'
    return "\n".join([head, paper, *parts, "</svg>"]) + "\n"


def _legend(number: int, name: str, colour: str, dots: bool = False) -> list[str]:
    place = _TOP + 18 * number + 10
    start = _WIDTH - _RIGHT + 14
    sign = (
        f'<rect x="{start + 7}" y="{place - 7}" width="6" height="6" fill="{colour}"/>'
        if dots
        else _line(start, place - 4, start + 20, place - 4, colour)
    )
    return [sign, _text(start + 26, place, _shortened(name), "start")]


def _shortened(name: str) -> str:
    return name if len(name) <= _NAME_LETTERS else f"{name[: _NAME_LETTERS - 1]}…"


def _dot(x: float, y: float, colour: str, text: str = "") -> str:
    told = f"<title>{escape(text)}</title>" if text else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}">{told}</circle>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = "#dddddd") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, words: str, anchor: str, size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">'
        f"{escape(words)}</text>"
    )
