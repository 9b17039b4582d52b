"""Smooth models of an ROC curve: binormal by maximum likelihood, and kernel estimates.

Both have `tpr(fpr)`, `auc` and `sample(n_pos, n_neg, rng)`. The binormal model is invariant under increasing
transforms of the scores; the kernel model is not.
"""

from confroc.models.bandwidths import hall_hyndman_bandwidths
from confroc.models.binormal import BinormalModel
from confroc.models.binormal_fit import truth_runs
from confroc.models.kernel import KernelModel

__all__ = ["BinormalModel", "KernelModel", "hall_hyndman_bandwidths", "truth_runs"]
