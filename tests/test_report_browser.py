"""The report in a real browser: pointed at, slid, typed into, printed, in the dark and without scripts.

Needs Playwright and Chromium, and axe-core for the check of accessibility: `.ci/browser` installs them.
`CONFROC_CHROMIUM` names the browser where it is not on the path.
"""

from __future__ import annotations

import csv
import itertools
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname

import numpy as np
import pytest
from playwright import sync_api as playwright

import confroc
from confroc import PairedScores, Scores, cost_curve, expected_cost
from confroc.cost import cost_weight, lower_envelope, trivial_cost
from confroc.pages import Report, ReportData, build_report, words

CHROMIUM = os.environ.get("CONFROC_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
assert CHROMIUM is not None, "the report's browser tests need Chromium; CONFROC_CHROMIUM names its path"

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")]
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LEVEL = 0.95


@pytest.fixture(scope="module")
def report() -> Report:
    with (Path(__file__).parents[1] / "examples" / "asah.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    y = np.array([row["outcome"] == "Poor" for row in rows]).astype(int)
    columns = {name: np.array([float(row[name]) for row in rows]) for name in ("s100b", "ndka")}
    scores = PairedScores(y, *columns.values(), names=list(columns))
    data = ReportData(
        source="asah.csv",
        label="outcome",
        positive="Poor",
        negative="Good",
        n_rows=len(rows),
        n_dropped=0,
        models=dict(scores.items()),
        scores=scores,
        false_negative=5.0,
        false_positive=1.0,
    )
    return build_report(data, created=datetime(2026, 1, 2, tzinfo=UTC))


@pytest.fixture(scope="module")
def url(report: Report, tmp_path_factory: pytest.TempPathFactory) -> str:
    page, _ = report.write(tmp_path_factory.mktemp("report") / "report.html")
    assert page.stat().st_size < 3_000_000
    return page.as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, url: str) -> Iterator[Any]:
    """Open the report in contexts of any kind; afterwards nothing was fetched and nothing went wrong."""
    contexts, trouble, asked, given = [], [], [], set()

    def open_page(address: str = url, **kind: Any) -> Any:
        given.add(address)
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}} | kind)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        if kind.get("java_script_enabled", True):
            page.wait_for_selector("html[data-ready=yes]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []
    assert set(asked) == given


def settle(page: Any) -> None:
    """Wait until the page has drawn: within one frame it learns which charts have another size."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def place(page: Any, figure: str, x: float, y: float) -> tuple[float, float]:
    """Where a point of a picture's axes is on the screen, scrolled to."""
    page.locator(f"figure.{figure} .picture").scroll_into_view_if_needed()
    found = page.evaluate(
        """([figure, x, y]) => {
          const picture = document.querySelector(`figure.${figure} .picture`);
          const [left, bottom, right, top] = picture.dataset.axes.split(" ").map(Number);
          const at = new DOMPoint(left + x * (right - left), bottom + y * (top - bottom));
          const seen = at.matrixTransform(picture.getScreenCTM());
          return [seen.x, seen.y];
        }""",
        [figure, x, y],
    )
    return found[0], found[1]


def points_of(report: Report, model: int) -> dict[str, Any]:
    points: dict[str, Any] = report.to_dict()["thresholds"][model]["points"]
    return points


def said(points: dict[str, Any], name: str, i: int) -> str:
    ends = words.between(points[f"{name}_lower"][i], points[f"{name}_upper"][i])
    return f"{words.rate(points[name][i])} ({ends})"


def test_opens_by_itself_and_soon(visit: Any) -> None:
    page = visit()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.reload()
    settle(page)
    taken = {it["name"]: it["value"] for it in session.send("Performance.getMetrics")["metrics"]}
    # Measured at 0.1 to 0.2 seconds of the processor, whatever else the machine has to do.
    assert 0.01 < taken["TaskDuration"] < 2.0
    assert page.locator("#chart-cost path").count() == 4


WORDS = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    const it = texts.currentNode.parentElement;
    if (!it.closest("script, style, svg, .skip") && it.checkVisibility()) found.push(texts.currentNode.data);
  }
  return found.join(" ").split(/\\s+/).filter((word) => word).length;
}"""


def test_the_answer_is_on_one_screen_and_the_page_is_short(visit: Any) -> None:
    page = visit(viewport={"width": 1400, "height": 900})
    assert page.evaluate(WORDS) <= 600
    for part in (".summary h2", ".models", "figure.roc .picture"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 900, part
    for width, most in ((1400, 2_500), (1024, 3_000), (390, 5_000)):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        assert page.evaluate("() => document.documentElement.scrollHeight") <= most
    # The page uses the width, and its sections stay at hand.
    for width in (1024, 1400, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator(".summary").bounding_box()["width"] > 0.92 * width
        page.evaluate("() => scrollTo(0, 800)")
        assert page.locator("nav").bounding_box()["y"] == 0
        page.evaluate("() => scrollTo(0, 0)")


def test_a_link_opens_its_section(visit: Any) -> None:
    for scripted in (True, False):
        page = visit(java_script_enabled=scripted)
        assert page.locator("details.section[open]").count() == 1
        table = page.locator("#comparison table").first
        assert not table.is_visible()
        page.locator("nav").get_by_text("Comparison", exact=True).click()
        playwright.expect(table).to_be_visible()


def test_pointing_at_a_curve_shows_threshold_rates_precision_and_intervals(
    visit: Any, report: Report
) -> None:
    page = visit()
    page.get_by_text("Precision and recall", exact=True).last.click()
    for figure, model, i in (("roc", 0, 20), ("roc", 1, 80), ("pr", 0, 30)):
        points = points_of(report, model)
        x, y = ("fpr", "tpr") if figure == "roc" else ("tpr", "precision")
        page.mouse.move(*place(page, figure, points[x][i], points[y][i]))
        label = page.locator(".tip")
        playwright.expect(label).to_contain_text(f"Threshold ≥ {points['shown'][i]}")
        for name, word in (("tpr", "TPR"), ("fpr", "FPR"), ("precision", "Precision")):
            playwright.expect(label).to_contain_text(f"{word} {said(points, name, i)}")
    page.mouse.move(2, 2)
    playwright.expect(page.locator(".tip")).to_be_hidden()


HARD = {
    "perfect separation": (np.repeat([0, 1], 30), {"m": np.arange(60.0)}),
    "all scores equal": (np.repeat([0, 1], 30), {"m": np.zeros(60)}),
    "three cases and a wicked name": (np.array([0, 1, 1]), {"<b>&$a_b$</script>": np.array([1.0, 2.0, 0.5])}),
    "five models": (
        np.repeat([0, 1], 10_000),
        {f"model {k}": np.sin(np.arange(20_000.0) * (k + 1)) + np.repeat([0, 1], 10_000) for k in range(5)},
    ),
}


@pytest.mark.parametrize("case", HARD)
def test_hard_cases_open_without_trouble(visit: Any, tmp_path: Path, case: str) -> None:
    y, columns = HARD[case]
    fields = {"source": "s", "label": "y", "positive": "1", "negative": "0", "n_rows": len(y), "n_dropped": 0}
    scores = PairedScores(y, *columns.values(), names=list(columns)) if len(columns) > 1 else None
    models = {name: Scores(y, s) for name, s in columns.items()}
    path, _ = build_report(ReportData(**fields, models=models, scores=scores)).write(tmp_path / "hard.html")
    assert path.stat().st_size < 3_000_000
    page = visit(path.as_uri())
    slider = page.get_by_label("Threshold", exact=True)
    slider.focus()
    page.keyboard.press("End")
    settle(page)
    assert page.locator("#tp").inner_text() == f"{int(y.sum()):,}"
    for fold in page.locator("details:not([open]) > summary").all():
        if fold.is_visible():
            fold.click()
    assert page.locator("figure svg").count() > 2


def table(page: Any) -> dict[str, str]:
    names = ("tp", "fn", "fp", "tn", "tpr", "fpr", "precision", "npv")
    ends = tuple(f"{name}-ends" for name in ("tpr", "fpr", "precision", "npv"))
    return {name: page.locator(f"#{name}").inner_text() for name in names + ends}


def expected_table(report: Report, model: int, i: int) -> dict[str, str]:
    record = report.to_dict()["thresholds"][model]
    p = record["points"]
    cells = {
        "tp": str(p["tp"][i]),
        "fn": str(record["n_pos"] - p["tp"][i]),
        "fp": str(p["fp"][i]),
        "tn": str(record["n_neg"] - p["fp"][i]),
    }
    for name in ("tpr", "fpr", "precision", "npv"):
        known = p[name][i] is not None
        cells[name] = words.rate(p[name][i]) if known else "–"
        cells[f"{name}-ends"] = words.between(p[f"{name}_lower"][i], p[f"{name}_upper"][i]) if known else ""
    return cells


def test_the_slider_moves_the_table_from_the_keyboard(visit: Any, report: Report) -> None:
    page = visit()
    slider = page.get_by_label("Threshold", exact=True)
    slider.focus()
    page.keyboard.press("Home")
    settle(page)
    assert page.locator("#threshold-value").inner_text() == "above every score"
    assert table(page) == expected_table(report, 0, 0)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    settle(page)
    assert table(page) == expected_table(report, 0, 3)
    shown = f"≥ {points_of(report, 0)['shown'][3]}"
    assert page.locator("#threshold-value").inner_text() == shown
    assert slider.get_attribute("aria-valuetext").startswith(f"{shown}: TPR")
    page.keyboard.press("End")
    settle(page)
    assert table(page) == expected_table(report, 0, len(points_of(report, 0)["tp"]) - 1)
    # The circle on the curve has followed.
    circle, right = page.evaluate("""() => {
      const picture = document.querySelector("figure.roc .picture");
      return [picture.querySelector(".mark").getAttribute("cx"), picture.dataset.axes.split(" ")[2]];
    }""")
    assert float(circle) == float(right)


def test_a_click_on_the_curve_chooses_the_threshold(visit: Any, report: Report) -> None:
    page = visit()
    points = points_of(report, 0)
    page.mouse.click(*place(page, "roc", points["fpr"][10], points["tpr"][10]))
    assert page.locator("#threshold").input_value() == "10"
    assert table(page) == expected_table(report, 0, 10)
    # The other model's curve; none of the first model's points are near.
    other = points_of(report, 1)
    i = int(np.argmin(np.abs(np.array(other["fpr"]) - 0.65)))
    page.mouse.click(*place(page, "roc", other["fpr"][i], other["tpr"][i]))
    assert page.locator("#model").input_value() == "1"
    assert table(page) == expected_table(report, 1, i)


def test_a_model_is_chosen(visit: Any, report: Report) -> None:
    page = visit()
    page.get_by_label("Model", exact=True).select_option("1")
    cheapest = cost_curve(
        report.data.models["ndka"], w=cost_weight(false_negative=5, false_positive=1, prior=41 / 113)
    )
    assert page.locator("#threshold-value").inner_text() == f"≥ {cheapest.threshold[0]:.6g}"


def test_without_a_recommended_threshold_the_page_starts_at_that_of_the_text(
    visit: Any, report: Report, tmp_path: Path
) -> None:
    made = build_report(replace(report.data, false_negative=None, false_positive=None))
    (stated,) = [
        line for line in made.headlines if "At a false positive rate of 10% (threshold ≥ 0.44)" in line
    ]
    page = visit(made.write(tmp_path / "free.html")[0].as_uri())
    assert page.locator("#threshold-value").inner_text() == "≥ 0.44"
    assert f"s100b has a true positive rate of {table(page)['tpr']} " in stated
    use = page.get_by_role("button", name="Use it")
    use.click()
    assert page.locator("#threshold-value").inner_text() == page.locator("#cheapest").inner_text() == "≥ 0.22"
    assert not use.is_visible()


SHARE = 41 / 113
COSTS = [
    (miss, alarm, prior)
    for miss, alarm in itertools.product((0.3, 1.0, 7.0, 400.0), (0.5, 1.0, 30.0))
    for prior in (0.004, 0.2, SHARE, 0.9)
]


def test_arithmetic_is_pythons(visit: Any, report: Report) -> None:
    """At every grid point of costs: cheapest threshold, cost at several thresholds."""
    found = visit().evaluate(
        """(grid) => grid.map(([miss, alarm, prior]) => {
          const costs = { miss, alarm, prior }, c = window.confroc;
          return c.numbers.thresholds.map((model) => {
            const best = c.cheapestPoint(model, costs);
            const rows = [best, 0, 7, 19, model.points.tp.length - 1];
            return {
              best, trivial: c.trivialCost(costs), rows,
              costs: rows.map((i) => c.expectedCost(model, i, costs)),
              precision: rows.map((i) => c.precisionAt(model, i, prior)),
            };
          });
        })""",
        COSTS,
    )
    for (miss, alarm, prior), models in zip(COSTS, found, strict=True):
        w = cost_weight(false_negative=miss, false_positive=alarm, prior=prior)
        scale = prior * miss + (1.0 - prior) * alarm
        for record, got in zip(report.to_dict()["thresholds"], models, strict=True):
            scores = report.data.models[record["model"]]
            threshold = [np.inf if t is None else t for t in record["points"]["threshold"]]
            assert got["trivial"] == pytest.approx(scale * trivial_cost(w), rel=1e-12)
            # Of several cheapest thresholds either may be shown.
            chosen = cost_curve(scores, w=w, threshold=threshold[got["best"]]).estimate[0]
            assert chosen == pytest.approx(lower_envelope(scores).cost_at(w), abs=1e-12)
            for i, cost, precision in zip(got["rows"], got["costs"], got["precision"], strict=True):
                called = scores.score >= threshold[i]
                missed, alarms = (
                    scores.pos[~called].sum() / scores.n_pos,
                    scores.neg[called].sum() / scores.n_neg,
                )
                wanted = prior * miss * missed + (1.0 - prior) * alarm * alarms
                assert cost == pytest.approx(wanted, abs=1e-12 * scale)
                p, j = record["points"], record["joint"]
                # Bayes' rule in odds: positives among those called so, per false alarm.
                for tpr, fpr, value in (
                    (p["tpr"][i], p["fpr"][i], precision[0]),
                    (j["tpr_lower"][i], j["fpr_upper"][i], precision[1]),
                    (j["tpr_upper"][i], j["fpr_lower"][i], precision[2]),
                ):
                    if tpr == fpr == 0.0:
                        assert value is None
                    elif fpr == 0.0:
                        assert value == 1.0
                    else:
                        odds = prior / (1.0 - prior) * tpr / fpr
                        assert value == pytest.approx(odds / (1.0 + odds), rel=1e-12)


def test_typed_costs_move_the_cheapest_threshold_and_the_chart(visit: Any, report: Report) -> None:
    page = visit()
    recommended = report.to_dict()["recommended"]["models"][0]
    ends = words.amounts(*(recommended[end] for end in ("estimate", "lower", "upper")))
    assert page.locator("#threshold-value").inner_text() == f"≥ {recommended['threshold']:.6g}"
    assert page.get_by_label("false negative").input_value() == "5"
    # The panel has the cost in the sample.
    (apparent,) = words.amounts(recommended["estimate"] - recommended["optimism"])
    assert page.locator("#cost").inner_text() == apparent != ends[0]
    # The chart has the cost in the sample, lower than the corrected one, and both texts name it so.
    assert "in the sample, not corrected for optimism, with 95% CIs" in page.locator(".explorer").inner_text()
    assert page.get_by_text("Cost per case in the sample", exact=True).count() == 1
    drawn = "() => document.querySelector('#chart-cost .line').getAttribute('d')"
    before = page.evaluate(drawn)
    for label, value in (
        ("false negative", "2"),
        ("false positive", "3"),
        ("Prevalence in the target population", "20"),
    ):
        page.get_by_label(label).fill(value)
    settle(page)
    assert page.evaluate(drawn) != before
    known = {"false_negative": 2, "false_positive": 3, "prior": 0.2}
    scores = report.data.models["s100b"]
    best = expected_cost(scores, **known, rng=0, n_resamples=100).threshold
    assert page.locator("#cheapest").inner_text() == f"≥ {best:.6g}"
    page.get_by_role("button", name="Use it").click()
    assert page.locator("#threshold-value").inner_text() == f"≥ {best:.6g}"
    assert page.locator("#expected").is_visible()
    (spent,) = words.amounts(expected_cost(scores, **known, threshold=best).estimate)
    assert page.locator("#cost").inner_text() == spent
    # What cannot be a cost is said to be none, and the costs are the report's again.
    page.get_by_label("false positive").fill("-1")
    assert page.locator("#cost-alarm-error").is_visible()
    assert page.get_by_label("false positive").get_attribute("aria-invalid") == "true"
    assert page.locator("#cheapest").inner_text() == f"≥ {recommended['threshold']:.6g}"


def test_tables_are_copied(visit: Any, report: Report, ten: str) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    buttons = page.locator(".summary .copies button")
    read = "() => navigator.clipboard.readText()"
    buttons.first.click()
    rows = list(csv.reader(page.evaluate(read).splitlines()))
    assert rows[0][:2] == ["Model", "AUC"]
    area = report.data.areas["s100b"][0]
    shown = f"{words.rate(area.estimate)} ({words.between(area.lower, area.upper)})"
    assert rows[1][:2] == ["s100b", shown]
    buttons.last.click()
    lines = page.evaluate(read).splitlines()
    assert lines[0] == r"\begin{tabular}{lrrrrrr}"
    assert lines[3].startswith(f"s100b & {shown} & ")
    assert r"& $\geq$ 3.87 & " in lines[4]
    assert lines[-1] == r"\end{tabular}"
    # Names without their tags.
    page = visit(ten, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".summary .copies button").first.click()
    names = {row[0] for row in csv.reader(page.evaluate(read).splitlines()[1:])}
    assert names == {f"gradient boosting {k}" for k in range(10)}


FIGURES = {"curves": 0, "pr": 1, "thresholds": 1, "comparison": 1}
"""Pictures by section: precision-recall, cost curves and the difference."""


def drawn_in(page: Any) -> dict[str, int]:
    return {key: page.locator(f"#{key} figure > svg:visible").count() for key in FIGURES}


def test_without_scripts_everything_is_there_to_read(visit: Any, report: Report) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator(".live:visible").count() == 0
    for fold in page.locator("summary").all():
        if fold.is_visible() and not fold.evaluate("(it) => it.parentElement.open"):
            fold.click()
    assert drawn_in(page) == FIGURES
    assert page.locator("figure.roc > svg:visible").count() == 1
    points = points_of(report, 0)
    rows = page.locator("#thresholds table").nth(2).locator("tbody tr").all_inner_texts()
    assert len(rows) >= 7
    for row in rows:
        i = [f"{t:.6g}" for t in points["threshold"][1:]].index(f"{float(row.split()[0]):.6g}") + 1
        for name in ("tpr", "fpr", "precision"):
            ends = words.between(points[f"{name}_lower"][i], points[f"{name}_upper"][i])
            assert f"{words.rate(points[name][i])} {ends}" in " ".join(row.split())


def test_prints_all_of_it(visit: Any) -> None:
    page = visit(color_scheme="dark")
    explained = page.locator("#methods dd").first
    assert not explained.is_visible()
    page.emulate_media(media="print")
    settle(page)
    assert page.locator("nav:visible, .copies:visible, .live:visible").count() == 0
    assert drawn_in(page) == FIGURES
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    printed = page.pdf(format="A4")
    assert 4 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 12
    # What is folded on the screen is printed, in browsers that need telling too, and folded again.
    page.emulate_media(media="screen")
    folded = page.locator("details:not([open])").count()
    for event, left in (("beforeprint", 0), ("afterprint", folded)):
        page.evaluate(f"() => window.dispatchEvent(new Event('{event}'))")
        assert page.locator("details:not([open])").count() == left
    page.goto(f"{page.url.split('#')[0]}#methods")
    playwright.expect(explained).to_be_visible()


WIDTHS = (360, 390, 768, 1024, 1400, 2000)
FONTS = {
    "narrow": "'DejaVu Sans Condensed', 'Liberation Sans Narrow', sans-serif",
    "wide": "'DejaVu Sans Mono'",
}
"""A narrow font, and one that is wider than what any system shows a page in."""
CUT = """() => {
  const found = [];
  const said = (it) => `${it.tagName}.${it.getAttribute("class")}: ${it.textContent.trim().slice(0, 40)}`;
  for (const it of document.querySelectorAll("body *")) {
    const box = it.getBoundingClientRect(), look = getComputedStyle(it);
    if (!box.width || it.closest(".skip, nav, .tip") || it.ownerSVGElement) continue;
    // A table that a wide font makes too wide can be moved in its box.
    if (WIDE && it.closest(".holds")) continue;
    // A choice among models shows the beginning of a long name.
    const cut = it.scrollWidth > it.clientWidth + 1 && look.display !== "inline" && it.tagName !== "SELECT";
    const card = it.closest(".summary, .section, header, footer")?.getBoundingClientRect();
    const out = card && (box.right > card.right + 1 || box.left < card.left - 1);
    if (cut || out || box.right > innerWidth + 1) found.push(said(it));
  }
  for (const text of document.querySelectorAll("main svg text")) {
    const picture = text.closest(".chart, .picture");
    const box = text.getBoundingClientRect(), chart = picture.getBoundingClientRect();
    const inside = chart.left - 1 <= box.left && box.right <= chart.right + 1
      && chart.top - 1 <= box.top && box.bottom <= chart.bottom + 1;
    if (box.width && !inside) found.push(text.textContent);
  }
  return found;
}"""


BROKEN = """() => [...document.querySelectorAll(".summary p, .summary h2, table .range")].flatMap((it) => {
  const cells = it.closest("tr");
  if (it.closest(".holds")?.clientWidth < 800 || cells?.children.length > 5) return [];
  if (!it.checkVisibility() || it.firstChild?.nodeType !== 3) return [];
  const text = it.firstChild, found = [];
  const whole = /[−+]?\\d[\\d.]*\\sto\\s[−+]?\\d[\\d.]*|\\d+\\s%|p\\s[=<]\\s[\\d.]+/g;
  for (const { index, 0: part } of text.data.matchAll(whole)) {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + part.length);
    if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) found.push(part);
  }
  return found;
})"""
"""Intervals, percentages and p-values that begin on one line and end on the next."""


@pytest.fixture(scope="module")
def pages(url: str, ten: str, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """Two models with costs, ten models, and one and three whose names are long; each in two fonts."""
    name = "gradient_boosted_trees_with_monotone_constraints_retrained_2026_11"
    rng = np.random.default_rng(2)
    y = np.repeat([1, 0], [40, 400])
    columns = [rng.random(440) * 1e-7 + 3e-8 * y for _ in range(3)]
    names = [name, f"older_{name}", f"{name} with the scores of the office"]
    long = ReportData(
        models={name: Scores(y, columns[0])},
        n_rows=440,
        n_dropped=0,
        source=f"/data/projects/{name}/scores.parquet",
        positive="defaulted within twelve months of the decision",
        negative="performing",
    )
    pair = PairedScores(y, *columns, names=names)
    together = replace(long, models=dict(pair.items()), scores=pair)
    folder = tmp_path_factory.mktemp("fonts")
    sources = {"one": build_report(long).to_html(), "three": build_report(together).to_html()}
    for which, at in (("two", url), ("ten", ten)):
        sources[which] = Path(url2pathname(urlparse(at).path)).read_text("utf-8")
    found = {}
    for which, source in sources.items():
        for font, family in FONTS.items():
            path = folder / f"{which}-{font}.html"
            rule = f"body, body * {{ font-family: {family} !important }}\n</style>"
            path.write_text(source.replace("</style>", rule, 1), encoding="utf-8")
            found[which, font] = path.as_uri()
    return found


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("which", ["one", "two", "three", "ten"])
def test_nothing_is_cut_at_any_width_in_any_font(
    visit: Any, pages: dict[tuple[str, str], str], which: str, font: str
) -> None:
    for scripted in (True, False):
        page = visit(pages[which, font], java_script_enabled=scripted)
        if scripted:
            page.evaluate("() => document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            if scripted:
                settle(page)
            cut = CUT.replace("WIDE", str(font == "wide").lower())
            assert page.evaluate(cut) == [], (scripted, width)
            if width >= 1024 and font == "narrow":
                assert page.evaluate(BROKEN) == [], (scripted, width)


IN_TWO = """() => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.closest("code, pre, svg, .papers")) continue;
    for (const { index, 0: number } of text.data.matchAll(/\\d[\\d.,]*\\d/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + number.length);
      const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (tops.size > 1) found.push(text.data);
    }
  }
  return found;
}"""
"""Texts with a number that begins on one line and ends on the next."""


def test_no_number_is_broken_on_a_telephone(visit: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    y = np.repeat([1, 0], [300, 700])
    columns = [rng.normal(size=1000) + k * y for k in (0.5, 1.0, 2.0)]
    pair = PairedScores(y, *columns, names=["hue", "malic", "alcohol"])
    path = tmp_path / "costs.html"
    confroc.report(pair, path=path, false_negative=3.0, false_positive=1.0)
    for scripted in (True, False):
        page = visit(path.as_uri(), java_script_enabled=scripted)
        if scripted:
            page.evaluate("() => document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        assert page.locator("td.word").filter(has_text=re.compile(r"w\s=\s0\.\d+\sto")).count() > 0
        for width in (360, 390):
            page.set_viewport_size({"width": width, "height": 800})
            if scripted:
                settle(page)
            assert page.evaluate(IN_TWO) == [], (scripted, width)


def test_texts_of_pictures_can_be_read_on_a_telephone(visit: Any) -> None:
    page = visit(viewport={"width": 390, "height": 800})
    page.evaluate("() => document.querySelectorAll('details').forEach((it) => { it.open = true; })")
    settle(page)
    smallest = """() => Math.min(...[...document.querySelectorAll("main svg text")].filter((text) =>
      text.getBoundingClientRect().width).map((text) => {
        const scale = text.getScreenCTM();
        return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(scale.a, scale.b);
      }))"""
    assert page.evaluate(smallest) >= 10.5


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 1200), ("light", 400)])
def test_axe_finds_no_violation(visit: Any, scheme: str, width: int) -> None:
    from axe_playwright_python import sync_playwright as axe

    page = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.get_by_label("false positive").fill("0")
    settle(page)
    found = axe.Axe().run(page).response["violations"]
    assert [(v["id"], [n["target"] for n in v["nodes"]][:5]) for v in found] == []


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of ten models, the last one the best, with costs."""
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], 100)
    common = rng.normal(size=200)
    columns = [np.round(common + rng.normal(size=200) + 0.2 * k * y, 1) for k in range(10)]
    scores = PairedScores(y, *columns, names=[f"gradient boosting {k}" for k in range(10)])
    data = ReportData(
        models=dict(scores.items()),
        scores=scores,
        n_rows=200,
        n_dropped=0,
        false_negative=5.0,
        false_positive=1.0,
    )
    page, _ = build_report(data).write(tmp_path_factory.mktemp("ten") / "ten.html")
    return page.as_uri()


