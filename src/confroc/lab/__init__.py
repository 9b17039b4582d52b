"""The coverage laboratory, which counts how often intervals and bands contain the true value.

A study draws many samples from a population whose truth is known, gives each to the methods, and counts
how often what they claim is true.

`distributions` and `populations` say what is drawn, `samples` draws it, `rules` says what is claimed;
`rates`, `areas`, `comparisons`, `costs` and `bands` judge it, `coverage` adds it up, `study` and `run` put it
together and `store` keeps the counts as they come in.
"""

from confroc.lab.audit import Audit, Verdict, audit
from confroc.lab.coverage import CellResult, Coverage, StudyResult
from confroc.lab.distributions import Distribution, Exponential, LogNormal, Normal, NormalMixture, StudentT
from confroc.lab.experiment import (
    Dots,
    Expected,
    Experiment,
    Panels,
    Quick,
    list_experiments,
    load_experiment,
)
from confroc.lab.populations import (
    CopulaPair,
    NormalModels,
    NormalPair,
    Population,
    SamplePopulation,
    TiedDistributions,
    TwoDistributions,
    binormal,
    binormal_with_auc,
    threshold_at_positive_rate,
)
from confroc.lab.rules import Rule
from confroc.lab.run import progress_bar, run_study
from confroc.lab.smoothed import SmoothedCopy
from confroc.lab.study import Cell, Study

__all__ = [
    "Audit",
    "Cell",
    "CellResult",
    "CopulaPair",
    "Coverage",
    "Distribution",
    "Dots",
    "Expected",
    "Experiment",
    "Exponential",
    "LogNormal",
    "Normal",
    "NormalMixture",
    "NormalModels",
    "NormalPair",
    "Panels",
    "Population",
    "Quick",
    "Rule",
    "SamplePopulation",
    "SmoothedCopy",
    "StudentT",
    "Study",
    "StudyResult",
    "TiedDistributions",
    "TwoDistributions",
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
