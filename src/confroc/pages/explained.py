"""The last sections: how to read the report, what its methods promise, also as a paragraph, what to cite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import confroc
from confroc.methods import FUNCTIONS, PAPERS, Method
from confroc.methods.papers import entry
from confroc.pages import words
from confroc.pages.section import SEED, ReportData, Section, resamples
from confroc.pages.thresholds import best_resamples

KINDS = {
    "pointwise": "Holds for one number at a time. Among many such intervals, some are bound to miss.",
    "simultaneous": "Holds for a whole curve, or for all models, at once: with the stated probability all of "
    "it is inside.",
}
GUARANTEES = {
    "finite-sample": "The stated probability is proven for samples of every size.",
    "asymptotic": "The stated probability is reached as both classes grow; it is approximate with few cases.",
    "bootstrap": "The stated probability is reached as both classes grow, by imitating new samples.",
    "none": "Nothing makes sure of the stated probability; the method is there for comparison.",
}
MEANT = {
    "simultaneous": "holding for a whole curve or all models at once",
    "finite-sample": "proven for samples of every size",
    "bootstrap": "attained as both classes grow, by imitating new samples",
    "none": "promising nothing",
}
"""Marks in the paragraph on methods; those that most methods would have it explains by themselves."""
SURNAMES = {name for paper in PAPERS.values() for name in paper.surnames}
RELEASED = "2026"
"""The year of this version."""
SOFTWARE_ENTRY = entry(
    "software",
    "confroc",
    {
        "author": "{The confroc developers}",
        "title": "{confroc: honest uncertainty for ROC curves}",
        # In the note for styles of BibTeX that know no versions.
        "note": f"Python package, version {confroc.__version__}",
        "year": RELEASED,
    },
)


def reading(data: ReportData, before: Sequence[Section]) -> Section:
    """Explain the terms that the sections before use."""
    view = {
        "positive": data.called[0],
        "negative": data.called[1],
        "level": words.percent(data.confidence_level),
        "miss": words.percent(1.0 - data.confidence_level, 4),
        "present": {section.key for section in before},
        "several": data.scores is not None and len(data.models) > 2,
    }
    return Section(key="reading", title="How to read this", template="reading.html", view=view, folded=True)


class Used(NamedTuple):
    """A method that was really used, and for which models or comparisons."""

    function: str
    method: Method
    about: list[str]

    @property
    def promise(self) -> tuple[str, str]:
        """What it promises, and by what right."""
        return self.method.kind, self.method.guarantee


def used(before: Sequence[Section]) -> list[Used]:
    """Return each method that the sections before used, once."""
    found: dict[tuple[str, str], Used] = {}
    for function, about, method in (use for section in before for use in section.uses):
        entry = FUNCTIONS[function].methods[method]
        row = found.setdefault((function, entry.name), Used(function, entry, []))
        if about not in row.about:
            row.about.append(about)
    return list(found.values())


def methods(before: Sequence[Section]) -> Section:
    """List each method that was really used, for whom, and its guarantee."""
    rows = [
        {
            "topic": row.function,
            "method": row.method.name,
            "name": row.method.title,
            "text": f"{row.method.summary} {row.method.caution}".strip(),
            "kind": row.method.kind,
            "guarantee": row.method.guarantee,
            "used_for": row.about,
        }
        for row in used(before)
    ]
    # Naming the models helps only where a fallback has split them between methods.
    topics = [row.function for row in used(before)]
    view = {
        "rows": [row | {"split": topics.count(topic) > 1} for row, topic in zip(rows, topics, strict=True)],
        "topics": {topic: FUNCTIONS[topic].title for topic in topics},
        "promises": [
            (word, text)
            for aspect, terms in (("kind", KINDS), ("guarantee", GUARANTEES))
            for word, text in terms.items()
            if any(row[aspect] == word for row in rows)
        ],
    }
    return Section(
        key="methods",
        title="Methods and guarantees",
        template="methods.html",
        view=view,
        record=rows,
        folded=True,
    )


def stated(data: ReportData, before: Sequence[Section]) -> list[Used]:
    """Return the methods behind the report's numbers, without intervals that are only drawn beside them."""
    own = {interval.method for interval, _ in data.areas.values()}
    own |= {row["method"] for row in _outlook(before)["models"]}
    return [row for row in used(before) if row.function != "auc_interval" or row.method.name in own]


def _outlook(before: Sequence[Section]) -> dict[str, Any]:
    record: dict[str, Any] = next(section.record for section in before if section.key == "outlook")
    return record


def citing(data: ReportData, before: Sequence[Section]) -> Section:
    """Write a paragraph on the methods, ready to paste, and collect what it cites."""
    rows = stated(data, before)
    keys = sorted({key for row in rows for key in row.method.papers}, key=lambda key: PAPERS[key].text)
    cited = citations(keys)
    software = (
        f"The confroc developers ({RELEASED}). confroc: honest uncertainty for ROC curves, version "
        f"{confroc.__version__} [software]."
    )
    paragraph = methods_paragraph(data, before, cited)
    bibtex = "\n".join([SOFTWARE_ENTRY, *(PAPERS[key].bibtex(key) for key in keys)])
    papers = [PAPERS[key] for key in keys]
    return Section(
        key="citation",
        title="How to cite, and methods to paste",
        template="citing.html",
        folded=True,
        view={"papers": papers, "software": software, "paragraph": paragraph, "bibtex": bibtex},
        record={"software": software, "papers": [{"text": p.text, "doi": p.doi or None} for p in papers]},
        records={"methods_paragraph": paragraph, "bibtex": bibtex},
    )


