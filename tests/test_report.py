"""The report: its numbers are the library's, its page is sound, its files are written whole."""

from __future__ import annotations

import base64
import hashlib
import inspect
import json
import math
import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import confroc
from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    ScoreStream,
    UnpairedScores,
    auc_comparison,
    auc_forecast,
    auc_interval,
    average_precision,
    cost_curve,
    expected_cost,
    rates_at_threshold,
    rates_difference_at_positive_rate,
    roc_band,
    roc_difference_band,
    tpr_at_fpr,
)
from confroc._files import finite
from confroc.cli import main
from confroc.cost import cost_band, expected_cost_difference, lower_envelope
from confroc.methods import FAMILIES, PAPERS
from confroc.pages import Report, ReportData, build_report, curves, explained, section
from confroc.pages.section import ENDS
from confroc.pages.thresholds import cheapest_rows, operating_points, thresholds
from confroc.pages.words import amounts, same_rule, threshold
from support import invoke

pytestmark = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
VOID = {"meta", "br", "hr", "img", "input", "link", "col", "wbr"}


def data_of(y: Any, columns: dict[str, Any], **more: Any) -> ReportData:
    models = {name: Scores(y, s) for name, s in columns.items()}
    scores = PairedScores(y, *columns.values(), names=list(columns)) if len(columns) > 1 else None
    fields = {"source": "data/scores.csv", "label": "outcome", "positive": "1", "negative": "0"}
    return ReportData(
        **fields | {"n_rows": len(y), "n_dropped": 0, "models": models, "scores": scores} | more
    )


def only(data: ReportData, *names: str) -> ReportData:
    """The same data with these models alone."""
    assert data.scores is not None
    scores = data.scores[names]
    return replace(data, models=dict(scores.items()), scores=scores)


@pytest.fixture(scope="module")
def asah_data(asah: dict[str, np.ndarray]) -> ReportData:
    columns = {c: asah[c] for c in ("s100b", "ndka", "wfns")}
    return data_of((asah["outcome"] == "Poor").astype(int), columns, positive="Poor", negative="Good")


@pytest.fixture(scope="module")
def asah_report(asah_data: ReportData) -> Report:
    return build_report(asah_data)


