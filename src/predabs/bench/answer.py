"""An answer: what a tool said about a task, what that took, and what it is worth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..records import dataclass, field
from .execute import Limits

# the points of SV-COMP
CORRECT_TRUE, CORRECT_FALSE, WRONG_TRUE, WRONG_FALSE = 2, 1, -32, -16


@dataclass(frozen=True, slots=True)
class Answer:
    """One row: of a task under a configuration."""

    task: str
    property_name: str
    category: str
    expected: bool | None
    configuration: str
    verdict: str  # TRUE, FALSE, UNKNOWN, or ERROR if it failed
    reason: str = ""
    expected_part: str = ""  # the sub-property that is expected to be violated
    part: str = ""  # and the one that the tool says is
    cpu: float = 0.0
    wall: float = 0.0
    memory: int = 0  # bytes
    limit: str = ""  # the limit that was reached: cpu, wall, memory
    limits: Limits = field(default_factory=lambda: Limits(0.0, 0.0, 0))
    host: str = ""
    digest: str = ""  # of the program, the property and the flags
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str]:
        return self.task, self.property_name

    @property
    def title(self) -> str:
        return f"{self.task} ({self.property_name})"

    @property
    def solved(self) -> bool:
        """The right verdict; for a property of several parts, with the right part."""
        match self.verdict, self.expected:
            case "TRUE", True:
                return True
            case "FALSE", False:
                return not self.expected_part or self.part == self.expected_part
        return False

    @property
    def answered(self) -> bool:
        """Is it solved, or has it a verdict that nobody can judge?"""
        return self.solved or (self.expected is None and self.verdict in ("TRUE", "FALSE"))

    @property
    def wrong(self) -> bool:
        """The wrong verdict. As in BenchExec, a violation of another part is not that."""
        return (self.verdict, self.expected) in (("TRUE", False), ("FALSE", True))

    @property
    def score(self) -> int:
        """By the rules of SV-COMP."""
        if self.wrong:
            return WRONG_TRUE if self.verdict == "TRUE" else WRONG_FALSE
        if self.solved:
            return CORRECT_TRUE if self.verdict == "TRUE" else CORRECT_FALSE
        return 0

    @property
    def told(self) -> str:
        """The verdict as SV-COMP writes it, such as `FALSE (valid-deref)`."""
        return f"{self.verdict} ({self.part})" if self.part else self.verdict

    def may_go_on(self, limits: Limits) -> bool:
        """Did the tool fail, or was there no verdict because time was over, and is there more of it
        now?"""
        if self.verdict == "ERROR":
            return True
        late = self.verdict == "UNKNOWN" and self.limit in ("cpu", "wall")
        return late and (self.limits.cpu < limits.cpu or self.limits.wall < limits.wall)

    def details_text(self) -> str:
        return json.dumps(self.details, separators=(",", ":"))