def test_the_page_of_ten_models_of_many_cases_stays_small(tmp_path: Path) -> None:
    """A tenth of the cases would not make it smaller: all scores are distinct."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20_000)
    path = tmp_path / "ten.html"
    confroc.report(
        PairedScores(y, *(rng.normal(size=len(y)) + (1 + 0.1 * k) * y for k in range(10))), path=path
    )
    assert path.stat().st_size < 3_000_000


def test_curves_of_ten_models_are_chosen_in_the_table(visit: Any, ten: str) -> None:
    page = visit(ten)
    curves = page.locator("figure.roc .line")
    assert curves.locator("visible=true").count() == 10
    page.get_by_label("Show the curve of gradient boosting 3").uncheck()
    assert curves.locator("visible=true").count() == 9
    assert not page.locator("figure.roc .curve-3").is_visible()
    # The band is that of the model chosen.
    bands = page.locator("figure.roc .band")
    assert bands.locator("visible=true").count() == 1
    page.get_by_label("Model", exact=True).select_option("4")
    assert page.locator("figure.roc .band-4").is_visible()
    assert bands.locator("visible=true").count() == 1
    page.locator("nav").get_by_text("Comparison").click()
    assert page.locator(".matrix tbody tr").count() == 10
    assert page.locator(".models .tag").filter(has_text="may be best").count() >= 1


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_axe_finds_no_violation_among_ten_models(visit: Any, ten: str, scheme: str, width: int) -> None:
    from axe_playwright_python import sync_playwright as axe

    page = visit(ten, color_scheme=scheme, viewport={"width": width, "height": 900})
    found = axe.Axe().run(page).response["violations"]
    assert [(v["id"], [n["target"] for n in v["nodes"]][:5]) for v in found] == []