class Sound(HTMLParser):
    """Checks that tags balance, identifiers are unique and references lead somewhere."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.wanted: list[str] = []
        self.outside: list[str] = []
        self.text: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(str(value))
            elif name in ("src", "href") and value:
                (self.wanted if value.startswith("#") else self.outside).append(value.lstrip("#"))
            elif name in ("aria-labelledby", "for"):
                self.wanted += str(value).split()
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["script"]:
            self.text.append(data)


def check_page(html: str) -> Sound:
    page = Sound()
    page.feed(html)
    page.close()
    assert not page.open
    assert len(page.ids) == len(set(page.ids))
    assert set(page.wanted) <= set(page.ids)
    # Only citations lead outside, and nothing is loaded from there.
    assert all(url.startswith("https://doi.org/") for url in page.outside)
    bare = re.sub(r"(<script[^>]*>).*?</script>", r"\1", html, flags=re.DOTALL)
    assert not re.search(r"<(link|iframe|img)[\s>]|\bsrc=|@import|\son[a-z]+=", bare)
    # The numbers and the script, which the policy admits by its digest.
    numbers = '<script type="application/json" id="confroc-numbers">'
    assert re.findall(r"<script[^>]*>", bare) == [numbers, "<script>"]
    (script,) = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'\">" in html
    assert page.tags.count("h1") == 1
    return page


def embedded(html: str) -> Any:
    """What the script reads."""
    found = re.search(r'id="confroc-numbers">(.*?)</script>', html, flags=re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_numbers_are_the_librarys(asah_data: ReportData, asah_report: Report) -> None:
    content = asah_report.to_dict()
    for row in content["auc"]:
        expected = auc_interval(asah_data.models[row["model"]])
        assert (row["estimate"], row["lower"], row["upper"]) == (
            expected.estimate,
            expected.lower,
            expected.upper,
        )
    found = auc_comparison(asah_data.scores, rng=0)
    assert content["comparison"]["differences"] == finite(found.differences.to_dict())
    assert content["comparison"]["intervals"] == finite(found.intervals.to_dict())
    assert content["comparison"]["may_be_best"] == list(found.may_be_best)
    assert content["comparison"]["ranking"] == ["wfns", "s100b", "ndka"]
    assert len(content["comparison"]["curves"]) == 3
    for row in content["comparison"]["curves"]:
        pair = asah_data.scores[row["a"], row["b"]]
        # Three pairs are compared, each so that all three intervals hold together.
        same = rates_difference_at_positive_rate(
            pair, positive_rate=41 / 113, confidence_level=1.0 - 0.05 / 3
        )
        assert row["same_share"]["tpr"]["lower"] == pytest.approx(same.tpr.lower.tolist(), abs=1e-12)
        assert row["same_share"]["at"] == [41 / 113]
    points = [p for p in content["tpr_at_fpr"] if p["model"] == "s100b"]
    expected_points = tpr_at_fpr(asah_data.models["s100b"], fpr=[0.05, 0.10])
    assert [p["fpr"] for p in points] == [0.05, 0.10]
    for end in ("estimate", "lower", "upper"):
        assert [p[end] for p in points] == pytest.approx(getattr(expected_points, end).tolist(), abs=1e-12)
    for row in content["average_precision"]:
        found = average_precision(asah_data.models[row["model"]])
        assert (row["estimate"], row["lower"], row["upper"]) == (found.estimate, found.lower, found.upper)
    band = roc_band(asah_data.models["s100b"], rng=0)
    shown = content["curves"][0]["band"]
    assert np.isin(shown["upper"], band.upper).all()
    assert shown["kind"] == "simultaneous"


def test_nothing_is_said_of_a_wider_band_where_the_usual_one_is_drawn(asah_report: Report) -> None:
    page = asah_report.to_html()
    assert "Differences between the ROC curves" in page
    assert "quicker, wider band" not in page


def test_page_is_sound_and_says_what_was_done(asah_report: Report) -> None:
    report = asah_report
    page = check_page(report.to_html())
    text = " ".join(" ".join(page.text).split())
    for words in (
        "113",
        "Poor",
        "score_delong",
        "simultaneous",
        "asymptotic",
        "Citation",
        "Adjusted p",
        "max-t",
        "closed test",
        "98.333% each",
        "If each model predicts 36.3% of the cases positive (the prevalence), the difference in true "
        "positive rate is 0.146 (simultaneous 95% CI",
    ):
        assert words in text
    assert "s100b − ndka" in text
    assert "simultaneous 95% CIs (score_delong, paired)" in text
    assert len(report.to_html()) < 1_000_000
    assert embedded(report.to_html()) == {n: report.to_dict()[n] for n in ("thresholds", "recommended")}


@pytest.mark.parametrize("ending", ["pdf", "docx", "JSON", "csv"])
def test_a_report_is_a_page(tmp_path: Path, ending: str) -> None:
    with pytest.raises(ValueError, match=r"`path` must name the HTML page; .* Give it the ending .html"):
        confroc.report(Scores([0, 1], [1, 2]), path=tmp_path / f"report.{ending}")
    assert not [*tmp_path.iterdir()]


@pytest.mark.slow
@pytest.mark.parametrize("names", [("s100b", "ndka"), ("s100b",)])
def test_python_writes_the_page_of_the_command_line(tmp_path: Path, names: tuple[str, ...]) -> None:
    file = str(Path("examples/asah.csv").resolve())
    words: dict[str, Any] = {
        "title": "T",
        "description": "one\n\ntwo",
        "jeffreys": 0.2,
        "confidence_level": 0.9,
    }
    words |= {"false_negative": 3.0, "false_positive": 1.0}
    typed = [f"--{name.replace('_', '-')}={value}" for name, value in words.items()]
    read: dict[str, Any] = {"label": "outcome", "pos_label": "Poor"}
    scores = confroc.read_scores(file, score=names if len(names) > 1 else names[0], **read)
    source = ""
    if len(names) > 1:
        typed += ["--threshold", "0.3", "--threshold", "12"]
        words["threshold"] = {"s100b": 0.3, "ndka": 12.0}
    else:
        # All cases but the last.
        source = str(tmp_path / "earlier.csv")
        lines = Path(file).read_text(encoding="utf-8").splitlines(keepends=True)
        Path(source).write_text("".join(lines[:-1]), encoding="utf-8")
        typed += ["--validation", source]
        words |= {"validation": confroc.read_scores(source, score=names[0], **read), "names": names}
    page = tmp_path / "a.html"
    columns = [f"--score={name}" for name in names]
    columns += ["--label", "outcome", "--pos-label", "Poor"]
    done = invoke(main, ["report", file, *columns, *typed, "-o", str(page)])
    assert done.exit_code == 0, done.output
    made = confroc.report(scores, path=tmp_path / "b.html", positive="Poor", negative="Good", **words)
    html, kept = (page.with_suffix(e).read_text(encoding="utf-8") for e in (".html", ".json"))
    check_page(html)
    # All but the command, where the cases come from, and the date.
    told = json.loads(kept)
    data = replace(made.data, source=file, label="outcome", command=told["command"], validation_source=source)
    places = {"data": curves.cases(data), "thresholds": thresholds(data)}
    same = replace(
        made,
        data=data,
        sections=tuple(places.get(part.key, part) for part in made.sections),
        created=datetime.fromisoformat(told["created"]),
    )
    assert same.to_dict() == told
    assert same.to_html() == html
    assert "Class column" not in (tmp_path / "b.html").read_text(encoding="utf-8")


def test_a_report_from_scores_names_its_models(tmp_path: Path, asah_data: ReportData) -> None:
    pair = only(asah_data, "s100b", "ndka").scores
    assert pair is not None
    one = confroc.report(pair.a, path=tmp_path / "one.html")
    assert one.headlines[0].startswith("model: AUC 0.731")
    assert one.data.heading == "ROC report: model"
    assert str(one) == "\n".join(one.headlines)
    assert repr(one) == f"<Report 'ROC report: model' in {str(tmp_path / 'one.html')!r}>"
    assert 'href="a%20%231%2050%25.html"' in replace(one, page=Path("a #1 50%.html"))._repr_html_()
    shown = replace(one, data=replace(one.data, title="<b>"))._repr_html_()
    assert shown.startswith(
        f'<div><a href="{(tmp_path / "one.html").as_posix()}" target="_blank"><strong>&lt;b'
    )
    assert "<li>model: AUC 0.731" in shown
    for names in ("ab", ["a", "b"], []):
        with pytest.raises(ValueError, match=r"`names` must (have a name for each|be a list)"):
            confroc.report(pair.a, path=tmp_path / "bad.html", names=names)
    groups = UnpairedScores(pair.a, pair.b, names=["north", "south"])
    wrong: tuple[Any, ...] = (groups, [0, 1], {"a": pair.a, "b": pair.b}, [pair.a, pair.b], "asah.csv")
    for scores in wrong:
        rule = f"must be a Scores or a PairedScores; got '{type(scores).__name__}'. Write report(y_true, "
        with pytest.raises(TypeError, match=re.escape(rule)):
            confroc.report(scores, path=tmp_path / "bad.html")
    assert not (tmp_path / "bad.html").exists()


def entries(bibtex: str) -> dict[str, dict[str, str]]:
    """Read BibTeX: fields by key, "ENTRYTYPE" one of them; braces must balance."""
    found = {}
    for kind, key, body in re.findall(r"@(\w+)\{([\w-]+),\n(.*?)\n\}\n", bibtex, flags=re.DOTALL):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", body, flags=re.MULTILINE))
        assert len(fields) == len(body.splitlines())
        for text in fields.values():
            depth = [text[:i].count("{") - text[:i].count("}") for i in range(len(text) + 1)]
            assert min(depth) == depth[-1] == 0
            assert not re.search(r"(?<!\\)[&%$#_]", text) or "10." in text
        found[key] = fields | {"ENTRYTYPE": kind}
    assert bibtex.count("@") == len(found)
    return found


def test_every_paper_is_an_entry_for_bibtex() -> None:
    for key, paper in PAPERS.items():
        ((name, fields),) = entries(paper.bibtex(key)).items()
        assert name == key
        assert {"author", "title", "year"} <= fields.keys()
        assert fields["year"] == re.search(r"\((\d{4})\)", paper.text)[1]  # type: ignore[index]
        assert fields.get("doi", "") == paper.doi
        assert "howpublished" not in fields or key == "morin2018"
        in_journal = re.search(r" \d+\(\d+[^)]*\), [\w–]+\.$", paper.text) is not None
        assert not in_journal or {"journal", "volume", "pages"} <= fields.keys()
        assert paper.text.isascii() or all(fields[name].isascii() for name in fields)
        assert paper.cited.endswith(f", {fields['year']}")
    for key, kind, more in (
        ("delong1988", "article", {"journal": "Biometrics", "volume": "44", "pages": "837--845"}),
        ("hsu1996", "book", {"publisher": r"Chapman \& Hall", "address": "London"}),
        ("bertail2008", "inproceedings", {"pages": "137--144"}),
        (
            "bertail2008",
            "inproceedings",
            {"booktitle": "Advances in Neural Information Processing Systems 21"},
        ),
        ("dugas2009", "techreport", {"type": "CRM Working Paper", "number": "3284"}),
        (
            "newcombe1998",
            "article",
            {"doi": "10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I"},
        ),
    ):
        fields = entries(PAPERS[key].bibtex(key))[key]
        assert (fields["ENTRYTYPE"], fields | more) == (kind, fields)
    known = entries(PAPERS["bertail2008"].bibtex("b"))["b"]
    assert known["author"] == r"Bertail, P. and Cl{\'e}men{\c c}on, S. and Vayatis, N."
    assert PAPERS["delong1988"].cited == "DeLong et al., 1988"
    assert PAPERS["hanley1982"].cited == "Hanley & McNeil, 1982"
    both = explained.citations(["dugas2009", "dugas2009cost", "wilson1927"])
    assert [text[-5:] for text in both.values()] == ["2009a", "2009b", " 1927"]


def test_the_paragraph_on_methods_names_what_the_summary_shows(asah_report: Report) -> None:
    content, data = asah_report.to_dict(), asah_report.data
    paragraph, known = content["methods_paragraph"], entries(content["bibtex"])
    for words in (
        "We evaluated s100b, ndka and wfns on 113 cases (41 Poor, 72 Good). We computed 95% confidence ",
        confroc.__version__,
        "intervals of the AUC (score interval with DeLong's variance; DeLong et al., 1988; Hanley & McNeil, "
        "1982), average precision (logit interval corrected for bias; Boyd et al., 2013)",
        "calibrated by the smoothed bootstrap; Bertail et al., 2008).",
        "have simultaneous intervals (max-t) and p-values adjusted by a closed test (Blanche et al., 2022).",
        "with random seed 0.",
    ):
        assert words in paragraph
    assert len(paragraph.split()) <= 150
    for row in content["methods"]:
        for key in FAMILIES[row["topic"]].papers_of(row["method"]):
            assert key in known
    assert len(known) == len(content["citation"]["papers"]) + 1
    cff = Path("CITATION.cff").read_text(encoding="utf-8")
    assert f'title: "{known["confroc"]["title"].strip("{}")}"' in cff
    assert f"name: {known['confroc']['author'].strip('{}')}\n" in cff
    assert known["confroc"]["ENTRYTYPE"] == "software"
    assert f"(c) {known['confroc']['year']}, The confroc developers" in Path("LICENSE").read_text()
    assert f"version: {known['confroc']['note'].rpartition(' ')[2]}\n" in cff
    given = replace(data, threshold={"s100b": 0.2, "ndka": 12.0, "wfns": 4.0}, n_dropped=2)
    told = explained.methods_paragraph(given, asah_report.sections, dict.fromkeys(PAPERS, ""))
    assert "Thresholds were fixed beforehand: 0.2 for s100b, 12 for ndka, 4 for wfns." in told
    assert "2 rows without a label or a score were left out." in told
    costs = {"false_negative": 5.0, "false_positive": 1.0, "prior": 0.1}
    with pytest.raises(
        ValueError, match="`validation` must contain other cases than those evaluated; got 'the same cases'"
    ):
        replace(data, validation=data.scores)
    earlier = PairedScores([0, 1, 1], *3 * [[1, 2, 3]], names=data.scores.names)
    other = replace(data, validation=earlier, **costs)
    told = explained.methods_paragraph(other, asah_report.sections, dict.fromkeys(PAPERS, ""))
    condition = "(false-negative cost 5, false-positive cost 1, prevalence 10%)"
    assert f"{condition} and were chosen on 3 other cases." in told


@pytest.mark.parametrize(
    ("labels", "called"),
    [
        (("1", "0"), ("positive", "negative")),
        ((">50K", "<=50K"), ("positive", "negative")),
        (("yes", "no"), ("positive", "negative")),
        (("bad", "good, unknown"), ("positive", "negative")),
        (("very bad", "good"), ("very bad", "good")),
    ],
)
def test_cases_are_called_by_labels_that_are_words(labels: tuple[str, str], called: tuple[str, str]) -> None:
    scores = Scores.from_counts([1, 2, 3], pos=[50, 60, 1100], neg=[80, 30, 10])
    data = ReportData(
        models={"m": scores}, n_rows=1330, n_dropped=0, label="risk", positive=labels[0], negative=labels[1]
    )
    made = build_report(data)
    text = " ".join(unescape(re.sub(r"<[^>]*>", " ", made.to_html())).split())
    pos, neg = called
    coded = f" (risk = {labels[0]})" if called != labels else ""
    assert f"1,210 {pos}{coded}, 120 {neg} " in text
    heads = called if called == labels else [f"risk = {label}" for label in labels]
    assert f"Predicted positive Predicted negative Actual {heads[0]} Actual {heads[1]} " in text
    told = f"(1,210 {pos}{coded.replace('(', '[').replace(')', ']')}, 120 {neg})"
    assert told in made.to_dict()["methods_paragraph"]


def test_what_holds_at_every_rate_is_told_once() -> None:
    hard = Scores.from_counts([1.0, 0.0], pos=[60, 20], neg=[15, 85])
    made = build_report(ReportData(models={"hard": hard}, n_rows=180, n_dropped=0))
    told = [note["text"] for note in made.to_dict()["notes"]]
    assert sum("predicted classes" in text for text in told) == 1


def test_rates_that_no_threshold_attains_are_noted() -> None:
    # Levels end at false positive rates of 0, 0.05, 0.06 and 1.
    coarse = Scores.from_counts([4.0, 3.0, 2.0, 1.0], pos=[3, 40, 10, 7], neg=[0, 5, 1, 94])
    fine = Scores.from_counts(np.arange(160.0)[::-1], pos=[1, 0] * 60 + [0] * 40, neg=[0, 1] * 60 + [1] * 40)
    made = build_report(ReportData(models={"coarse": coarse, "fine": fine}, n_rows=160, n_dropped=0))
    (note,) = [note for note in made.notes if "between tied scores" in note]
    assert note.startswith("coarse: The rate is interpolated between tied scores")


@pytest.mark.slow
def test_thresholds_of_a_turned_column_are_told_in_its_own_numbers(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    y = rng.random(200) < 0.4
    path = tmp_path / "points.csv"
    rows = (
        f"{int(of)},{500.0 - 60.0 * of + e:.3f}" for of, e in zip(y, rng.normal(0.0, 50.0, 200), strict=True)
    )
    path.write_text("\n".join(["y,points", *rows, ""]))
    typed = ["report", str(path), "--label", "y", "--score=-points", "-o", str(tmp_path / "a.html")]
    done = invoke(main, typed)
    found = re.search(r"Recommended: points ≤ ([\d.]+) \(equal", done.output)
    assert found is not None
    page = (tmp_path / "a.html").read_text()
    assert f">≤ {found[1]}</td>" in page
    assert "-points" not in page.partition("<footer")[0]
    # As is a threshold that is given.
    asked = invoke(main, [*typed, "--threshold", "450"]).output
    assert "Given: points ≤ 450 (equal error costs assumed). TPR 0." in asked
    asked = invoke(main, [*typed, "--threshold=-450"]).output
    assert "Given: points ≤ -450, which predicts everyone negative (equal" in asked
    # Nobody is called positive where false alarms cost too much and the fewest points are a negative's.
    path.write_text(f"{path.read_text()}0,0\n")
    invoke(main, [*typed, "--false-negative", "1", "--false-positive", "1000", "--force"])
    page = (tmp_path / "a.html").read_text()
    assert "below every score" in page
    assert "points ≤" not in page


def test_same_data_same_report() -> None:
    when = datetime(2026, 1, 2, tzinfo=UTC)
    rng = np.random.default_rng(0)
    data = data_of(np.repeat([0, 1], 20), {"m": rng.normal(size=40)})
    one, two = (build_report(data, created=when) for _ in range(2))
    assert one.to_html() == two.to_html()
    assert one.to_json() == two.to_json()


def test_names_are_escaped_everywhere() -> None:
    wicked = "<script>alert('x')</script> & \"q\" $a_b$"
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    columns = {wicked: rng.normal(size=40) + y, "b & <b>": rng.normal(size=40)}
    data = data_of(y, columns, source=wicked, label=wicked, positive=wicked, negative="<i>", command=wicked)
    report = build_report(data)
    page = check_page(report.to_html())
    assert "".join(page.text).count(wicked) >= 4
    assert embedded(report.to_html()) == {n: report.to_dict()[n] for n in ("thresholds", "recommended")}


CASES = {
    "perfect separation": (np.repeat([0, 1], 30), {"m": np.arange(60.0)}),
    "all scores equal": (np.repeat([0, 1], 30), {"m": np.zeros(60)}),
    "below one half": (np.repeat([1, 0], 30), {"m": np.arange(60.0)}),
    "five negatives": (np.repeat([0, 1], [5, 40]), {"m": np.r_[1:6, 3:43].astype(float)}),
    "two perfect models": (np.repeat([0, 1], 30), {"a": np.arange(60.0), "b": np.arange(60.0) ** 2}),
    "three cases": (np.array([0, 1, 1]), {"m": np.array([1.0, 2.0, 0.5])}),
}


@pytest.mark.parametrize("case", CASES)
def test_hard_cases_make_honest_reports(case: str) -> None:
    y, columns = CASES[case]
    report = build_report(data_of(y, columns))
    check_page(report.to_html())
    content = json.loads(report.to_json(), parse_constant=lambda word: pytest.fail(f"JSON holds {word}"))
    for row in content["auc"]:
        assert 0.0 <= row["lower"] < row["upper"] <= 1.0
    found = content.get("comparison", {"differences": {"lower": [], "upper": []}})["differences"]
    assert np.less(found["lower"], found["upper"]).all()
    notes = " ".join(report.notes)
    if case == "all scores equal":
        assert "All scores are equal" in notes
    if case == "below one half":
        assert "reverse the sign of the scores" in notes


def test_written_whole_or_not_at_all(asah_report: Report, tmp_path: Path) -> None:
    report = asah_report
    html, numbers = report.write(tmp_path / "out.html")
    assert html.read_text(encoding="utf-8") == report.to_html()
    assert json.loads(numbers.read_text(encoding="utf-8")) == report.to_dict()
    html.write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match=r"`path` must be a new file or a report of the same data"):
        report.write(html)
    numbers.unlink()
    numbers.mkdir()
    with pytest.raises(ValueError, match=r"`path` must name a file, not a folder; got '.*out\.json'"):
        report.write(html, force=True)
    assert html.read_text(encoding="utf-8") == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.html", "out.json"]
    with pytest.raises(ValueError, match="`path` must name the HTML page"):
        report.write(tmp_path / "other.json")


@pytest.mark.slow
def test_a_report_of_other_data_is_replaced_only_by_force(tmp_path: Path) -> None:
    rng, y = np.random.default_rng(0), np.repeat([1, 0], 20)
    a, b = rng.normal(size=(2, 40)) + y
    pair, page = PairedScores(y, a, b, names=["a", "b"]), tmp_path / "report.html"
    confroc.report(pair, path=page)
    # The same scores and classes, in whatever order and by whatever names, and with other options.
    for same in (pair, PairedScores(y[::-1], b[::-1], a[::-1], names=["new", "old"])):
        confroc.report(same, path=page, title="again", confidence_level=0.9)
    before = page.read_bytes(), page.with_suffix(".json").read_bytes()
    others = [PairedScores(y, a, b[::-1]), PairedScores(y, a, np.append(b[:-1], 9.0)), pair.a, Scores(y, b)]
    for other in (*others, PairedScores(np.append(y[:-1], 1), a, b), PairedScores(y, a, b, a + b)):
        with pytest.raises(ValueError, match=r"must be a new file or a report of the same data; got .*force"):
            confroc.report(other, path=page)
        # The numbers alone are kept, too.
        with pytest.raises(ValueError, match=r"a report of the same data; got '.*report\.json'"):
            confroc.report(other, path=page.with_suffix(".htm"))
    assert (page.read_bytes(), page.with_suffix(".json").read_bytes()) == before
    confroc.report(pair.a, path=page, force=True)
    confroc.report(pair.a, path=page)
    with pytest.raises(ValueError, match="a report of the same data"):
        confroc.report(pair, path=page)
    # What an earlier version wrote does not say of which data it is.
    told = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))["data_sha256"]
    assert told == ReportData(models={"m": pair.a}, n_rows=40, n_dropped=0).fingerprint
    for path in (page, page.with_suffix(".json")):
        path.write_text(path.read_text(encoding="utf-8").replace(told, ""), encoding="utf-8")
        with pytest.raises(ValueError, match="a report of the same data"):
            confroc.report(pair.a, path=page)


@pytest.mark.parametrize("path", ["", ".", "..", "/", "folder", "folder/", "folder.html"])
def test_a_report_is_a_file(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("folder", "folder.html"):
        (tmp_path / name).mkdir()
    with pytest.raises(ValueError, match="`path` must name a file, not a folder; got"):
        confroc.report(Scores([1, 0, 1, 0], [4, 3, 2, 1]), path=path)


def test_levels_are_refused_before_their_bands_take_hours() -> None:
    y, s, _ = sampled(40, 0)
    ReportData(models={"m": Scores(y, s)}, n_rows=40, n_dropped=0, confidence_level=0.99998)
    with pytest.raises(
        ValueError, match=r"`confidence_level` must be at most 0\.99998 in a report, whose bands"
    ):
        ReportData(models={"m": Scores(y, s)}, n_rows=40, n_dropped=0, confidence_level=0.999985)


def test_bad_data() -> None:
    scores = Scores([0, 1], [1, 2])
    fields: dict[str, Any] = {
        "source": "s",
        "label": "y",
        "positive": "1",
        "negative": "0",
        "n_rows": 2,
        "n_dropped": 0,
        "models": {"m": scores},
    }
    with pytest.raises(ValueError, match="`models` must contain at least one"):
        ReportData(**fields | {"models": {}})
    with pytest.raises(ValueError, match=r"`scores` must be of the models \('m'\), in this order"):
        ReportData(**fields, scores=PairedScores([0, 1], [1, 2], [1, 2], names=["m", "x"]))
    with pytest.raises(TypeError, match="`scores` must be of type PairedScores"):
        ReportData(**fields, scores=scores)
    with pytest.raises(ValueError, match="`confidence_level`"):
        ReportData(**fields, confidence_level=2)
    with pytest.raises(ValueError, match="`false_positive` must be given with the other cost"):
        ReportData(**fields, false_negative=2)
    with pytest.raises(ValueError, match="`prior` must be given with what errors cost"):
        ReportData(**fields, prior=0.1)
    with pytest.raises(ValueError, match="`prior` must lie strictly between 0 and 1"):
        ReportData(**fields, false_negative=2, false_positive=1, prior=10)
    with pytest.raises(ValueError, match="`threshold` must be left out when `validation` is given"):
        ReportData(**fields, validation=scores, threshold={"m": 1})
    with pytest.raises(ValueError, match="`threshold` must contain a threshold for each of 'm'; got"):
        ReportData(**fields, threshold={"x": 1})
    with pytest.raises(TypeError, match=r"`threshold` must be of type Mapping; .* one number for all models"):
        ReportData(**fields, threshold=[1, 2])
    with pytest.raises(TypeError, match=r"`threshold\['m'\]` must be one finite number"):
        ReportData(**fields, threshold={"m": np.nan})
    with pytest.raises(ValueError, match=r"`validation` must be of the models \('m'\), in this order"):
        ReportData(**fields, validation=PairedScores([0, 1], [1, 2], [1, 2], names=["m", "x"]))
    with pytest.raises(TypeError, match="`validation` must be of type PairedScores"):
        ReportData(**fields, validation=[1, 2])


@pytest.mark.slow
def test_costs_and_outlook_on_request(asah_data: ReportData, asah_report: Report) -> None:
    data = only(asah_data, "s100b", "ndka")
    data = replace(data, false_negative=5, false_positive=1, prior=0.2, jeffreys=0.1)
    report = build_report(data)
    page = check_page(report.to_html())
    text = " ".join(" ".join(page.text).split())
    assert "false-negative cost 5, false-positive cost 1, prevalence 20%" in text
    assert "Statements on all w are simultaneous with 95% confidence" in text
    assert "corrected for optimism), " in text
    content = report.to_dict()
    for row in (*content["costs"]["models"], *content["recommended"]["models"]):
        expected = expected_cost(
            data.models[row["model"]], false_negative=5, false_positive=1, prior=0.2, rng=0
        )
        # The page states in words whether the model is cheaper.
        assert {**row, **finite(expected.to_dict()), "notes": row["notes"]} == row
    for row in content["outlook"]["models"]:
        forecast = auc_forecast(data.models[row["model"]], jeffreys=0.1)
        assert (row["lower"], row["upper"]) == (forecast.lower, forecast.upper)
        # Sampling error is in the forecast, so today's interval is.
        today = auc_interval(data.models[row["model"]])
        assert row["lower"] < today.lower < today.upper < row["upper"]
    assert "costs" not in asah_report.to_dict()
    assert set(asah_report.to_dict()["outlook"]) == {"planning"}


def sampled(n: int, seed: int, step: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    common = rng.normal(size=n)
    a, b = (gain * y + 0.7 * common + 0.7 * rng.normal(size=n) for gain in (1.5, 1.0))
    return (y, np.round(a / step) * step, np.round(b / step) * step) if step else (y, a, b)


def test_numbers_that_are_only_drawn_are_short() -> None:
    random = np.random.default_rng(1).normal(size=1000)
    values = np.concatenate([[0.0, np.inf, -np.inf, 1e-300], random, 1e9 * random, 1e-6 * random])
    short = section.rounded(values)
    assert (np.abs(short[3:] - values[3:]) <= 5.1e-8 * np.abs(values[3:])).all()
    assert (short[:3] == values[:3]).all()
    assert max(len(repr(value)) for value in short[4:1004].tolist()) <= 14


@pytest.mark.slow
def test_the_page_stays_small_however_many_cases(tmp_path: Path) -> None:
    """Of 10⁶ cases it is as large as of 10⁵, here of distinct scores all."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100_000)
    models = PairedScores(y, rng.normal(size=len(y)) + y, rng.normal(size=len(y)) + 1.5 * y)
    page = tmp_path / "page.html"
    confroc.report(models, path=page)
    assert page.stat().st_size < 3_000_000
    assert page.with_suffix(".json").stat().st_size < 1_500_000


