"""Quantitative definitions of the papers' words, shared by all studies.

The numbers are ours; where a paper states one, it is used. `statements.py` prints the table.
"""

WORDS = {
    "severe break": (0.75, "a severe break or drop: coverage at 90 %, at most; without one, at least"),
    "break": (0.8, "a break or drop: at most"),
    "no break": (0.85, "no break, or breaks avoided: at least"),
    "drastic": (0.3, "drastic falls, much lower: difference of two coverages, at least"),
    "stronger": (0.1, "a stronger drop: difference of two mean coverages, at least"),
    "declines": (0.05, "accuracy declines: difference of two mean coverages, at least"),
    "drops": (0.02, "drops, from one rate to another: difference of two coverages, at least"),
    "somewhat": (0.06, "only somewhat: difference of two coverages, at most"),
    "overconservative": (0.97, "substantially or overly conservative: coverage, at least"),
    "poor power": (0.5, "very poor power: power, at most"),
    "large": (0.1, "sufficiently large: probability, at least"),
    "unlikely": (0.1, "very unlikely: coverage, at most"),
    "off target": (0.85, "not on target: coverage of an interval of 90 %, at most"),
    "narrow": (0.1, "a very narrow range on target: mean distance from the level over all places, at least"),
    "many more": (0.02, "more errors on one side: difference of two proportions, at least"),
    "low": (0.93, "low coverage of an interval of 95 %, at most"),
    "much": (0.05, "much wider, much better: area, or difference of two coverages, at least"),
    "decides": (0.1, "decides more: difference of two coverages, at least"),
    "too much": (0.99, "over-covers, at a level of 95 %: at least"),
    "by far wider": (0.04, "by far the widest: difference of two widths of intervals of areas, at least"),
    "far below": (0.85, "far below 95 %: at most"),
    "enough": (0.85, "enough: proportion of estimates that are inside, at least"),
    "not enough": (0.75, "not enough: at most"),
    "grows": (0.02, "a width that grows: difference of two widths, at least; one that does not, at most"),
    "far from": (0.8, "far from, or not near, a bound of 95 %: at most; close to it: at least"),
    "narrower": (0.002, "narrower: difference of two bands' areas, at least"),
    "too wide": (0.45, "too wide: of a band's area times the root of n, about 4.5, a tenth at least"),
    "not robust": (0.5, "not robust: proportion of curves inside, at most"),
    "equally badly": (0.62, "fares equally badly: proportion of curves inside, at most"),
    "few": (0.02, "few directions: proportion, at most"),
    "most": (0.75, "most directions: proportion, at least"),
}  # fmt: skip
"""The number of a word, and its meaning."""


def meant(word: str) -> float:
    """Return the number of a word."""
    return WORDS[word][0]
