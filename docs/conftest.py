"""How pages are run: the first one beside the example data, the guides without opening their figures."""

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(autouse=True)
def beside_the_example(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the code of pages that read the data in its folder."""
    if request.path.name in ("start.md", "precision-recall.md"):
        monkeypatch.chdir(EXAMPLES)


@pytest.fixture(autouse=True)
def without_a_window(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the figures of the guides be shown to nobody."""
    if request.path.name.startswith(("for-", "precision-")):
        monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