@pytest.mark.parametrize(("n", "step"), [(60, 0.0), (300, 0.5), (3000, 0.0)])
def test_operating_points_are_those_of_the_cases(n: int, step: float) -> None:
    y, s, _ = sampled(n, n, step)
    scores = Scores(y, s)
    record, _, _ = operating_points(scores, 0.9, most=100)
    p = record["points"]
    assert record["every_threshold"] == (len(scores.score) < 100)
    # Where some are left out, the others are rounded to eight digits.
    shown = (lambda values: values) if record["every_threshold"] else section.rounded
    for i, t in enumerate(p["threshold"]):
        called = s >= t
        tp, fp = int((called & (y == 1)).sum()), int((called & (y == 0)).sum())
        assert (p["tp"][i], p["fp"][i]) == (tp, fp)
        for name, k, m in (
            ("tpr", tp, (y == 1).sum()),
            ("fpr", fp, (y == 0).sum()),
            ("precision", tp, called.sum()),
            ("npv", ((y == 0) & ~called).sum(), (~called).sum()),
        ):
            found = [p[name][i], p[f"{name}_lower"][i], p[f"{name}_upper"][i]]
            if m == 0:
                assert found == [None] * 3
            else:
                interval = stats.binomtest(int(k), int(m)).proportion_ci(0.9, method="wilson")
                exact = shown(np.array([k / m, interval.low, interval.high]))
                assert found == pytest.approx(exact.tolist(), abs=1e-12)
    joint = rates_at_threshold(
        scores, threshold=p["threshold"], method="wilson", confidence_level=0.9, joint=True
    )
    assert record["joint"]["tpr_lower"] == shown(joint.tpr.lower).tolist()
    assert record["joint"]["fpr_upper"] == shown(joint.fpr.upper).tolist()


