"""`predabs store`: look into the store, empty it, write it out."""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from datetime import UTC, datetime

from ..errors import InputError
from ..output import write_result
from ..store.database import FORMAT, Store, StoreProblem
from ..store.place import VARIABLE, users_store
from .arguments import add_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        choices=("info", "clear", "export"),
        help="say how much there is, forget everything, or write everything as JSON",
    )
    add_options(parser, "store")


def run(args: argparse.Namespace) -> int:
    path = args.store or users_store()
    if path is None:
        raise InputError(
            f"there is no store: the environment says {VARIABLE}=off; use --store FILE"
        )
    store = Store(path, looks=args.action != "clear")
    try:
        match args.action:
            case "info":
                text = _info(store)
            case "clear":
                store.clear()
                text = f"{store.path}: empty\n"
            case _:
                text = _export(store)
    except StoreProblem as problem:
        raise InputError(str(problem)) from None
    for message in store.messages:
        print(f"predabs: {message}", file=sys.stderr)
    write_result(text, args.output)
    return 0


def _info(store: Store) -> str:
    if not store.path.exists():
        return f"{store.path}: there is no store yet\n"
    info = store.info()
    verdicts = {"TRUE": 0, "FALSE": 0}
    for kind, _, _, value in store.rows():
        if kind == "check":
            verdicts[str(_content(value)["verdict"])] += 1
    told = ", ".join(f"{count} {name}" for name, count in verdicts.items() if count)
    return (
        f"{store.path}: {info.bytes / (1 << 20):.1f} MiB, format {FORMAT}\n"
        f"checks: {info.checks}{f' ({told})' if told else ''}\n"
        f"procedures of `predabs abstract`: {info.items} rows\n"
    )


def _export(store: Store) -> str:
    rows = [
        {
            "kind": kind,
            "key": key,
            "used": datetime.fromtimestamp(used, UTC).isoformat(),
            "content": _content(value),
        }
        for kind, key, used, value in store.rows()
    ]
    return json.dumps({"format": FORMAT, "rows": rows}, indent=1) + "\n"


def _content(value: bytes) -> dict[str, object]:
    found: dict[str, object] = json.loads(zlib.decompress(value))
    return found
