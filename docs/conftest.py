"""How pages are run: some in the folder of the example data, all without opening figures."""

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(autouse=True)
def beside_the_example(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the code of pages that read the data in its folder."""
    if request.path.name in ("start.md", "precision-recall.md"):
        monkeypatch.chdir(EXAMPLES)


@pytest.fixture(autouse=True)
def without_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open no windows for figures."""
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
