"""Coverage studies: how often intervals and bands contain the true value.

A study draws many samples from a population with known true rates, applies the methods to each, and counts.

Samples are drawn from `distributions` and `populations`. `rates`, `areas`, `comparisons`, `costs`,
`shares` and `bands` evaluate the methods, like the evaluators of `confroc.auditing`; `study`, `run` and
`store` run a study and store its counts; `experiment` and `page` compare them with a paper's statements.
"""

from confroc.auditing.coverage import Coverage
from confroc.auditing.populations import Population, SamplePopulation, threshold_at_positive_rate
from confroc.auditing.rules import Rule
from confroc.auditing.smoothed import SmoothedCopy
from confroc_lab.coverage import CellResult, StudyResult
from confroc_lab.distributions import Distribution, Exponential, LogNormal, Normal, NormalMixture, StudentT
from confroc_lab.experiment import (
    Dots,
    Expected,
    Experiment,
    Panels,
    Quick,
    list_experiments,
    load_experiment,
)
from confroc_lab.populations import (
    CopulaPair,
    NormalModels,
    NormalPair,
    TiedDistributions,
    TwoDistributions,
    binormal,
    binormal_with_auc,
)
from confroc_lab.run import run_study
from confroc_lab.study import Cell, Study

__all__ = [
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
    "binormal",
    "binormal_with_auc",
    "list_experiments",
    "load_experiment",
    "run_study",
    "threshold_at_positive_rate",
]
