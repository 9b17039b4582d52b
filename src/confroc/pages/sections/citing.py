"""What to cite: this version, and the papers behind the methods that were used."""

from __future__ import annotations

from collections.abc import Sequence

import confroc
from confroc.pages import methods
from confroc.pages.data import ReportData
from confroc.pages.section import Section


def citing(data: ReportData, before: Sequence[Section]) -> Section:  # noqa: ARG001
    """Collect the papers of all methods used, in order of first use."""
    used = dict.fromkeys(
        paper
        for section in before
        for use in section.uses
        for paper in methods.method(use.topic, use.result.method).papers
    )
    papers = sorted((methods.PAPERS[key] for key in used), key=lambda paper: paper.text)
    software = f"confroc, version {confroc.__version__}: honest uncertainty for ROC curves [software]."
    record = {"software": software, "papers": [{"text": p.text, "doi": p.doi or None} for p in papers]}
    return Section(
        key="citation",
        title="How to cite",
        template="citing.html",
        view={"papers": papers, "software": software},
        record=record,
    )
