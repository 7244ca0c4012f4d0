"""Curves as an SVG picture: several series of points with logarithmic axes, and nothing else.

>>> picture = curves("growth", "C", "seconds", {"nex": [(1, 0.1), (10, 1.0)]})
>>> picture.startswith("<svg"), "nex" in picture
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 130, 40, 50
_COLOURS = ("#1b6ca8", "#c0392b", "#1e8449", "#8e44ad", "#b9770e", "#34495e")


@dataclass(frozen=True, slots=True)
class _Axis:
    """Positions of values between the smallest and the largest, by their logarithm."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        span = math.log(self.high) - math.log(self.low) or 1.0
        part = (math.log(value) - math.log(self.low)) / span
        return self.start + part * (self.end - self.start)

    def ticks(self) -> list[float]:
        """The powers of ten inside; of two, if these are too few."""
        for base in (10, 2):
            first = math.ceil(math.log(self.low, base) - 1e-9)
            last = math.floor(math.log(self.high, base) + 1e-9)
            found = [float(base) ** power for power in range(first, last + 1)]
            if len(found) >= 2:
                return found
        return [self.low, self.high]


def curves(
    title: str, across: str, up: str, series: Mapping[str, Sequence[tuple[float, float]]]
) -> str:
    """The picture; points must be positive."""
    points = [point for line in series.values() for point in line]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    wide = _Axis(min(xs), max(xs), _LEFT, _WIDTH - _RIGHT)
    high = _Axis(min(ys), max(ys), _HEIGHT - _BOTTOM, _TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text(_WIDTH / 2, 22, title, "middle", 15),
        _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 12, across, "middle"),
        _text(14, _TOP - 12, up, "start"),
    ]
    for x in wide.ticks():
        place = wide.at(x)
        parts.append(_line(place, _TOP, place, _HEIGHT - _BOTTOM))
        parts.append(_text(place, _HEIGHT - _BOTTOM + 18, f"{x:g}", "middle"))
    for y in high.ticks():
        place = high.at(y)
        parts.append(_line(_LEFT, place, _WIDTH - _RIGHT, place))
        parts.append(_text(_LEFT - 8, place + 4, f"{y:g}", "end"))
    for number, (name, line) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(wide.at(x), high.at(y)) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        place = _TOP + 18 * number + 10
        parts.append(
            _line(_WIDTH - _RIGHT + 14, place - 4, _WIDTH - _RIGHT + 34, place - 4, colour)
        )
        parts.append(_text(_WIDTH - _RIGHT + 40, place, name, "start"))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = "#dddddd") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, words: str, anchor: str, size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">'
        f"{escape(words)}</text>"
    )
