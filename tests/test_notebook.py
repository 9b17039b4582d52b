"""What a notebook shows of results: sound HTML, escaped, short, with the claims."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest

import confroc
from confroc import PairedScores, Scores

VOID = {"br", "hr", "img", "meta"}


class Page(HTMLParser):
    """Collects rows and text; raises when elements do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows = 0
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img", "iframe")
        if tag not in VOID:
            self.open.append(tag)
        self.rows += tag == "tr"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] != "style":
            self.words.append(data)


Y = np.repeat([0, 1], 30)
S = np.random.default_rng(1).normal(size=60) + Y
SCORES = Scores(Y, S)
PAIR = PairedScores(Y, S, S + np.random.default_rng(2).normal(size=60))

RESULTS = {
    "interval": lambda: confroc.auc_interval(SCORES),
    "intervals": lambda: confroc.tpr_at_fpr(SCORES, fpr=np.arange(1, 16) / 30),
    "regions": lambda: confroc.rates_at_threshold(SCORES, threshold=[0.0, 1.0]),
    "flagged": lambda: confroc.rates_at_positive_rate(SCORES, positive_rate=[0.2, 0.4]),
    "dominance": lambda: confroc.dominance_at_threshold(PAIR, threshold_a=0.5, threshold_b=0.5),
    "difference": lambda: confroc.auc_difference(PAIR),
    "band": lambda: confroc.roc_band(SCORES, method="ks_regions"),
    "curve": lambda: confroc.roc_curve(SCORES),
    "cost": lambda: confroc.expected_cost(SCORES, false_negative=5, false_positive=1, prior=0.2, rng=1),
    "forecast": lambda: confroc.auc_forecast(SCORES, radius=0.05),
    "drift": lambda: confroc.drift_monitor(SCORES, {"<May> & June": SCORES, "July": SCORES}),
    "power": lambda: confroc.auc_power(0.8, n_pos=40, n_neg=40),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_show_as_short_sound_tables(name: str) -> None:
    result = RESULTS[name]()
    page = Page(result._repr_html_())
    text = " ".join(page.words)
    assert not hasattr(result, "_title") or (result._sentence() or result._title) in text
    assert 1 <= page.rows <= 20
    if hasattr(result, "guarantee"):
        assert result.guarantee in text
        assert str(result.method) in text


def test_long_tables_are_cut_and_say_so() -> None:
    page = Page(RESULTS["intervals"]()._repr_html_())
    # The first ones and the last ones, with dots between.
    assert page.rows == 12
    assert page.words.count("…") == 5
    assert "15 rows, 10 shown" in " ".join(page.words)


def test_single_rows_say_only_what_is_there() -> None:
    plan, area, cost = (
        Page(result._repr_html_()).words
        for result in (
            confroc.auc_power(0.8, n_pos=50),
            confroc.auc_interval(SCORES),
            confroc.expected_cost(SCORES, false_negative=2, false_positive=1, threshold=0.0),
        )
    )
    assert not {"standard_error", "margin"} & {*plan}
    assert "each by itself" not in " ".join(plan)
    assert "quantity" not in area
    assert area[0] == str(confroc.auc_interval(SCORES))
    assert "cost_without_model" in cost


def test_text_is_escaped() -> None:
    shown = RESULTS["drift"]()._repr_html_()
    assert "&lt;May&gt; &amp; June" in shown
    assert "<May>" not in shown


def test_samples_show_their_sizes() -> None:
    rounded = Scores.from_counts([1, 3], pos=[1, 4], neg=[5, 1], score_max=[2, 3], n_dropped=7)
    text = " ".join(Page(rounded._repr_html_()).words)
    assert f"error of the AUC is at most {rounded.auc_error:.2g}" in text
    assert "dropped" in text
    text = " ".join(Page(PAIR._repr_html_()).words)
    assert "60 distinct pairs of scores" in text
    assert Page(confroc.UnpairedScores(SCORES, rounded)._repr_html_()).rows == 3
    assert Page(SCORES._repr_html_()).rows == 2
