"""The last sections: terms, methods with their guarantees, and references."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import confroc
from confroc.methods import FAMILIES, PAPERS, Method
from confroc.methods.papers import entry
from confroc.pages.section import SEED, ReportData, Section
from confroc.pages.templating import sentence

KINDS = ("pointwise", "simultaneous")
GUARANTEES = ("finite-sample", "asymptotic", "bootstrap", "none")
CITED = {
    "auc_interval": "the AUC",
    "average_precision": "average precision",
    "tpr_at_fpr": "the TPR at fixed FPRs",
    "expected_cost": "the expected cost",
}
"""What the paragraph on methods names, which the summary shows, by the function that estimates it."""
RELEASED = "2026"
"""The year of this version."""
SOFTWARE_ENTRY = entry(
    "software",
    "confroc",
    {
        "author": "{The confroc developers}",
        "title": "{confroc: confidence intervals, bands and tests for ROC curves}",
        # In the note for styles of BibTeX that know no versions.
        "note": f"Python package, version {confroc.__version__}",
        "year": RELEASED,
    },
)

MOST_PAPERS = 2
"""Papers of a method that the paragraph cites."""


def reading(data: ReportData, before: Sequence[Section]) -> Section:
    """Explain the terms of the sections `before`."""
    present = {section.key for section in before}
    view = {"present": present, "several": data.scores is not None and len(data.models) > 2}
    return Section(key="reading", title="Terms", template="reading.html", view=view)


class Used(NamedTuple):
    """A method that the report used, and the models or comparisons it was used for."""

    function: str
    method: Method
    about: list[str]

    @property
    def kind(self) -> str:
        """Pointwise or simultaneous."""
        return FAMILIES[self.function].kind_of(self.method.name)

    @property
    def papers(self) -> tuple[str, ...]:
        """Keys of its papers."""
        return FAMILIES[self.function].papers_of(self.method.name)


def used(before: Sequence[Section]) -> list[Used]:
    """Return each method that the sections `before` used, once."""
    found: dict[tuple[str, str], Used] = {}
    for function, about, method in (use for section in before for use in section.uses):
        entry = FAMILIES[function].methods[method]
        row = found.setdefault((function, entry.name), Used(function, entry, []))
        if about not in row.about:
            row.about.append(about)
    return list(found.values())


def methods(before: Sequence[Section]) -> Section:
    """List each method that was used, its models, and its guarantee."""
    rows: list[dict[str, Any]] = [
        {
            "topic": row.function,
            "method": row.method.name,
            "name": row.method.title,
            "text": f"{row.method.summary} {row.method.caution}".strip(),
            "kind": row.kind,
            "guarantee": row.method.guarantee,
            "used_for": row.about,
        }
        for row in used(before)
    ]
    marks = {mark for row in rows for mark in (row["kind"], row["guarantee"])}
    # A method of several functions is described once.
    shared: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        shared.setdefault((row["name"], row["text"]), []).append(row)
    view = {
        "rows": [
            same[0]
            | {
                "topics": list(dict.fromkeys(FAMILIES[row["topic"]].title for row in same)),
                "tags": list(dict.fromkeys(row[tag] for tag in ("kind", "guarantee") for row in same)),
            }
            for same in shared.values()
        ],
        "terms": [word for word in (*KINDS, *GUARANTEES) if word in marks],
    }
    return Section(key="methods", title="Methods", template="methods.html", view=view, record=rows)


def citing(data: ReportData, before: Sequence[Section]) -> Section:
    """Write a paragraph on the methods for a paper, and collect its references."""
    rows = used(before)
    keys = sorted({key for row in rows for key in row.papers}, key=lambda key: PAPERS[key].text)
    cited = citations(keys)
    software = (
        f"The confroc developers ({RELEASED}). confroc: confidence intervals, bands and tests for ROC "
        f"curves, version {confroc.__version__} [software]."
    )
    paragraph = methods_paragraph(data, before, cited)
    bibtex = "\n".join([SOFTWARE_ENTRY, *(PAPERS[key].bibtex(key) for key in keys)])
    papers = [PAPERS[key] for key in keys]
    return Section(
        key="citation",
        title="Citation",
        template="citing.html",
        view={"papers": papers, "software": software, "paragraph": paragraph, "bibtex": bibtex},
        record={"software": software, "papers": [{"text": p.text, "doi": p.doi or None} for p in papers]},
        records={"methods_paragraph": paragraph, "bibtex": bibtex},
    )


def citations(keys: Sequence[str]) -> dict[str, str]:
    """Return the citation of each paper, "Newcombe, 2006", with a letter if two would be identical."""
    plain = {key: PAPERS[key].cited for key in keys}
    same = {text: [key for key in keys if plain[key] == text] for text in plain.values()}
    return {
        key: text + ("abcdefgh"[same[text].index(key)] if len(same[text]) > 1 else "")
        for key, text in plain.items()
    }


def methods_paragraph(data: ReportData, before: Sequence[Section], cited: Mapping[str, str]) -> str:
    """Return the paragraph: cases, the methods of the summary with their papers, version and seed."""
    advice: Mapping[str, Any] = next((s.view for s in before if s.key == "thresholds"), {})
    rows, others = used(before), data.validation
    source = "given" if data.threshold is not None else "same_sample" if others is None else "validation"
    omitted = "tpr_at_fpr" if advice.get("helpful") else "expected_cost"

    def ways(function: str, seen: Sequence[str] = ()) -> list[str]:
        """Methods of a function, and the first papers of each; the references have all."""
        own = [row for row in rows if row.function == function]
        keys = dict.fromkeys(key for row in own for key in row.papers if key not in seen)
        return [_within(row.method.title) for row in own] + [cited[key] for key in [*keys][:MOST_PAPERS]]

    area = [key for row in rows if row.function == "auc_interval" for key in row.papers]
    compared = ways("auc_comparison", area)[1:2]
    return sentence(
        "paragraph",
        data=data,
        version=confroc.__version__,
        year=RELEASED,
        intervals={what: ways(of) for of, what in CITED.items() if of != omitted and ways(of)},
        bands=ways("roc_band"),
        compared=compared,
        n_pairs=math.comb(len(data.models), 2) if data.compared is not None else 0,
        thresholds={"source": source, "n": 0 if others is None else others.n_pos + others.n_neg}
        if advice.get("helpful")
        else None,
        drift=ways("auc_forecast"),
        seed=SEED,
    )


def _within(title: str) -> str:
    """Return the title of a method as within a sentence: a proper name keeps its capital."""
    first = title.partition(" ")[0]
    return title[0].lower() + title[1:] if first[1:].islower() and first.isalpha() else title