@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=2, unique=True).map(sorted))
def test_a_threshold_is_shown_by_digits_that_call_the_same_cases_positive(ends: list[float]) -> None:
    below, value = ends
    shown = same_rule(value, below)
    assert below < shown <= value
    assert float(threshold(shown, None).replace("−", "-")) == shown
    assert len(threshold(shown, None)) <= len(repr(value))


def test_thresholds_are_shown_in_three_digits_where_these_will_do() -> None:
    cases = [
        (0.3000457, 0.2),
        (0.0841999, 0.08),
        (-0.3000451, -1.0),
        (0.12345678, 0.1234567),
        (math.inf, 3.0),
    ]
    cases += [(1234.0, 1000.0), (1234.56, 1000.0)]
    told = [threshold(same_rule(*case), None) for case in cases]
    assert told == ["0.3", "0.0841", "−0.301", "0.12345678", "above every score", "1234", "1234"]


def test_thinned_points_keep_both_ends_of_the_curve_and_every_cheapest_threshold() -> None:
    y, s, _ = sampled(200_000, 5)
    scores = Scores(y, s)
    record, _, _ = operating_points(scores, 0.95)
    p = record["points"]
    assert len(p["tp"]) < 1000
    # Relative steps: the error counts of neighbors never differ by more than a few per cent.
    fp, fn = np.array(p["fp"]), scores.n_pos - np.array(p["tp"])
    for errors in (fp, fn[::-1]):
        assert ((errors[1:] + 1) / (errors[:-1] + 1)).max() < 2.01
    assert np.diff(p["tpr"]).max() < 0.02
    assert np.diff(p["fpr"]).max() < 0.02
    chosen = cost_curve(scores, w=np.linspace(0.001, 0.999, 777)).threshold
    assert set(chosen.tolist()) <= set(p["threshold"])


