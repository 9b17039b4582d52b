"""Draw the figures of the pages: each page's own code, up to its figure.

Run from the project's root: python examples/guide_figures.py
"""

import doctest
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

# Pages show their figures; here no window is to wait for somebody.
mpl.use("Agg")
DOCS = Path(__file__).resolve().parents[1] / "docs"

for page in sorted(DOCS.glob("*.md")):
    code, found, _ = page.read_text(encoding="utf-8").partition(f"](images/{page.stem}.png)")
    if not found:
        continue
    plt.close("all")
    names: dict[str, object] = {"__name__": "__main__"}
    for example in doctest.DocTestParser().get_examples(code):
        exec(compile(example.source, str(page), "exec"), names)
    plt.savefig(DOCS / "images" / f"{page.stem}.png", dpi=110)
