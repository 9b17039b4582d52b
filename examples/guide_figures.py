"""Draw the figures of the pages, each by the page's own code up to its figure, and the picture of the report.

Run from the project's root, where chromium is installed: python examples/guide_figures.py
"""

import doctest
import subprocess
import tempfile
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

from confroc import read_scores, report

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

pair = read_scores("examples/asah.csv", label="outcome", score=("s100b", "ndka"), pos_label="Poor")
with tempfile.TemporaryDirectory() as folder:
    screen = Path(folder) / "report.html"
    report(pair, path=screen, names=["S100B", "NDKA"], positive="Poor", negative="Good")
    picture = f"--screenshot={DOCS / 'images' / 'report.png'}"
    size = "--window-size=1100,755"
    options = ["--headless", "--no-sandbox", "--hide-scrollbars", size, picture, screen.as_uri()]
    subprocess.run(["chromium", *options], check=True, capture_output=True)
