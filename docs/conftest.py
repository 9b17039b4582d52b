"""How pages are run: without opening figures."""

import pytest


@pytest.fixture(autouse=True)
def without_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open no windows for figures."""
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
