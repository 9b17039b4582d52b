"""Populations that are not binormal, for this project's own studies of its defaults.

No increasing transform of the scores makes any of these curves binormal.
"""

from __future__ import annotations

from confroc_lab import (
    CopulaPair,
    Exponential,
    LogNormal,
    Normal,
    NormalMixture,
    TiedDistributions,
    TwoDistributions,
)

MODELS: dict[str, TwoDistributions] = {
    # Area 0.80: 1 − FPR^(1/4) is the miss rate, so positives reach far up and far down.
    "exponential": TwoDistributions(Exponential(4.0), Exponential(1.0)),
    # Area 0.80; negatives have the longer tail, so the curve starts flat.
    "long-tailed negatives": TwoDistributions(Normal(2.72, 1.0), LogNormal(0.0, 1.0)),
    # Area 0.84; three in ten positives look like negatives.
    "mixture": TwoDistributions(NormalMixture((0.3, 0.7), (Normal(0.0, 1.0), Normal(2.9, 0.7))), Normal()),
    # Area 0.97.
    "strong": TwoDistributions(LogNormal(1.5, 0.6), Exponential(0.9)),
    # Area 0.80 in some six levels, as raters give them.
    "levels": TiedDistributions(
        NormalMixture((0.5, 0.5), (Normal(0.5, 0.8), Normal(2.2, 0.8))), Normal(), step=1.0
    ),
    # Area 0.81; two decimals of something like a probability.
    "rounded": TiedDistributions(
        NormalMixture((0.4, 0.6), (Normal(0.35, 0.1), Normal(0.6, 0.15))), Normal(0.3, 0.12), step=0.01
    ),
}

PAIRS: dict[str, CopulaPair] = {
    "alike": CopulaPair(MODELS["exponential"], MODELS["long-tailed negatives"], 0.6),
    "strong and weak": CopulaPair(MODELS["strong"], MODELS["exponential"], 0.5),
    "rounded": CopulaPair(MODELS["rounded"], MODELS["levels"], 0.4),
    "crossing": CopulaPair(MODELS["mixture"], MODELS["long-tailed negatives"], 0.3),
}
