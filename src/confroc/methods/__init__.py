"""The register of methods: one row a method, read by everything that names one.

>>> from confroc import methods
>>> methods.FUNCTIONS["roc_band"].default
'equal_local_levels'
"""

from confroc.methods.auc import AUC_COMPARISON, AUC_DIFFERENCE, AUC_INTERVAL, AUC_POWER, AUC_SAMPLE_SIZE
from confroc.methods.bands import CALIBRATION_BAND, ROC_BAND, ROC_DIFFERENCE_BAND
from confroc.methods.cost import COST_FUNCTIONS
from confroc.methods.drift import AUC_FORECAST
from confroc.methods.papers import PAPERS, Paper
from confroc.methods.points import (
    DOMINANCE_AT_THRESHOLD,
    FPR_AT_TPR,
    RATES_AT_POSITIVE_RATE,
    RATES_AT_THRESHOLD,
    RATES_DIFFERENCE_AT_POSITIVE_RATE,
    RATES_DIFFERENCE_AT_THRESHOLD,
    TPR_AT_FPR,
    TPR_DIFFERENCE_AT_FPR,
)
from confroc.methods.register import Function, Method

FUNCTIONS: dict[str, Function] = {
    entry.name: entry
    for entry in (
        RATES_AT_THRESHOLD,
        TPR_AT_FPR,
        FPR_AT_TPR,
        RATES_AT_POSITIVE_RATE,
        RATES_DIFFERENCE_AT_THRESHOLD,
        TPR_DIFFERENCE_AT_FPR,
        RATES_DIFFERENCE_AT_POSITIVE_RATE,
        DOMINANCE_AT_THRESHOLD,
        AUC_INTERVAL,
        AUC_DIFFERENCE,
        AUC_COMPARISON,
        AUC_POWER,
        AUC_SAMPLE_SIZE,
        ROC_BAND,
        ROC_DIFFERENCE_BAND,
        CALIBRATION_BAND,
        *COST_FUNCTIONS,
        AUC_FORECAST,
    )
}
"""Every function that offers methods, by name."""

__all__ = ["FUNCTIONS", "PAPERS", "Function", "Method", "Paper"]
