"""Draw the figures of the guides: each page's own code, up to its figure.

Run from the project's root: python examples/guide_figures.py
"""

import doctest
from pathlib import Path

import matplotlib as mpl

# Pages show their figures; here no window is to wait for somebody.
mpl.use("Agg")
ROOT = Path(__file__).resolve().parents[1]

for page in sorted((ROOT / "docs").glob("for-*.md")):
    code = page.read_text(encoding="utf-8").partition("![")[0]
    names: dict[str, object] = {"__name__": "__main__"}
    for example in doctest.DocTestParser().get_examples(code):
        exec(compile(example.source, str(page), "exec"), names)
    names["figure"].savefig(ROOT / "docs" / "images" / f"{page.stem}.png", dpi=110)  # type: ignore[attr-defined]