def test_a_long_envelope_is_thinned() -> None:
    # Counts whose likelihood ratio rises at every score: every threshold is the cheapest at some w.
    levels = np.arange(1, 301)
    scores = Scores.from_counts(levels, levels, levels[::-1])
    rows = cheapest_rows(scores, 40)
    assert (len(rows), rows[0], rows[-1]) == (40, 0, 300)
    w = np.linspace(0.0005, 0.9995, 4001)
    threshold = np.concatenate([[np.inf], scores.score])[rows]
    cost = np.min([w * (1.0 - tpr) + (1.0 - w) * fpr for tpr, fpr in _rates(scores, threshold)], axis=0)
    assert (cost - lower_envelope(scores).cost_at(w)).max() < 1e-3


def _rates(scores: Scores, threshold: np.ndarray) -> list[tuple[float, float]]:
    above = [scores.score >= t for t in threshold]
    return [(scores.pos[a].sum() / scores.n_pos, scores.neg[a].sum() / scores.n_neg) for a in above]


@pytest.mark.slow
@pytest.mark.parametrize("n", [1500, 6000, 60_000])
def test_differences_of_curves_have_the_default_band_at_every_size(n: int) -> None:
    y, a, b = sampled(n, 7)
    made = build_report(data_of(y, {"better": a, "worse": b}, confidence_level=0.9))
    (row,) = made.to_dict()["comparison"]["curves"]
    band, shown = roc_difference_band(PairedScores(y, a, b), confidence_level=0.9, rng=0), row["band"]
    assert (shown["method"], shown["guarantee"], shown["kind"]) == (
        str(band.method),
        band.guarantee,
        band.kind,
    )
    lower = band.lower if shown["max_deviation"] == 0.0 else section.rounded(band.lower)
    assert np.isin(shown["lower"], lower).all()
    assert [(r["low"], r["high"]) for r in shown["better"]] == list(band.different_at)
    assert {r["model"] for r in shown["better"]} == {"better"}


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_band_that_contains_zero_proves_no_difference(k: int) -> None:
    """Noisy copies of one score, too few cases to show where their curves differ."""
    y, a, _ = sampled(120, 11)
    models = {f"m{i}": a + 2.0 * np.random.default_rng(i).normal(size=len(y)) for i in range(k)}
    made = build_report(data_of(y, models))
    for row in made.to_dict()["comparison"]["curves"]:
        assert row["band"]["better"] == []
    page = made.to_html()
    open_ones = "No significant difference at any false positive rate."
    assert page.count(open_ones) == len(made.to_dict()["comparison"]["curves"])
    assert "no difference" not in page.partition("<main")[2].partition("<script")[0]


