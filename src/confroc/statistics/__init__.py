"""Statistics, which `confroc.interval`, `confroc.difference` and `confroc.comparison` accept."""

from confroc.statistics.abstention import Auarc, Aurc
from confroc.statistics.area import Auc, Gini
from confroc.statistics.cost import Cost, CostPerCase, NetBenefit
from confroc.statistics.custom import Custom
from confroc.statistics.equal_error import EqualErrorRate
from confroc.statistics.metrics import Metric
from confroc.statistics.precision import AveragePrecision, PrecisionAtRecall
from confroc.statistics.proper import BrierScore, LogLoss
from confroc.statistics.rates import FprAtTpr, RatesAtPositiveRate, RatesAtThreshold, TprAtFpr
from confroc.statistics.separation import KolmogorovSmirnov

__all__ = [
    "Auarc",
    "Auc",
    "Aurc",
    "AveragePrecision",
    "BrierScore",
    "Cost",
    "CostPerCase",
    "Custom",
    "EqualErrorRate",
    "FprAtTpr",
    "Gini",
    "KolmogorovSmirnov",
    "LogLoss",
    "Metric",
    "NetBenefit",
    "PrecisionAtRecall",
    "RatesAtPositiveRate",
    "RatesAtThreshold",
    "TprAtFpr",
]
