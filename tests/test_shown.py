"""What is printed of every result, and shown in a notebook: short, narrow, with all that it claims."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

import confroc
from confroc import PairedScores, Scores, UnpairedScores, auditing, models, results
from confroc._files import finite
from confroc.cli import main
from confroc.results import shown
from support import invoke
from test_frozen import MADE, made
from test_options import FUNCTIONS, ONE, PAIR, THREE

LINES, COLUMNS = 25, 100
RAW = re.compile(r"array\(|dtype=|MappingProxy|<class|<confroc\.[\w.]+ object at")
"""What only a dump of arrays or of a dataclass holds."""
ARRAYS = ("cost_optimism",)
"""Functions that return an array of the shape that was asked for."""

RNG = np.random.default_rng(5)
LONG = [f"gradient boosting, {n} trees, learning rate 0.05" for n in (100, 200, 400, 800, 1600)]
Y = np.repeat([1, 0], [60, 90])
FIVE = PairedScores(Y, *(RNG.normal(size=150) + (1 + i) * Y / 3 for i in range(5)), names=LONG)
VERDICT = {"error": 0.01, "at": 0.1, "mean_coverage": 0.95, "width": 0.2, "failures": 0.0}
AUDIT = auditing.Audit(
    **{name: getattr(MADE["Audit"], name) for name in ("n_pos", "n_neg", "population", "auc", "categories")},
    confidence_level=0.9,
    replications={"both rates at a threshold": 20},
    verdicts=tuple(
        auditing.Verdict("both rates at a threshold", f"method_{i:02d}", 0.9, **VERDICT, recommended=i == 17)
        for i in range(30)
    ),
    recommendation={"both rates at a threshold": "method_17"},
)
TWO = PairedScores(Y, *(RNG.normal(size=150) + i * Y for i in (1, 2)), names=LONG[:2])
FEW = {"n_resamples": 99, "rng": 1}
COMPARED = confroc.auc_comparison(FIVE)
OTHERS: dict[str, Any] = {
    "audit": AUDIT,
    "comparison": COMPARED,
    "differences": COMPARED.differences,
    "intervals": COMPARED.intervals,
    "long names": confroc.tpr_difference_at_fpr(TWO, fpr=[0.1, 0.2]),
    "long names, rectangles": confroc.rates_difference_at_threshold(
        TWO, threshold_a=[0.1, 0.2, 0.3], threshold_b=[0.2, 0.3, 0.4]
    ),
    "long names, areas": confroc.auc_difference(TWO),
    "test": COMPARED.test,
    "largest gap": COMPARED.largest_gap,
    "five models": FIVE,
    "many groups": UnpairedScores(*[ONE] * 12, names=[f"{n} {i}" for i in range(4) for n in LONG[:3]]),
    "regions": confroc.rates_at_threshold(ONE, threshold=np.linspace(-2, 2, 41)),
    "separate sides": confroc.rates_at_threshold(ONE, threshold=0.5),
    "drift": confroc.drift_monitor(ONE, {f"{n}, week {i}": ONE for i in range(4) for n in LONG}, rng=1),
    "model": models.BinormalModel.from_auc(0.8),
    "laws": confroc.exact.tpr_pmf(ONE, fpr=[0.2, 0.4]),
}  # fmt: skip
NAMES = [*(n for n in FUNCTIONS if n not in ARRAYS), *(n for n in MADE if n not in FUNCTIONS), *OTHERS]


def found(name: str) -> Any:
    return OTHERS[name] if name in OTHERS else made(name)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed_is_a_short_table_with_its_claims(name: str) -> None:
    result = found(name)
    text = str(result)
    assert len(text.splitlines()) <= LINES, text
    assert max(map(len, text.splitlines())) <= COLUMNS, text
    assert not RAW.search(text)
    if not isinstance(result, results.Inference):
        return
    html = result._repr_html_()
    words = text.replace("\n  ", " ")
    for claim in (str(result.method), result.kind, result.guarantee):
        assert str(claim) in html
    assert str(result.method).replace("_", " ") in words.replace("_", " ")
    if not math.isnan(result.confidence_level):
        assert results.percent(result.confidence_level) in words
        assert results.percent(result.confidence_level) in html
    if result.headline == result.table().heading:
        assert str(result.kind) in words
        assert f"guarantee: {result.guarantee}" in words
    else:
        # One number in a sentence: an interval for it alone, unless the sentence says that there are others.
        together = result.kind == "simultaneous"
        assert ("simultaneous" in words or words.startswith("all ")) == together
    for note in result.notes:
        assert note[:40] in words
        assert re.sub("<[^>]*>", "", html).count(shown.escape(note)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_repr_is_one_line(name: str) -> None:
    result = found(name)
    line = repr(result)
    assert "\n" not in line
    assert not RAW.search(line)
    if isinstance(result, results.Inference):
        assert str(result.method) in line
        assert math.isnan(result.confidence_level) or results.percent(result.confidence_level) in line


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(found(name), "to_latex")])
def test_latex_holds_the_cells_of_the_table(name: str) -> None:
    result = found(name)
    if isinstance(result, results.Result):
        text = result.to_latex(booktabs=True)
        for rule in ("top", "mid", "bottom"):
            text = text.replace(rf"\{rule}rule", r"\hline")
        assert text == result.to_latex()
    said = result.to_latex().splitlines()
    lines = [line for line in said if not line.startswith("% ")]
    first, last = lines.pop(0), lines.pop()
    assert (lines.pop(0), lines.pop(), last) == (r"\hline", r"\hline", r"\end{tabular}")
    (sides,) = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", first).groups()
    rows = [re.split("(?<!\\\\) & ", line.removesuffix(r" \\")) for line in lines if line != r"\hline"]
    assert {len(row) for row in rows} == {len(sides)}
    # Nothing that LaTeX would read as a command is left.
    for cell in (cell for row in rows for cell in row):
        plain = re.sub(r"\\(text\w+|dots)\{\}|\$(-|<|\\le|\\infty)\$|\\[&%$#_{}]", "", cell)
        assert not re.search(r"[\\&%$#_{}~^]", plain), cell
    if isinstance(result, results.Result) and not result._sentence():
        table = result.table(most=None)
        limits = {name for trio in shown.with_limits([*table.columns]) for name in trio[1:]}
        names = [name for name in table.columns if name not in limits]
        upright = table._replace(columns={name: table.columns[name] for name in names}).upright
        columns = dict(zip(names, rows if upright else zip(*rows, strict=True), strict=True))
        for name in names:
            values = table.columns[name]
            head, *cells = (re.sub(r"\\([&%$#_{}])", r"\1", cell) for cell in columns[name])
            if name + "_lower" in limits or head.endswith("CI)"):
                head, _, interval = head.rpartition(" (")
                assert re.fullmatch(r"(\d+(\.\d+)?% )?(simultaneous )?CI\)", interval)
            assert (head.replace("$-$", "-").casefold(), len(cells)) == (
                name.replace("_", " ").replace("pvalue", "p-value").casefold(),
                len(values),
            )
            words = [(v, cell) for v, cell in zip(values, cells, strict=True) if isinstance(v, str)]
            assert name == "metric" or all(v == cell for v, cell in words)


def test_latex_rounds_no_threshold() -> None:
    scores = Scores([0] * 30 + [1] * 30, [*np.arange(30) / 200 + 0.005, *np.arange(15, 45) / 200])
    best = confroc.best_threshold(scores, false_negative=4, rng=1)
    (row,) = (line for line in best.to_latex().splitlines() if "&" in line and "CI" not in line)
    cost, threshold, optimism, without, *_ = row.split(" & ")
    ends = (best.threshold, best.threshold_lower, best.threshold_upper)
    assert [float(end) for end in re.findall(r"[\d.]+", threshold)] == pytest.approx(ends, rel=1e-6)
    digits = {
        len(number.split()[0].replace("$-$", "").partition(".")[2]) for number in (cost, optimism, without)
    }
    assert len(digits) == 1


def test_latex_escapes_names() -> None:
    odd = "50% of_A&B $x^2 {#1} ~\\"
    scores = PairedScores([1, 1, 0, 0], {odd: [4, 2, 3, 1], "b": [4, 1, 3, 2], "c": [4, 3, 2, 1]})
    text = confroc.auc_comparison(scores).to_latex()
    assert r"50\% of\_A\&B \$x\textasciicircum{}2 \{\#1\} \textasciitilde{}\textbackslash{}" in text


@pytest.mark.parametrize("name", NAMES)
def test_table_frame_and_dict_agree(name: str) -> None:
    result = found(name)
    if not isinstance(result, results.Result):
        return
    frame, table, plain = result.to_frame(), result.table(most=None), result.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    for claim in ("method", "kind", "guarantee", "confidence_level"):
        if hasattr(result, claim):
            own = getattr(result, claim)
            assert plain[claim] == (str(own) if claim == "method" else finite(own))
    if not isinstance(result, results.Band):
        assert max(map(len, table.columns.values())) == len(frame)
        attributes = {printed: own for own, printed in result._printed.items()}
        for column, values in table.columns.items():
            column = attributes.get(column, column)
            plainly = [float(v) if isinstance(v, shown.Place) else v for v in values]
            assert list(map(shown.cell, plainly)) == list(map(shown.cell, frame[column].tolist()))
    # The smallest p-value that resamples can show is marked where a p-value is that one.
    # What is not in the table stands below it, once: it is the same in all rows.
    printed = {result._printed.get(column, column) for column in frame}
    for column in printed - set(table.columns) - {"least_pvalue", ""}:
        assert len(set(map(str, frame[column]))) == 1
        assert column in ("confidence_level", "notes", *confroc.results.base.CLAIMS)


def test_a_column_that_tells_rows_apart_is_always_shown() -> None:
    class Methods(results.Intervals):
        def _columns(self) -> dict[str, Any]:
            return {**super()._columns(), "method": ["wald", "wilson"], "kind": [self.kind, self.kind]}

    one = confroc.tpr_at_fpr(ONE, fpr=[0.2, 0.4])
    both = Methods(**{f.name: getattr(one, f.name) for f in dataclasses.fields(one)})
    assert both.table().columns["method"] == ["wald", "wilson"]
    assert "kind" not in both.table().columns
    assert "wilson" in both._repr_html_()
    text = str(AUDIT)
    assert "method_17" in text
    assert "(30 rows, 10 shown; not shown: error, at" in text
    assert "error" in AUDIT._repr_html_()
    assert '<td class="words short">method_17</td>' in AUDIT._repr_html_()
    # Rows that are left out may differ from those shown.
    cut = shown.Table("t", {"at": [1, 2], "by": ["x", "x"]}, total=3)
    assert "by" in shown.joined("all", {"m": cut}).columns
    assert "by" not in shown.joined("all", {"m": cut._replace(total=2)}).columns


def test_columns_without_room_go_below_the_others() -> None:
    columns: dict[str, Any] = {f"column {c:09d}": range(8) for c in range(8)}
    wide = shown.Table("t", {"name": [f"row {i}" for i in range(8)]} | columns, 8)
    lines = shown.as_text(wide, wide=COLUMNS).splitlines()
    assert max(map(len, lines)) <= COLUMNS
    assert [line.split()[:1] for line in lines].count(["name"]) == 2
    assert lines.count("") == 1
    assert all(f"column {c:09d}" in " ".join(lines) for c in range(8))  # fmt: skip


def test_rectangles_say_the_level_of_their_sides() -> None:
    joint = "95% pointwise: joint region in each row (97.5% per rate); method"
    region = confroc.rates_at_threshold(ONE, threshold=0.5, joint=True)
    assert joint in str(region).replace("\n ", "")
    assert "95% pointwise for each rate; method" in str(OTHERS["separate sides"])
    assert str(OTHERS["separate sides"]).startswith("Regions: fpr, tpr")
    html = region._repr_html_()
    assert joint in html
    assert "each by itself" not in html


def test_laws_and_pairs_of_arrays_are_tuples_and_tables() -> None:
    support, pmf = law = confroc.exact.tpr_pmf(ONE, fpr=0.3)
    assert law.support is support
    assert law == (support, pmf)
    assert isinstance(law.to_frame(), pd.DataFrame)
    assert law.to_frame()["probability"].tolist() == pmf.tolist()
    joint = confroc.exact.joint_threshold_pmf(PAIR, fpr=0.3)
    (a, b), masses = joint
    table = joint.to_frame()
    best = table.loc[table["probability"].idxmax()]
    assert masses[a == best["a"], b == best["b"]] == masses.max()
    assert "10 shown" in str(joint)
    kept = confroc.aligned_thresholds(PAIR, threshold_a=[0.2, 0.6])
    assert kept.to_frame()["threshold_b"].tolist() == kept[1].tolist()
    found = confroc.confusion_at_threshold(ONE, threshold=0.6)
    assert list(found.table().columns) == ["metric", "estimate", "lower", "upper"]
    assert str(found).startswith("Confusion matrix at threshold 0.6\n")
    assert f"TP {found.tp}, FP {found.fp}" in str(found)
    assert "Number needed to evaluate" in found._repr_html_()


def test_one_model_is_a_line_and_many_are_a_table() -> None:
    assert repr(ONE).startswith("Scores(n_pos=14, ")
    assert "\n" not in repr(THREE)
    assert LONG[4] in repr(FIVE)
    assert Scores([1, 0], [2, 1]) in UnpairedScores(ONE, Scores([1, 0], [2, 1])).samples
    assert "(12 rows, 10 shown)" in str(OTHERS["many groups"])


@pytest.mark.parametrize(
    ("column", "heading", "label"),
    [("rel", "rel", "rel = 3"), ("auc", "group", "group 3"), ("lower", "group", "group 3")],
)
def test_groups_are_called_as_their_column_is(column: str, heading: str, label: str) -> None:
    frame = pd.DataFrame({"y": Y, "s": RNG.normal(size=150) + Y, column: [1, 2, 3] * 50})
    groups = confroc.read_scores(frame, label="y", score="s", group=column)
    compared = confroc.auc_comparison(groups[["1", "3"]])
    assert next(iter(compared.table().columns)) == heading
    assert column in groups._repr_html_()
    few = confroc.auc_comparison(groups["1", "2", "3"])
    assert next(iter(few.table().columns)) == heading
    ax = Figure().add_subplot()
    compared.intervals.plot(ax=ax)
    assert ax.get_yticklabels()[1].get_text() == label
    compared.plot(ax=ax)
    assert {t.get_text()[3:] for t in ax.get_yticklabels()} == {label, label.replace("3", "1")}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ((0.9, 0.875, 0.9231), "0.9000 0.8750 0.9231"),
        ((0.043, 0.0, 0.323), "0.043 0.000 0.323"),
        ((-0.02190, -0.1111, 0.06791), "-0.0219 -0.1111 0.0679"),
        ((0.0091234, 0.00812, 0.01), "0.00912 0.00812 0.01000"),
        ((0.5, 0.0, 1.0), "0.5 0.0 1.0"),
        ((0.0, 0.0, 0.0), "0 0 0"),
        ((12.345, 1.5, 20.0), "12.35 1.50 20.00"),
        ((0.1, math.nan, 0.25), "0.10 – 0.25"),
        ((1e-7, 0.0, 0.1), "1e-07 0 0.1"),
        ((1, 0, 2), "1 0 2"),
    ],
)
def test_an_estimate_and_its_bounds_have_as_many_digits(row: tuple[float, ...], told: str) -> None:
    columns = {name: [value] for name, value in zip(("x", "x_lower", "x_upper"), row, strict=True)}
    assert " ".join(text for (text,) in shown.texts(columns).values()) == told


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ([-0.0486, -0.03371], "-0.04860 -0.03371"),
        ([0.1585, 0.02497, 0.009691], "0.1585 0.0250 0.0097"),
        ([0.5122, 12.3], "0.5122 12.3000"),
        ([0.22, 11.0], "0.22 11.00"),
        ([7968.25, 3.0], "7968.25 3.00"),
        ([4.025e-7, 0.03499], "4.025e-07 0.03499"),
        ([4572, 7], "4572 7"),
        ([shown.AtMost(0.0004998), 0.03], "≤ 0.00050 0.03000"),
    ],
)
def test_a_column_has_one_number_of_decimals(column: list[float], told: str) -> None:
    assert " ".join(shown.texts({"x": column})["x"]) == told


def test_long_names_lose_what_they_share() -> None:
    rows = str(COMPARED.differences).splitlines()[2:12]
    assert len({tuple(row.split("  ")[:2]) for row in rows}) == 10
    assert "…osting, 400 trees…" in rows[1]


@pytest.mark.parametrize(
    ("level", "text"),
    [
        (0.95, "95%"),
        (0.999, "99.9%"),
        (1.0 - 1e-9, "99.9999999%"),
        (0.95**0.5, "97.5%"),
        (0.8**0.5, "89.4%"),
        (1.0 - 0.05 / 3, "98.3%"),
        (1.0 - 1e-5 / 3, "99.99967%"),
    ],
)
def test_a_level_that_was_computed_is_rounded(level: float, text: str) -> None:
    assert results.percent(level) == text


def test_a_side_of_a_region_says_the_level_that_the_region_says() -> None:
    region = confroc.rates_at_threshold(Scores([1, 0, 1, 0], [4, 3, 2, 1]), threshold=2, joint=True)
    assert "(97.5% per rate);" in str(region)
    assert "97.5%; pointwise" in str(region.tpr)


def test_small_p_values_are_printed_as_bounds_and_kept_in_full() -> None:
    counts = ([170, 20, 10], [10, 20, 170]), ([70, 70, 60], [60, 70, 70]), ([65, 75, 60], [60, 70, 70])
    groups = [Scores.from_counts([3.0, 2.0, 1.0], pos=pos, neg=neg) for pos, neg in counts]
    compared = confroc.auc_comparison(UnpairedScores(*groups))
    least = compared.differences.pvalue.min()
    assert 0.0 < least < 1e-4
    assert f"{least:.4g}" not in str(compared.differences)
    assert "<0.0001" in str(compared.differences)
    assert "$<$0.0001" in compared.differences.to_latex()
    assert least in compared.differences.to_frame()["pvalue"].tolist()
    assert shown.pvalue(9.9e-5) == "p < 0.0001"
    assert shown.pvalue(0.00012) == "p = 0.00012"
    assert shown.texts({"pvalue": [0.03, float("nan")]})["pvalue"] == ["0.03", "–"]


@given(st.floats(allow_nan=False, allow_infinity=False, width=64), st.booleans())
def test_a_printed_threshold_keeps_its_case(value: float, turned: bool) -> None:
    at = -shown.Place(-value) if turned else shown.Place(value)
    printed = float(at.text)
    assert printed >= value if turned else printed <= value
    if value and abs(value) > 1e-300:
        assert abs(printed / value - 1.0) < 1.1e-6


def test_printed_thresholds_have_the_rates_printed_next_to_them() -> None:
    rng = np.random.default_rng(4)
    y = np.repeat([1, 0], [90, 110])
    for score in (rng.random(200) * 1e-3 + 1e-4 * y, 50.0 * rng.standard_normal(200) + y):
        scores = Scores(y, score)
        for found in (confroc.threshold_at(scores, tpr=0.9), confroc.threshold_at(scores, fpr=0.2)):
            row = found.table().columns
            for name in ("attained_tpr", "attained_fpr"):
                rates = confroc.rates_at_threshold(scores, threshold=float(row["threshold"][0].text))
                assert row[name][0] == getattr(rates, name[-3:]).estimate[0]


def test_latex_of_two_models_has_their_difference_in_the_same_column() -> None:
    data = [
        "examples/asah.csv",
        "--label",
        "outcome",
        "--pos-label",
        "Poor",
        "--score",
        "s100b",
        "--score",
        "ndka",
    ]
    lines = invoke(main, ["compare", *data, "--latex"]).stdout.splitlines()
    (row,) = (line for line in lines if line.startswith("s100b - ndka"))
    assert row.startswith("s100b - ndka & 0.119 ($-$0.051 to 0.290) & ")
    many = invoke(main, ["compare", *data, "--score", "wfns", "--latex"]).stdout
    assert r"AUC (95\% simultaneous CI)" in many


def test_a_band_for_a_range_is_informative_at_its_ends() -> None:
    part = confroc.roc_band(ONE, fpr=(0.2, 0.6), rng=0)
    row = part.table().columns
    assert (row["fpr"][0], row["fpr"][-1]) == (0.2, 0.6)
    at, low, high = part._inside()
    assert (at[0], at[-1]) == (0.2, 0.6)
    for end in (0, -1):
        assert (row["lower"][end], row["upper"][end]) == (low[end], high[end])
        assert high[end] - low[end] < 1.0
