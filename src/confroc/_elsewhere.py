"""Names that other libraries have and this package has not: what to write here instead."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Mapping, Sequence

from confroc._calls import AS_FUNCTIONS, BEST, ONE, SEVERAL, words_of
from confroc._check import suggest

ELSEWHERE: Mapping[str, str] = {
    **dict.fromkeys(
        words_of("roc_auc_score roc_auc auc_score auc_ci ci_auc roc_auc_ci"), f"auc_interval({ONE})"
    ),
    **dict.fromkeys(
        words_of("delong_test delong_roc_test roc_test compare_auc"), f"auc_difference({SEVERAL})"
    ),
    **dict.fromkeys(words_of("compare compare_models compare_roc"), f"auc_comparison({SEVERAL})"),
    "permutation_test": f"auc_difference({SEVERAL}, method='permutation')",
    **dict.fromkeys(words_of("partial_auc partial_roc_auc pauc"), f"auc_interval({ONE}, max_fpr=0.1)"),
    **dict.fromkeys(words_of("decision_curve decision_curve_analysis dca"), f"net_benefit({ONE}, 0.2)"),
    **dict.fromkeys(
        words_of(
            "optimal_threshold best_threshold optimal_cutoff optimal_cutpoint optimal_cutpoints cutpointr "
            "find_threshold youden youden_index youden_j TunedThresholdClassifierCV"
        ),
        BEST,
    ),
    **dict.fromkeys(words_of("RocCurveDisplay plot_roc plot_roc_curve roc_plot"), f"roc_curve({ONE}).plot()"),
    **dict.fromkeys(
        words_of("confusion_matrix classification_report precision_score recall_score f1_score"),
        f"rates_at_threshold({ONE}, 0.5)",
    ),
    **dict.fromkeys(
        words_of(
            "precision_recall_curve precision_recall_fscore_support PrecisionRecallDisplay "
            "average_precision_score average_precision pr_curve"
        ),
        f"rates_at_positive_rate({ONE}, 0.1)",
    ),
    **dict.fromkeys(words_of("det_curve DetCurveDisplay"), f"roc_curve({ONE}).plot(scale='probit')"),
    **dict.fromkeys(words_of("power_roc_test sample_size"), "auc_sample_size(0.8)"),
    **dict.fromkeys(
        words_of("calibration_curve CalibrationDisplay brier_score brier_score_loss"),
        f"calibration_band({ONE})",
    ),
    **AS_FUNCTIONS,
    "cross_val_score": "sklearn.cross_validated_auc(sklearn.from_cv_results(cv_results, X, y))",
}
"""Functions of other libraries, and what to write here."""


def not_here(
    name: str, names: Sequence[str], places: Callable[[str], Sequence[str]]
) -> AttributeError | ImportError:
    """Return the error for a public name that this package does not have, though other `places` may.

    Where it was to be imported, Python would drop what an AttributeError says, and look for a module.
    """
    is_module = importlib.util.find_spec(f"confroc.{name}") is not None
    instead, near = ELSEWHERE.get(name), suggest(name, names).strip()
    told = f"; write {instead}" if instead else f". {near}" if near else ""
    if not is_module and (homes := places(name)):
        instead, told = None, f"; write from {homes[0]} import {name}"
    # This function, the package's `__getattr__`, and what asked.
    imported = sys._getframe(2).f_code.co_name == "_handle_fromlist"
    if not imported or is_module:
        return AttributeError(f"module 'confroc' has no attribute {name!r}{told}", name=name)
    if instead:
        needed = sorted({word for word in re.findall(r"(?<![.\w])\w+", instead) if word in names})
        told = f"; write from confroc import {', '.join(needed)}; {instead}"
    return ImportError(f"cannot import name {name!r} from 'confroc'{told}", name="confroc")
