"""Record the results of cases, to be compared with later ones.

`python tests/recorded/record.py PATTERN ...` records new cases and those whose names match a pattern, such as
"auc_*". With `--compare FILE` nothing is recorded: the results are written to FILE or, where it exists,
compared with it bit for bit. Floating-point numbers are written so that they are read back exactly. Record
again only when numbers are meant to change, and state in the commit which and why.
"""

from __future__ import annotations

import json
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from recorded.cases import CASES, RESULTS, result_of


def written(results: dict[str, Any]) -> str:
    """Return the results as JSON, one case a line."""
    return "{\n" + ",\n".join(f"{json.dumps(n)}: {json.dumps(results[n])}" for n in sorted(results)) + "\n}\n"


def record(patterns: list[str]) -> None:
    """Run the cases that match a pattern or have no record, and write what they return."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8"))
    kept = {
        name: kept[name] for name in CASES if name in kept and not any(fnmatch(name, p) for p in patterns)
    }
    RESULTS.write_text(written({name: kept.get(name) or result_of(name) for name in CASES}), encoding="utf-8")


def compare(path: Path) -> None:
    """Write the results of all cases to a file, or print which differ from those in it."""
    found = {name: result_of(name) for name in CASES}
    if not path.exists():
        path.write_text(written(found), encoding="utf-8")
        return
    old = json.loads(path.read_text(encoding="utf-8"))
    differing = [name for name in found if json.dumps(found[name]) != json.dumps(old.get(name))]
    print("\n".join(differing), f"{len(differing)} of {len(found)} cases differ", sep="\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--compare"]:
        compare(Path(sys.argv[2]))
    else:
        record(sys.argv[1:])
