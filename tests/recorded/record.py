"""Write the results of every case, to be compared with later ones: `python tests/recorded/record.py`.

Floating-point numbers are written so that they are read back exactly. Record again only when numbers are
meant to change, and say in the commit which and why.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "experiments"))

from recorded.cases import CASES, RESULTS, environment, result_of


def written(results: dict[str, Any]) -> str:
    """Return the results as JSON, one case a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(results[name])}" for name in sorted(results)]
    head = f'"environment": {json.dumps(environment())}'
    return "{\n" + head + ',\n"cases": {\n' + ",\n".join(lines) + "\n}\n}\n"


def main() -> None:
    """Run all cases and write what they return."""
    RESULTS.write_text(written({name: result_of(name) for name in CASES}), encoding="utf-8")


if __name__ == "__main__":
    main()
