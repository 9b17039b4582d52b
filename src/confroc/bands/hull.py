"""Hull of the curves with central AUCs."""

from __future__ import annotations

import numpy as np

from confroc._types import FloatArray, IntArray
from confroc.bands.curves import Curves, CurvesBand
from confroc.bands.edges import Edges
from confroc.base import method_class
from confroc.curve import area_of_counts, turns_of_counts
from confroc.resample import percentile_ends
from confroc.results import one_sided_limits


@method_class
class AucHull(CurvesBand):
    """Hull of the curves with central AUCs.

    Upper and lower hull of the resampled curves with central AUCs (Macskassy & Provost 2004, §6).
    """

    name = "auc_hull"
    papers = ("macskassy2004",)
    caution = "No coverage guarantee; under-covers in simulations."
    guarantee = "none"

    def edges(self, curves: Curves, level: float) -> Edges:
        """Upper and lower hull of the curves with the central `level` of the AUCs.

        Between grid points the hull is constant, at the curves' extremes: exact for step curves unless they
        have too many joints.
        """
        at = curves.grid

        def ends(pos: IntArray, neg: IntArray, _: FloatArray) -> FloatArray:
            fp, tp = turns_of_counts(pos, neg)
            area = area_of_counts(np.diff(tp), np.diff(fp))
            left, right = one_sided_limits(fp / fp[-1], tp / tp[-1], at)
            return np.stack([right[:-1], left[1:], np.full(len(at) - 1, area)])

        drawn = curves.each(ends)
        area = drawn[:, 2, 0]
        low, high = percentile_ends(area, level)
        middle = drawn[(area >= low) & (area <= high)]
        # The value of strip j is the right limit at abscissa j and the left limit at j + 1.
        lower = np.concatenate([[0.0], np.repeat(middle[:, 0].min(axis=0), 2), [1.0]])
        upper = np.concatenate([[0.0], np.repeat(middle[:, 1].max(axis=0), 2), [1.0]])
        return Edges(np.repeat(at, 2), lower, upper)
