"""The report in a real browser: pointed at, slid, typed into, printed, in the dark and without scripts.

Needs Playwright and Chromium, and axe-core for the check of accessibility: `.ci/browser` installs them.
`CONFROC_CHROMIUM` names the browser where it is not on the path. `CONFROC_BASELINES=write` renews the
screenshots in `report_baselines`; look at them before keeping them.
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
from confroc.cost import cost_weight, trivial_cost
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
BASELINES = Path(__file__).parent / "report_baselines"
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
    """Wait until the page has nothing left to draw: needed between every action and what is read after it.

    Within one frame the page learns which charts have another size, after that `data-ready` tells.
    """
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_selector("html[data-ready=yes]")


def place(page: Any, chart: str, x: float, y: float) -> tuple[float, float]:
    """Where a point of a chart's axes is on the screen, scrolled to."""
    page.locator(f"#{chart}").scroll_into_view_if_needed()
    found = page.evaluate(
        """([id, x, y]) => {
          const chart = document.getElementById(id), layout = chart._fullLayout;
          const box = chart.getBoundingClientRect();
          return [box.left + layout.xaxis._offset + layout.xaxis.l2p(x),
                  box.top + layout.yaxis._offset + layout.yaxis.l2p(y)];
        }""",
        [chart, x, y],
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
    # Measured at 0.4 to 0.7 seconds of the processor, whatever else the machine has to do.
    assert 0.1 < taken["TaskDuration"] < 5.0
    # The cost curves are folded away, and drawn when they are opened.
    assert page.locator(".js-plotly-plot").count() == 6
    assert page.locator(".still:visible").count() == 0


def test_charts_follow_their_boxes(visit: Any) -> None:
    """Also where the window keeps its size, as when a picture of the whole page is taken."""
    page = visit()
    sizes = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap((chart) =>
      [chart, chart.querySelector(".main-svg")].map((it) => it.getBoundingClientRect().width))"""
    wide = page.evaluate(sizes)
    page.evaluate("() => { document.body.style.width = '390px'; }")
    # The first frame that anyone sees has them in their new size.
    frames = "requestAnimationFrame(() => requestAnimationFrame"
    narrow = page.evaluate(f"() => new Promise((done) => {frames}(() => done(({sizes})()))))")
    assert narrow[::2] == pytest.approx(narrow[1::2], abs=0.1)
    assert max(narrow) < 390 < max(wide)


def test_pointing_at_a_curve_tells_threshold_rates_precision_and_intervals(
    visit: Any, report: Report
) -> None:
    page = visit()
    # The second model has too many points to show them one by one.
    for chart, model, i in (("chart-curves", 0, 20), ("chart-curves", 1, 80), ("chart-explore", 0, 30)):
        points = points_of(report, model)
        page.mouse.move(*place(page, chart, points["fpr"][i], points["tpr"][i]))
        # Until then the label of the point before stands.
        label = page.locator(f"#{chart} .hoverlayer .hovertext", has_text=f"{points['threshold'][i]:.6g}")
        playwright.expect(label).to_contain_text(f"Threshold {points['threshold'][i]:.6g}")
        for name, word in (("tpr", "TPR"), ("fpr", "FPR"), ("precision", "Precision")):
            playwright.expect(label).to_contain_text(f"{word} {said(points, name, i)}")


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
    assert page.locator("#confusion-model").inner_text() == next(iter(columns))
    x = page.evaluate("() => document.getElementById('chart-explore').data.at(-2).x[0]")
    assert x is not None
    # Of many models those against the leading one.
    options = page.locator("#pair option")
    if len(columns) > 2:
        assert options.count() == len(columns) - 1
        page.locator("#pair").select_option(index=len(columns) - 2)
        settle(page)


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
        cells[name] = words.rate(p[name][i]) if known else "none"
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
    shown = f"{points_of(report, 0)['threshold'][3]:.6g}"
    assert page.locator("#threshold-value").inner_text() == shown
    assert slider.get_attribute("aria-valuetext").startswith(f"{shown}: true positive rate")
    page.keyboard.press("End")
    settle(page)
    assert table(page) == expected_table(report, 0, len(points_of(report, 0)["tp"]) - 1)
    # The circle on the curve has followed.
    circle = page.evaluate("() => document.getElementById('chart-explore').data.at(-2).x[0]")
    assert circle == 1.0


def test_a_click_on_the_curve_chooses_the_threshold(visit: Any, report: Report) -> None:
    page = visit()
    points = points_of(report, 0)
    page.mouse.click(*place(page, "chart-explore", points["fpr"][10], points["tpr"][10]))
    page.wait_for_function("() => document.getElementById('threshold').value === '10'")
    settle(page)
    assert table(page) == expected_table(report, 0, 10)
    # The other model's curve among all of them; none of the first model's points are near.
    other = points_of(report, 1)
    i = int(np.argmin(np.abs(np.array(other["fpr"]) - 0.65)))
    page.mouse.click(*place(page, "chart-curves", other["fpr"][i], other["tpr"][i]))
    page.wait_for_function("() => document.querySelector('#model-1').checked")
    settle(page)
    assert table(page) == expected_table(report, 1, i)


def test_models_are_chosen_by_keyboard(visit: Any, report: Report) -> None:
    page = visit()
    page.get_by_label("s100b", exact=True).focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    assert page.get_by_label("ndka", exact=True).is_checked()
    cheapest = cost_curve(
        report.data.models["ndka"], w=cost_weight(false_negative=5, false_positive=1, prior=41 / 113)
    )
    assert page.locator("#threshold-value").inner_text() == f"{cheapest.threshold[0]:.6g}"


SHARE = 41 / 113
COSTS = [
    (miss, alarm, prior)
    for miss, alarm in itertools.product((0.3, 1.0, 7.0, 400.0), (0.5, 1.0, 30.0))
    for prior in (0.004, 0.2, SHARE, 0.9)
]


def test_arithmetic_is_pythons(visit: Any, report: Report) -> None:
    """At every grid point of costs: weight, cheapest threshold, cost at several thresholds."""
    found = visit().evaluate(
        """(grid) => grid.map(([miss, alarm, prior]) => {
          const costs = { miss, alarm, prior }, c = window.confroc;
          return c.numbers.thresholds.map((model) => {
            const best = c.cheapestPoint(model, costs);
            const rows = [best, 0, 7, 19, model.points.tp.length - 1];
            return {
              w: c.costWeight(costs), best, trivial: c.trivialCost(costs), rows,
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
            assert got["w"] == pytest.approx(w, rel=1e-12)
            assert got["trivial"] == pytest.approx(scale * trivial_cost(w), rel=1e-12)
            assert threshold[got["best"]] == cost_curve(scores, w=w).threshold[0]
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


def test_typed_costs_move_the_recommendation_and_both_cost_charts(visit: Any, report: Report) -> None:
    page = visit()
    rows = page.locator("#advice-models tr:not(.note)")
    given = rows.all_inner_texts()
    recommended = report.to_dict()["recommended"]["models"][0]
    assert f"{recommended['threshold']:.6g}" in given[0]
    assert page.locator("#threshold-value").inner_text() == f"{recommended['threshold']:.6g}"
    assert page.get_by_label("missed positive").input_value() == "5"
    page.get_by_text("Cost curves", exact=True).click()
    settle(page)
    # At the recommended threshold the panel has the table's cost; elsewhere an estimate.
    table_cost = re.search(r"([\d.]+) ([\d.]+ to [\d.]+)", " ".join(given[0].split()))
    assert table_cost is not None
    assert page.locator("#point-cost").inner_text() == f"{table_cost[1]} ({table_cost[2]})"
    before = page.evaluate("() => document.getElementById('chart-cost').data[0].y[40]")
    for label, value in (("missed positive", "2"), ("false alarm", "3"), ("Positives in use", "20")):
        page.get_by_label(label).fill(value)
    settle(page)
    known = {"false_negative": 2, "false_positive": 3, "prior": 0.2}
    scores = report.data.models["s100b"]
    best = expected_cost(scores, **known, rng=0, n_resamples=100).threshold
    # The page's own number is that of these very cases, and it says so.
    wanted = expected_cost(scores, **known, threshold=best)
    advice = rows.first.inner_text()
    for text in (f"{best:.6g}", *words.amounts(wanted.estimate, wanted.trivial)):
        assert text in advice
    assert " to " not in advice
    assert "Optimistic" in page.locator("#advice-source").inner_text()
    after = page.evaluate("() => document.getElementById('chart-cost').data[0].y[40]")
    assert after != before
    line = page.evaluate("() => document.getElementById('chart-weight').data.at(-1).x[0]")
    assert line == pytest.approx(cost_weight(false_negative=2, false_positive=3, prior=0.2))
    page.get_by_role("button", name="Go to the star").click()
    settle(page)
    assert page.locator("#threshold-value").inner_text() == f"{wanted.threshold:.6g}"
    assert page.locator("#expected").is_visible()
    (spent,) = words.amounts(wanted.estimate)
    assert page.locator("#point-cost").inner_text() == f"{spent} at a threshold fixed in advance"
    # What cannot be a cost is said to be none, and the numbers are the report's own again, with its costs.
    page.get_by_label("false alarm").fill("-1")
    settle(page)
    assert page.locator("#cost-alarm-error").is_visible()
    assert page.get_by_label("false alarm").get_attribute("aria-invalid") == "true"
    assert rows.all_inner_texts() == given
    assert "costs 5, a false alarm 1" in page.locator("#advice-caption").inner_text()
    # With the report's own costs its own recommendation is back, corrected for having been chosen.
    for label, value in (("missed positive", "5"), ("false alarm", "1"), ("Positives", f"{100 * SHARE:.6g}")):
        page.get_by_label(label).first.fill(value)
    settle(page)
    assert rows.all_inner_texts() == given


def test_without_scripts_everything_is_there_to_read(visit: Any, report: Report) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator(".live:visible").count() == 0
    assert page.locator("details:not([open])").count() == 0
    assert drawn_in(page) == STILL
    points = points_of(report, 0)
    first = page.locator("section[aria-labelledby=thresholds] .still table").first
    rows = first.locator("tbody tr").all_inner_texts()
    assert len(rows) >= 7
    for row in rows:
        i = [f"{t:.6g}" for t in points["threshold"][1:]].index(row.split()[0].strip()) + 1
        for name in ("tpr", "fpr", "precision"):
            ends = words.between(points[f"{name}_lower"][i], points[f"{name}_upper"][i])
            assert f"{words.rate(points[name][i])} {ends}" in " ".join(row.split())


STILL = {"curves": 1, "thresholds": 1, "comparison": 1, "outlook": 2}
"""Static figures: both curves in their bands, cost curves, the difference, the outlook of each model."""


def drawn_in(page: Any) -> dict[str, int]:
    return {
        key: page.locator(f"section[aria-labelledby={key}] figure > svg:visible").count() for key in STILL
    }


def test_prints_its_static_form(visit: Any) -> None:
    page = visit(color_scheme="dark")
    explained = page.locator("section[aria-labelledby=methods] p").first
    assert not explained.is_visible()
    page.emulate_media(media="print")
    settle(page)
    assert page.locator(".live:visible, nav:visible").count() == 0
    assert drawn_in(page) == STILL
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    printed = page.pdf(format="A4")
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert 4 <= pages <= 12
    # What is folded on the screen is printed, in browsers that need telling too, and folded again.
    page.emulate_media(media="screen")
    settle(page)
    for event, folded in (("beforeprint", 0), ("afterprint", page.locator("details.fold").count())):
        page.evaluate(f"() => window.dispatchEvent(new Event('{event}'))")
        assert page.locator("details.fold:not([open])").count() == folded
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
    if (!box.width || it.closest(".skip") || (it.closest("svg") && it.tagName !== "svg")) continue;
    if (it.closest(".js-plotly-plot") && it.tagName !== "svg") continue;
    // A choice among models shows the beginning of a long name.
    const cut = it.scrollWidth > it.clientWidth + 1 && look.display !== "inline" && it.tagName !== "SELECT";
    const card = it.closest("main > section, header, nav, footer")?.getBoundingClientRect();
    const out = card && (box.right > card.right + 1 || box.left < card.left - 1);
    if (cut || out || box.right > innerWidth + 1) found.push(said(it));
  }
  for (const text of document.querySelectorAll("main svg text")) {
    const picture = text.closest(".chart") ?? text.ownerSVGElement;
    const box = text.getBoundingClientRect(), chart = picture.getBoundingClientRect();
    const inside = chart.left - 1 <= box.left && box.right <= chart.right + 1
      && chart.top - 1 <= box.top && box.bottom <= chart.bottom + 1;
    if (box.width && !inside) found.push(text.textContent);
  }
  return found;
}"""


BROKEN = """() => [...document.querySelectorAll(".answers dd, table .range")].flatMap((it) => {
  const cells = it.closest("tr");
  if (it.closest(".holds")?.clientWidth < 800 || cells?.children.length > 5) return [];
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
            assert page.evaluate(CUT) == [], (scripted, width)
            if width >= 1024 and font == "narrow":
                assert page.evaluate(BROKEN) == [], (scripted, width)


IN_TWO = """() => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.parentElement.closest("code, pre, svg, .papers, .js-plotly-plot")) continue;
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
    columns = [rng.normal(size=1000) + k * y for k in (0.5, 1.0, 2.0, 2.5)]
    pair = PairedScores(y, *columns, names=["hue", "malic", "alcohol", "colour"])
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
            # Bars keep the scale that the head of the table has where there is room.
            ends = "(it) => ['::before', '::after'].map((end) => getComputedStyle(it, end).content)"
            head = page.locator("thead .drawn").first.text_content()
            row = page.locator("td.drawn").first
            assert "".join(row.evaluate(ends)).replace('"', "") == head
            # On one line each.
            assert row.bounding_box()["height"] < 40


def test_the_answer_stands_first_and_the_page_is_short(visit: Any, report: Report, tmp_path: Path) -> None:
    """Two models without costs, which took 12,000 and 16,600 pixels once."""
    data = replace(report.data, false_negative=None, false_positive=None)
    short, _ = build_report(data).write(tmp_path / "short.html")
    page = visit(short.as_uri())
    for width, most in ((1024, 6_000), (390, 8_300)):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        assert page.evaluate("() => document.documentElement.scrollHeight") <= most
        tops = [page.locator(it).bounding_box()["y"] for it in (".summary", "nav")]
        assert tops == sorted(tops)
    # On a telephone, labels of charts can be read: live ones here, static ones without scripts.
    smallest = """() => Math.min(...[...document.querySelectorAll("main svg text")].filter((text) =>
      text.getBoundingClientRect().width).map((text) => {
        const scale = text.getScreenCTM();
        return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(scale.a, scale.b);
      }))"""
    assert page.evaluate(smallest) >= 11.0
    still = visit(short.as_uri(), java_script_enabled=False, viewport={"width": 390, "height": 800})
    assert still.evaluate(smallest) >= 10.0


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 1200), ("light", 400)])
def test_axe_finds_no_violation(visit: Any, scheme: str, width: int) -> None:
    from axe_playwright_python import sync_playwright as axe

    page = visit(color_scheme=scheme, viewport={"width": width, "height": 900})
    page.get_by_label("false alarm").fill("0")
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


def test_the_page_of_ten_models_of_many_cases_stays_small(visit: Any, tmp_path: Path) -> None:
    """A tenth of the cases would not make it smaller: all scores are distinct."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20_000)
    path = tmp_path / "ten.html"
    confroc.report(
        PairedScores(y, *(rng.normal(size=len(y)) + (1 + 0.1 * k) * y for k in range(10))), path=path
    )
    assert path.stat().st_size < 3_000_000
    # A mark of each threshold would take as long to draw as all the rest.
    assert visit(path.as_uri()).locator("#chart-curves .point").count() == 0


def test_ten_models_are_chosen_beside_the_charts(visit: Any, ten: str) -> None:
    page = visit(ten)
    drawn = "() => document.getElementById('chart-curves').data.filter((t) => t.mode === 'lines' && t.name)"
    shown = f"() => ({drawn})().filter((t) => t.visible).map((t) => t.name)"
    assert page.evaluate(shown) == [f"gradient boosting {k}" for k in range(10)]
    page.locator("#curve-3").uncheck()
    settle(page)
    assert page.evaluate(shown) == [f"gradient boosting {k}" for k in range(10) if k != 3]
    # No legend lies over the curves; the band is that of the model chosen.
    assert page.locator("#chart-curves .legend").count() == 0
    fills = "() => document.getElementById('chart-curves').data.filter((t) => t.fill).length"
    assert page.evaluate(fills) == 1
    page.locator("#banded").select_option("-1")
    settle(page)
    assert page.evaluate(fills) == 0
    title = "() => document.getElementById('chart-outlook').data[0].y[0]"
    first = page.evaluate(title)
    page.locator("#outlook-model").select_option("9")
    settle(page)
    assert page.evaluate(title) > first
    assert page.locator("#pair option").count() == 9
    assert page.locator(".matrix tbody tr").count() == 10


def test_every_curve_on_the_charts_of_costs_is_named(visit: Any, ten: str, url: str) -> None:
    """In the legend of two models, in a list below the charts of ten, and beside the static picture."""
    lines = """(id) => document.getElementById(id).data.filter((it) => it.mode === "lines" && it.name &&
      !it.fill && (it.meta !== undefined || it.text)).map((it) => it.name)"""
    for address, legends in ((url, True), (ten, False)):
        page = visit(address)
        page.get_by_text("Cost curves", exact=True).click()
        settle(page)
        for chart in ("chart-cost", "chart-weight"):
            drawn = page.evaluate(lines, chart)
            assert len(drawn) == (2 if legends else 10)
            told = page.locator(f"#{chart} .legendtext").all_text_contents()
            beside = page.locator(f"#{chart} ~ ul.lines li, #{chart} + div ul.lines li")
            assert beside.locator("visible=true").count() == (0 if legends else 10)
            assert set(drawn) <= {*told, *beside.all_inner_texts()}
        page.emulate_media(media="print")
        settle(page)
        items = page.locator("section[aria-labelledby=thresholds] figcaption li")
        assert items.locator("visible=true").all_inner_texts() == drawn


def test_long_names_differ_in_the_legends(visit: Any, tmp_path: Path) -> None:
    y, rng = np.repeat([1, 0], 100), np.random.default_rng(0)
    names = [
        f"Gradient boosting, version {year} (monotone constraints on)" for year in ("2026-11", "2025-03")
    ]
    pair = PairedScores(y, *(rng.normal(size=200) + y for _ in names), names=names)
    path = tmp_path / "long.html"
    confroc.report(pair, path=path, false_negative=10.0, false_positive=1.0)
    for width in (390, 1400):
        page = visit(path.as_uri(), viewport={"width": width, "height": 900})
        page.get_by_text("Cost curves", exact=True).click()
        settle(page)
        for chart in ("curves", "cost", "weight"):
            told = page.locator(f"#chart-{chart} .legendtext").all_text_contents()
            # Cut to the chart's width they would look the same, so they are numbered.
            assert [sum(text.startswith(number) for text in told) for number in ("1: ", "2: ")] == [1, 1]
        page.emulate_media(media="print")
        settle(page)
        drawn = page.locator("section[aria-labelledby=curves] figure").first.text_content()
        assert all(drawn.count(number) == 1 for number in ("1: ", "2: "))


@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 390)])
def test_axe_finds_no_violation_among_ten_models(visit: Any, ten: str, scheme: str, width: int) -> None:
    from axe_playwright_python import sync_playwright as axe

    page = visit(ten, color_scheme=scheme, viewport={"width": width, "height": 900})
    found = axe.Axe().run(page).response["violations"]
    assert [(v["id"], [n["target"] for n in v["nodes"]][:5]) for v in found] == []


CELLS = 40
MEAN, WORST = 0.012, 0.12
"""What a picture may differ from its baseline, of 1: in the mean, and at the worst hundredth of its cells.

Pictures are made small before, CELLS cells across, which blurs letters: another font passes, and a curve
moved by a few per cent of the axes, a lost band or a wrong colour does not (the test below shows it).
"""


def difference(picture: Any, baseline: Any) -> tuple[float, float]:
    from PIL import Image

    size = (CELLS, max(1, round(CELLS * baseline.height / baseline.width)))
    small = [
        np.asarray(i.convert("RGB").resize(size, Image.Resampling.BOX), float) for i in (picture, baseline)
    ]
    cells = np.abs(small[0] - small[1]).max(axis=2) / 255.0
    return float(cells.mean()), float(np.quantile(cells, 0.99))


def picture_of(page: Any, chart: str) -> Any:
    from io import BytesIO

    from PIL import Image

    settle(page)
    return Image.open(BytesIO(page.locator(f"#{chart}").screenshot()))


CHARTS = ("curves", "explore", "cost", "weight", "difference", "outlook-0")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("light", {}),
        ("dark", {"color_scheme": "dark"}),
        ("narrow", {"viewport": {"width": 400, "height": 900}}),
    ],
)
def test_charts_look_as_they_did(visit: Any, name: str, kind: dict[str, Any]) -> None:
    from PIL import Image

    page = visit(**kind)
    page.get_by_text("Cost curves", exact=True).click()
    far = {}
    for chart in CHARTS:
        picture = picture_of(page, f"chart-{chart}")
        path = BASELINES / f"{name}-{chart}.png"
        if os.environ.get("CONFROC_BASELINES") == "write":
            BASELINES.mkdir(exist_ok=True)
            picture.convert("RGB").quantize(64).save(path, optimize=True)
        with Image.open(path) as baseline:
            found = difference(picture, baseline)
        if found[0] > MEAN or found[1] > WORST:
            far[chart] = found
    assert far == {}


def test_baselines_can_fail(visit: Any) -> None:
    """Each a change that a reader would call another picture."""
    from PIL import Image

    page = visit()
    with Image.open(BASELINES / "light-explore.png") as baseline:
        assert difference(picture_of(page, "chart-explore"), baseline)[0] <= MEAN
        page.locator("#model-1").check()
        mean, worst = difference(picture_of(page, "chart-explore"), baseline)
        assert mean > MEAN
        assert worst > WORST
    with Image.open(BASELINES / "light-cost.png") as baseline:
        page.locator("#model-0").check()
        page.get_by_label("missed positive").fill("3")
        assert max(np.divide(difference(picture_of(page, "chart-cost"), baseline), (MEAN, WORST))) > 1.0
