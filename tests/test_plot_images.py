"""Pictures as they were when last looked at: `python tests/test_plot_images.py` draws the baselines anew.

Text is left out, because fonts differ between machines; what is compared is lines, areas and colors. The
root mean square of the differences of pixels must stay below 4 (of 255): smoothing of edges differs by less
between versions of matplotlib, and a test below shows that a change to the eye's notice is above.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from confroc import (
    PairedScores,
    auc_interval,
    cost_band,
    forecast_curve,
    rates_at_threshold,
    roc_band,
    roc_curve,
    roc_difference_band,
    tpr_at_fpr,
)
from confroc.plot import BandDisplay, CurveDisplay, ForecastDisplay, IntervalDisplay
from test_plot_comparison import by_hand
from test_plot_comparison import sample as many_models

BASELINES = Path(__file__).parent / "baseline"
MOST = 4.0


def sample() -> PairedScores:
    y = np.repeat([0, 1], [120, 60])
    rng = np.random.default_rng(12)
    s = rng.normal(size=180) + 1.4 * y
    return PairedScores(y, np.round(s, 1), s + 1.5 * rng.normal(size=180))


def two_bands(ax: Axes, pair: PairedScores) -> None:
    for name, scores in (("a", pair.a), ("b", pair.b)):
        BandDisplay(roc_band(scores, method="ks_regions"), roc_curve(scores)).plot(ax=ax, name=name)


def curves_on(scale: str) -> Callable[[Axes, PairedScores], None]:
    def draw(ax: Axes, pair: PairedScores) -> None:
        BandDisplay(roc_band(pair.a, method="ks_regions")).plot(ax=ax, name="a", scale=scale)
        CurveDisplay(roc_curve(pair.b)).plot(ax=ax, name="b")

    return draw


def many_curves(ax: Axes, _: PairedScores) -> None:
    for name, scores in many_models([f"model {i}" for i in range(10)], spread=1.6).items():
        CurveDisplay(roc_curve(scores)).plot(ax=ax, name=name)
    # The room that the legend takes depends on the font.
    ax.set_axes_locator(None)


def pairs(ax: Axes, reference: str | None = None) -> None:
    compared = by_hand(many_models([f"model {i}" for i in range(6)]), reference)
    compared.plot(ax=Figure().add_subplot(), ax_pairs=ax)


PICTURES: dict[str, Callable[[Axes, PairedScores], object]] = {
    "two_bands": two_bands,
    "log": curves_on("log"),
    "probit": curves_on("probit"),
    "tail": lambda ax, pair: roc_curve(pair.a).plot(ax=ax, fpr_max=0.2),
    "regions": lambda ax, pair: rates_at_threshold(pair.a, threshold=[0.0, 0.8, 1.6]).plot(ax=ax),
    "points": lambda ax, pair: tpr_at_fpr(pair.b, fpr=[0.1, 0.3, 0.6]).plot(ax=ax),
    "forest": lambda ax, pair: IntervalDisplay(
        [auc_interval(pair.a), auc_interval(pair.b)], reference=0.5
    ).plot(ax=ax, name=["a", "b"]),
    "difference": lambda ax, pair: roc_difference_band(pair, n_resamples=199, rng=1).plot(ax=ax),
    "cost": lambda ax, pair: cost_band(pair.a, w=np.linspace(0.05, 0.95, 19), rng=1).plot(ax=ax),
    "many_curves": many_curves,
    "areas": lambda ax, _: by_hand(many_models([f"model {i}" for i in range(6)])).plot(ax=ax),
    "pairs": lambda ax, _: pairs(ax),
    "against": lambda ax, _: pairs(ax, "model 2"),
    "hourglass": lambda ax, pair: ForecastDisplay(
        forecast_curve(pair.a), {"today": auc_interval(pair.a)}
    ).plot(ax=ax),
}


def picture(name: str) -> np.ndarray:
    """Draw without text, in gray levels and colors from 0 to 255."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with mpl.rc_context({"font.family": "DejaVu Sans"}):
        mpl.rcdefaults()
        figure = Figure(figsize=(4.0, 4.0), dpi=60)
        canvas = FigureCanvasAgg(figure)
        ax = figure.add_axes((0.05, 0.05, 0.9, 0.9))
        PICTURES[name](ax, sample())
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_tick_params(which="both", labelleft=False, labelbottom=False, labeltop=False)
            axis.label.set_visible(False)
        if ax.get_legend() is not None:
            ax.get_legend().remove()
        for text in ax.texts:
            text.set_visible(False)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].astype(float)


def difference(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.sqrt(np.mean((a - b) ** 2)))


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_look_as_they_did(name: str, tmp_path: Path) -> None:
    from matplotlib.image import imread, imsave

    now = picture(name)
    imsave(tmp_path / f"{name}.png", now.astype(np.uint8))
    then = imread(BASELINES / f"{name}.png")[..., :3] * 255.0
    assert then.shape == now.shape
    assert difference(now, then) < MOST, f"see {tmp_path / name}.png beside {BASELINES / name}.png"


def test_a_visible_change_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    before = picture("two_bands")
    monkeypatch.setitem(PICTURES, "two_bands", lambda ax, pair: curves_on("linear")(ax, pair))
    assert difference(picture("two_bands"), before) > 2.0 * MOST


if __name__ == "__main__":
    from matplotlib.image import imsave

    BASELINES.mkdir(exist_ok=True)
    for each in PICTURES:
        imsave(BASELINES / f"{each}.png", picture(each).astype(np.uint8))
