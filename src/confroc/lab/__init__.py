"""The coverage laboratory, which asks whether intervals and bands attain their level.

A study draws many samples from a population whose truth is known, gives each to the methods, and counts
how often what they claim holds. `populations` and `laws` say what is drawn, `rules` what is claimed and
how it is judged, `study` runs it and `store` keeps the counts as they come in.
"""

from confroc.lab.audit import Audit, Verdict, audit
from confroc.lab.designs import NormalPair, Probit, SamplePopulation
from confroc.lab.experiment import (
    Dots,
    Expected,
    Experiment,
    Panels,
    Quick,
    list_experiments,
    load_experiment,
)
from confroc.lab.laws import Exponential, Law, Mixture, Normal, StudentT
from confroc.lab.populations import (
    Population,
    TiedLaws,
    TwoLaws,
    binormal,
    binormal_with_auc,
    threshold_at_positive_rate,
)
from confroc.lab.progress import progress_bar
from confroc.lab.results import CellResult, StudyResult
from confroc.lab.smoothed import SmoothedCopy
from confroc.lab.study import Cell, Study, run_study

__all__ = [
    "Audit",
    "Cell",
    "CellResult",
    "Dots",
    "Expected",
    "Experiment",
    "Exponential",
    "Law",
    "Mixture",
    "Normal",
    "NormalPair",
    "Panels",
    "Population",
    "Probit",
    "Quick",
    "SamplePopulation",
    "SmoothedCopy",
    "StudentT",
    "Study",
    "StudyResult",
    "TiedLaws",
    "TwoLaws",
    "Verdict",
    "audit",
    "binormal",
    "binormal_with_auc",
    "list_experiments",
    "load_experiment",
    "progress_bar",
    "run_study",
    "threshold_at_positive_rate",
]
