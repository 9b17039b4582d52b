"""Large-sample variances of areas, per positive and per negative, under binormal models or from a pilot."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import special

from confroc.influence import delong_variances
from confroc.models import BinormalModel
from confroc.scores import Scores


class Parts(NamedTuple):
    """A variance times n₊ as pos + neg/ratio, with ratio = n₋/n₊."""

    pos: float
    neg: float

    def at(self, ratio: float) -> float:
        """Variance times n₊ at a ratio of the class sizes."""
        return self.pos + self.neg / ratio


def _tetrachoric(h: float, k: float, correlation: float) -> float:
    """P(X ≤ h, Y ≤ k) − Φ(h)Φ(k) for standard normals: Plackett's (1954) integral."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    half = 0.5 * math.asin(correlation)
    r = np.sin(half * (nodes + 1.0))
    integrand = np.exp(-(h * h + k * k - 2.0 * h * k * r) / (2.0 * (1.0 - r * r)))
    return float(np.dot(weights, integrand)) * half / (2.0 * math.pi)


def empirical_covariance(
    first: BinormalModel, second: BinormalModel, correlation: tuple[float, float]
) -> Parts:
    """Covariance times n₊ of two empirical areas under binormal models, to first order; a variance if equal.

    Each part is the covariance of the two models' placements, Φ of normal scores, within a class.
    """
    h, k = (float(special.ndtri(m.auc)) for m in (first, second))
    scale = math.sqrt((1.0 + first.b**2) * (1.0 + second.b**2))
    r_pos, r_neg = correlation
    return Parts(_tetrachoric(h, k, r_pos / scale), _tetrachoric(h, k, r_neg * first.b * second.b / scale))


def _slopes(model: BinormalModel) -> tuple[float, float]:
    """Derivatives of the area in a and in b."""
    scale = 1.0 + model.b**2
    f = math.exp(-(model.a**2) / 2.0 / scale) / math.sqrt(2.0 * math.pi * scale)
    return f, -f * model.a * model.b / scale


def obuchowski_variance(model: BinormalModel) -> Parts:
    """Variance of a binormal area times n₊ (Obuchowski & McClish 1997), â and b̂ taken as uncorrelated."""
    f, g = _slopes(model)
    a, b = model.a, model.b
    return Parts(f * f * (1.0 + a * a / 2.0) + g * g * b * b / 2.0, f * f * b * b + g * g * b * b / 2.0)


def obuchowski_covariance(
    first: BinormalModel, second: BinormalModel, correlation: tuple[float, float]
) -> Parts:
    """Covariance of two binormal areas times n₊ (Obuchowski & McClish 1997)."""
    (f1, g1), (f2, g2) = _slopes(first), _slopes(second)
    (a1, b1), (a2, b2) = (first.a, first.b), (second.a, second.b)
    r_pos, r_neg = correlation
    pos = f1 * f2 * (r_pos + r_pos**2 * a1 * a2 / 2.0) + g1 * g2 * b1 * b2 * r_pos**2 / 2.0
    pos += (f1 * g2 * a1 * b2 + f2 * g1 * a2 * b1) * r_pos**2 / 2.0
    return Parts(pos, f1 * f2 * r_neg * b1 * b2 + g1 * g2 * b1 * b2 * r_neg**2 / 2.0)


def sum_parts(*terms: tuple[float, Parts]) -> Parts:
    """Weighted sum of variances."""
    return Parts(sum(w * p.pos for w, p in terms), sum(w * p.neg for w, p in terms))


def delong_parts(scores: Scores) -> Parts:
    """DeLong's variance of a pilot sample's area."""
    of_pos, of_neg = delong_variances(scores)
    return Parts(of_pos * scores.n_pos, of_neg * scores.n_neg)