def test_rounded_scores_say_so_and_keep_their_bounds(recwarn: pytest.WarningsRecorder) -> None:
    y, s, _ = sampled(4000, 3)
    stream = ScoreStream(np.linspace(-3.0, 4.0, 800))
    stream.update(y, s)
    rounded = stream.scores()
    recwarn.clear()
    _, _, notes = operating_points(rounded, 0.95)
    assert any("rounded" in note for note in notes)
    assert not recwarn.list


def levels_in(value: Any) -> set[float]:
    """Every confidence level that a file tells."""
    if isinstance(value, dict):
        own = {value["confidence_level"]} if value.get("confidence_level") is not None else set()
        return own.union(*map(levels_in, value.values()))
    return set().union(*map(levels_in, value)) if isinstance(value, list) else set()


def test_every_option_reaches_what_it_names(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    scores = Scores(np.repeat([0, 1], 20), np.round(rng.normal(size=40) + np.repeat([0, 1], 20)))
    costs = {"false_negative": 9.0, "false_positive": 2.0, "prior": 0.1}
    options: dict[str, Any] = {
        "title": "T",
        "names": ["N"],
        "positive": "P",
        "negative": "Q",
        "jeffreys": 0.3,
    }
    options |= costs | {"confidence_level": 0.8, "description": "one\n\n<two>"}
    elsewhere = {"threshold", "validation", "groups", "segments"}
    assert set(inspect.signature(confroc.report).parameters) == {
        "scores", "path", "force", *options, *elsewhere,
    }  # fmt: skip
    made = confroc.report(scores, path=tmp_path / "r.html", **options)
    content = made.to_dict()
    assert (content["title"], content["data"]["positive"], content["data"]["negative"]) == ("T", "P", "Q")
    parts = ("auc", "curves", "thresholds", "tpr_at_fpr", "average_precision")
    assert {row["model"] for part in parts for row in content[part]} == {"N"}
    assert levels_in(content) == {0.8}
    assert content["outlook"]["jeffreys"] == 0.3
    assert made.data.paragraphs == ["one", "<two>"]
    assert content["description"] == "one\n\n<two>"
    (own,), expected = content["costs"]["models"], expected_cost(scores, **costs, confidence_level=0.8, rng=0)
    assert (own["w"], own["prior"], own["trivial"]) == (expected.w, 0.1, expected.trivial)
    assert (own["lower"], own["upper"]) == (expected.lower, expected.upper)
    spent, low, high = amounts(own["estimate"], own["lower"], own["upper"])
    cost = f"Cost per case {spent} (80% CI {low} to {high}, corrected for optimism)"
    assert cost in " ".join(made.headlines)


@pytest.mark.slow
def test_thresholds_come_from_where_they_are_asked_for(tmp_path: Path, asah_data: ReportData) -> None:
    data = only(asah_data, "s100b", "ndka")
    pair, unit = data.scores, {"false_negative": 5.0, "false_positive": 1.0}
    assert pair is not None
    other = PairedScores(*sampled(80, 1), names=["s100b", "ndka"])
    given = {"s100b": 0.3, "ndka": 12.0}
    for where, options in (("given", {"threshold": given}), ("validation", {"validation": other})):
        section = thresholds(replace(data, **options, **unit))
        found, priced = section.records["recommended"], section.records["costs"]
        assert found["threshold_source"] == where
        for row, kept in zip(found["models"], priced["models"], strict=True):
            name = row["model"]
            own = {"threshold": given[name]} if where == "given" else {"validation": other[name]}
            expected = finite(expected_cost(data.models[name], **unit, **own, rng=0).to_dict())
            assert {**finite(row), **expected, "notes": row["notes"]} == finite(row)
            rates = rates_at_threshold(
                data.models[name], threshold=row["threshold"], method="wilson", joint=False
            )
            for rate in (rates.tpr, rates.fpr):
                assert row["rates"][rate.quantity] == {end: getattr(rate, end)[0] for end in ENDS}
            band = cost_band(data.models[name], rng=0, **own)
            assert np.isin(kept["band"]["estimate"], band.estimate).all()
        a, b = (row["model"] for row in sorted(priced["models"], key=lambda row: row["estimate"]))
        own = {"threshold_a": given[a], "threshold_b": given[b]}
        own = own if where == "given" else {"validation": other[a, b]}
        expected = expected_cost_difference(pair[a, b], **unit, **own, rng=0).to_dict()
        assert {**priced["pairs"][0], **expected} == priced["pairs"][0]
        for row, table in zip(found["models"], section.record, strict=True):
            # The rule that is recommended is a row of the table along which the slider moves.
            at = table["points"]["threshold"].index(row["threshold"])
            assert (table["points"]["tp"][at], table["points"]["fp"][at]) == (
                row["calls"]["tp"],
                row["calls"]["fp"],
            )
            assert table["points"]["shown"][at] == pytest.approx(row["threshold"], rel=1e-2)
    made = confroc.report(pair.a, path=tmp_path / "one.html", threshold=0.3)
    assert made.data.threshold == {"model": 0.3}
    assert made.headlines[1].startswith("Given: model ≥ 0.3 (equal error costs assumed). TPR 0.512 (")
    made = confroc.report(pair.a, path=tmp_path / "one.html", validation=other.a)
    assert "optimism" not in made.headlines[1]
    assert "chosen on 80 other cases." in (tmp_path / "one.html").read_text("utf-8")


def test_the_outlook_claims_no_drift_where_none_can_be_reckoned(tmp_path: Path) -> None:
    separated = Scores([1] * 10 + [0] * 10, range(20, 0, -1))
    with pytest.warns(ConfrocWarning, match="No reweighting"):
        confroc.auc_forecast(separated, jeffreys=0.1)
    confroc.report(separated, path=tmp_path / "report.html", jeffreys=0.1)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "model: the data do not show how drift would change the AUC." in page
    assert "after drift within a Jeffreys divergence" not in page
