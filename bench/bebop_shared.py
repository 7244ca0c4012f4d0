"""bebop on a folder of Boolean programs with an `expected.csv` (columns program, expected).

    python -m bench.bebop_shared [FOLDER]      (default: ../shared/bp)

Prints a line for each program; the exit code is 1 if a verdict differs.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path

from predabs.boolprog import Violated, check, parse_file


def main(argv: list[str]) -> int:
    folder = Path(argv[0] if argv else "../shared/bp")
    wrong = 0
    with (folder / "expected.csv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    for row in rows:
        start = time.perf_counter()
        result = check(parse_file(folder / row["program"]))
        seconds = time.perf_counter() - start
        found = "false" if isinstance(result, Violated) else "true"
        steps = f", {result.run.length} steps" if isinstance(result, Violated) else ""
        wrong += found != row["expected"]
        verdict = found if found == row["expected"] else f"{found}, expected {row['expected']}!"
        print(f"{row['program']:24} {seconds:.3f} s {verdict}{steps}")
    print(f"{len(rows) - wrong} of {len(rows)} as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
