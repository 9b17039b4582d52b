"""Mixtures of Beta laws of a rate."""

from __future__ import annotations

import numpy as np
from scipy.special import betainc, betaln, ndtri

from confroc._types import FloatArray


def beta_mixture_quantile(a: FloatArray, b: FloatArray, weight: FloatArray, prob: float) -> float:
    """Return x at which the weighted sum of Beta distribution functions is `prob`.

    Newton's steps inside a shrinking bracket, on the scale of the angle arcsin(sqrt x), on which Beta laws
    have about the same width everywhere.
    """
    total = float(weight.sum())
    mean = a / (a + b)
    centre = float(weight @ mean) / total
    variance = float(weight @ (np.square(mean - centre) + mean * (1.0 - mean) / (a + b + 1.0))) / total
    guess = centre + float(ndtri(min(prob / total, 1.0 - 1e-16))) * np.sqrt(max(variance, 0.0))
    height = betaln(a, b)
    below, above = 0.0, np.pi / 2.0
    angle = float(np.arcsin(np.sqrt(guess))) if 0.0 < guess < 1.0 else np.pi / 4.0
    for _ in range(200):
        sine, cosine = np.sin(angle), np.cos(angle)
        x = sine * sine
        missing = prob - float(weight @ betainc(a, b, x))
        below, above = (angle, above) if missing > 0.0 else (below, angle)
        log_density = (2.0 * a - 1.0) * np.log(sine) + (2.0 * b - 1.0) * np.log(cosine) - height
        density = 2.0 * float(weight @ np.exp(log_density))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            following = angle + np.divide(missing, density)
        if not below < following < above:
            following = (below + above) / 2.0
        # The next of Newton's steps would be about the square of this one.
        if abs(following - angle) <= 1e-8 * angle:
            break
        angle = following
    return float(np.sin(following) ** 2)