def citations(keys: Sequence[str]) -> dict[str, str]:
    """Return how each paper is cited, "Newcombe, 2006", with letters where two would be cited alike."""
    plain = {key: PAPERS[key].cited for key in keys}
    alike = {text: [key for key in keys if plain[key] == text] for text in plain.values()}
    return {
        key: text + ("abcdefgh"[alike[text].index(key)] if len(alike[text]) > 1 else "")
        for key, text in plain.items()
    }


def methods_paragraph(data: ReportData, before: Sequence[Section], cited: Mapping[str, str]) -> str:
    """Say in prose what was done: cases, methods with level, kind, guarantee and papers, seed and version."""
    k = len(data.models)
    scores = next(iter(data.models.values()))
    n, n_pos, n_neg = (words.count(i) for i in (scores.n_pos + scores.n_neg, scores.n_pos, scores.n_neg))
    positive = " ".join(filter(None, (data.called[0], data.coded and f"[{data.coded}]")))
    lines = [
        f"The scores of {words.listed(list(data.models), 'and')} were evaluated on {n} cases ({n_pos} "
        f"{positive}, {n_neg} {data.called[1]}) with confroc, version {confroc.__version__} (The confroc "
        f"developers, {RELEASED})."
    ]
    if data.n_dropped:
        lines.append(f"{words.plural(data.n_dropped, 'row')} without a label or a score had been left out.")
    rows = stated(data, before)
    marks = [word for word in MEANT if any(word in row.promise for row in rows)]
    meaning = "; ".join(f"{word}: {MEANT[word]}" for word in marks)
    lines.append(
        f"The confidence level was {words.percent(data.confidence_level)}. Statements are about one number "
        f"at a time (pointwise), and their levels attained as both classes grow (asymptotic), unless marked "
        f"otherwise ({meaning}). The methods were: {'; '.join(_told(rows, cited))}. The interval of "
        f"the Gini coefficient is that of the area, as 2 AUC − 1, and the interval of the Kolmogorov–Smirnov "
        f"statistic follows from the band around the curve."
    )
    if k > 2 and data.scores is not None:
        lines.append(
            f"What was said of the {words.plural(k * (k - 1) // 2, 'pair')} of models holds for all of them "
            f"together: areas were compared by the law of the largest difference (max-t) and a closed test, "
            f"curves and costs at a level of {words.percent(data.pair_level, 5)} each (Bonferroni)."
        )
    lines += [
        _thresholds_told(data),
        f"Drift was allowed for up to a population stability index of {_outlook(before)['psi']:g}.",
    ]
    drawn = []
    if any(row.method.guarantee == "bootstrap" for row in rows):
        counts = sorted({resamples(level) for level in (data.confidence_level, data.pair_level)})
        drawn.append(f"{words.listed([words.count(count) for count in counts], 'or')} resamples for a band")
    if data.threshold is None:
        more = "" if drawn else " resamples"
        drawn.append(f"{words.count(best_resamples(data.confidence_level))}{more} for the best thresholds")
    if drawn:
        lines.append(f"Bootstraps drew {words.listed(drawn, 'and')}, with the random seed {SEED}.")
    return " ".join(lines)


def _told(rows: Sequence[Used], cited: Mapping[str, str]) -> list[str]:
    """Say of each function which methods it used, for whom where not for all alike, and whom to cite."""
    told = []
    for name in dict.fromkeys(row.function for row in rows):
        own = [row for row in rows if row.function == name]
        split = any(row.about != own[0].about for row in own)
        ways = []
        for row in own:
            inside = [mark for mark in row.promise if mark in MEANT] + [
                cited[key] for key in row.method.papers
            ]
            about = f" for {words.listed(row.about, 'and')}" if split else ""
            ways.append(_within(row.method.title) + about + (f" ({'; '.join(inside)})" if inside else ""))
        told.append(f"for the {_within(FUNCTIONS[name].title)}, {words.listed(ways, 'and')}")
    return told


def _thresholds_told(data: ReportData) -> str:
    """Say where the thresholds came from."""
    if data.threshold is not None:
        given = [f"{words.threshold(value)} for {name}" for name, value in data.threshold.items()]
        return f"Thresholds were fixed beforehand: {words.listed(given, 'and')}."
    unit = data.unit_costs
    costs = "both errors costing the same"
    if unit:
        miss, alarm = unit["false_negative"], unit["false_positive"]
        costs = f"a missed positive costing {miss:g} and a false alarm {alarm:g}"
        if unit["prior"] is not None:
            costs += f", at a share of positives of {words.percent(unit['prior'], 4)}"
    if data.validation is not None:
        other = data.validation.n_pos + data.validation.n_neg
        return (
            f"Thresholds of least expected cost, {costs}, were chosen on {words.plural(other, 'other case')}."
        )
    return (
        f"Thresholds of least expected cost, {costs}, were chosen on the same cases; their costs were "
        f"corrected for that by repeated cross-validation, and the thresholds that may be the best ones were "
        f"bounded by a bootstrap."
    )


def _within(title: str) -> str:
    """Return a title as it stands within a sentence: its first word small, unless it is a name."""
    first = re.split(r"[ ,'’–]", title)[0]
    named = first in SURNAMES or not first[1:].islower() or "–" in title.split(" ")[0]
    return title if named else title[:1].lower() + title[1:]
