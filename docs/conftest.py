"""The first page is read beside the example data, as `confroc demo` writes them."""

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(autouse=True)
def beside_the_example(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the code of `start.md` in the folder of the data."""
    if request.path.name == "start.md":
        monkeypatch.chdir(EXAMPLES)
