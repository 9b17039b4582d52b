"""Coverage of intervals for costs over w, sample size, sampling and design, to choose the default.

Scores are binormal with spread 3 in both classes, as in Dugas & Gadoury (2009, cost curves, section 5).
Thresholds are the theoretical optimum of each w, which near w = 0 lies outside the observed scores. By
symmetry w and 1 - w give the same coverage, so that w runs from 0.0001 to 0.5. The level is 95 %.

One model under stratified sampling: exact coverage, by summing over all pairs of error counts. The rest:
4000 samples a cell (500 for "exact_bootstrap"), seeded; the standard error at 0.95 is 0.0034 (0.0097).

Run with ``python lab/experiments/cost_default.py``; about five minutes on an idle core.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from scipy import stats

from confroc import ConfrocWarning
from confroc.auditing.formulas import (
    COST_CURVE,
    COST_DIFFERENCE,
    Binormal,
    Discordant,
    Errors,
    LinearCost,
    linear_form,
)
from confroc.cost import binormal_threshold

LEVEL = 0.95
WEIGHTS = (0.0001, 0.001, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5)
SINGLE = ("mid_p", "agresti_coull", "wald", "exact_bootstrap")
DOUBLE = ("agresti_min", "wald", "exact_bootstrap")
SIZES = (25, 100, 1000)


def model(theta: float, shift: float = 0.0) -> Binormal:
    """Positives at theta + shift, negatives at -theta, both with spread 3."""
    return Binormal(theta + shift, 3.0, -theta, 3.0)


def rates(law: Binormal, w: float) -> tuple[float, float, float]:
    """Best threshold, and the false negative and false positive rate there."""
    t = binormal_threshold(w, **law._asdict())
    fnr, fpr = law.rates(t)
    return float(t[0]), float(fnr[0]), float(fpr[0])


def ends_of(priced, method):
    """Both limits of the interval by a method, not cut to the possible range."""
    classes = (COST_CURVE if priced.alone else COST_DIFFERENCE).classes
    return classes[method]().ends(priced, LEVEL)[:2]


def covered(found, n, w, sampling, truth, method):
    """Whether each interval contains the true cost, and its width; `found` is one set of counts, or two."""
    form = linear_form(np.broadcast_to(np.float64(w), found[0][0].shape), n[0] / sum(n), sampling)
    low, high = ends_of(LinearCost.counted(found, n, form, sampling), method)
    bound = 0.0 if len(found) == 1 and isinstance(found[0], Errors) else -1.0
    low, high = np.clip(low, bound, 1.0), np.clip(high, bound, 1.0)
    # A bound that equals the truth up to rounding holds it.
    return (low <= truth + 1e-12) & (truth <= high + 1e-12), high - low


def single_stratified(theta: float, n: int, method: str) -> Iterator[tuple[float, float]]:
    """Exact coverage and mean width at each w."""
    for w in WEIGHTS:
        _, fnr, fpr = rates(model(theta), w)
        k = np.arange(n + 1)
        mass = np.multiply.outer(stats.binom.pmf(k, n, fnr), stats.binom.pmf(k, n, fpr))
        fn, fp = np.nonzero(mass > (1e-7 if method != "exact_bootstrap" else 3e-5))
        held, width = covered([Errors(fn, fp)], (n, n), w, "stratified", w * fnr + (1 - w) * fpr, method)
        p = mass[fn, fp] / mass[fn, fp].sum()
        yield float(p @ held), float(p @ width)


def full(
    theta: float, n: int, share: float, method: str, rng: np.random.Generator
) -> Iterator[tuple[float, float]]:
    """Coverage and width by simulation; each sample's own shares turn w into unit costs."""
    runs = 4000 if method != "exact_bootstrap" else 500
    for w in WEIGHTS:
        _, fnr, fpr = rates(model(theta), w)
        pos = np.clip(rng.binomial(n, share, runs), 1, n - 1)
        fn, fp = rng.binomial(pos, fnr), rng.binomial(n - pos, fpr)
        held, width = np.zeros(runs, bool), np.zeros(runs)
        for size in np.unique(pos):
            rows = pos == size
            classes = int(size), int(n - size)
            alpha, beta = linear_form(np.array([w]), size / n, "full")
            truth = alpha[0] * share * fnr + beta[0] * (1 - share) * fpr
            held[rows], width[rows] = covered([Errors(fn[rows], fp[rows])], classes, w, "full", truth, method)
        yield float(held.mean()), float(width.mean())


def two_models(
    theta: float, shift: float, rho: float, n: int, method: str, rng: np.random.Generator
) -> Iterator[tuple[float, float]]:
    """Coverage and width of the difference of two models, on the same cases unless rho is zero."""
    runs = 4000 if method != "exact_bootstrap" else 500
    a, b = model(theta), model(theta, shift)
    for w in WEIGHTS:
        (t_a, fnr_a, fpr_a), (t_b, fnr_b, fpr_b) = rates(a, w), rates(b, w)
        cells = []
        for mean_a, mean_b, wrong_a, wrong_b, sign in (
            (a.mean_pos, b.mean_pos, fnr_a, fnr_b, 1.0),
            (a.mean_neg, b.mean_neg, fpr_a, fpr_b, -1.0),
        ):
            z = [sign * (t_a - mean_a) / 3.0, sign * (t_b - mean_b) / 3.0]
            both = float(stats.multivariate_normal(cov=[[1, rho], [rho, 1]]).cdf(z))
            p = np.clip([both, wrong_a - both, wrong_b - both, 1 - wrong_a - wrong_b + both], 0.0, 1.0)
            cells.append(rng.multinomial(n, p / p.sum(), size=runs).T)
        (pos_both, fn_a, fn_b, _), (neg_both, fp_a, fp_b, _) = cells
        truth = w * (fnr_a - fnr_b) + (1 - w) * (fpr_a - fpr_b)
        if rho == 0.0:
            found = [Errors(pos_both + fn_a, neg_both + fp_a), Errors(pos_both + fn_b, neg_both + fp_b)]
        else:
            found = [Discordant(fn_b, fn_a, fp_a, fp_b)]
        held, width = covered(found, (n, n), w, "stratified", truth, method)
        yield float(held.mean()), float(width.mean())


def report(title: str, rows: list[tuple[str, list[tuple[float, float]]]]) -> None:
    """One line per method: coverage at each w, the least, and the mean width."""
    print(f"\n{title}")
    print(f"{'':16}" + "".join(f"{w:>8g}" for w in WEIGHTS) + "   least  width")
    for method, cells in rows:
        coverage = [c for c, _ in cells]
        width = float(np.mean([width for _, width in cells]))
        print(f"{method:16}" + "".join(f"{c:8.3f}" for c in coverage) + f"{min(coverage):8.3f} {width:6.4f}")


def main() -> None:
    """Print all tables."""
    warnings.simplefilter("ignore", ConfrocWarning)
    for theta in (0.75, 3.0):
        for n in SIZES:
            rows = [(m, list(single_stratified(theta, n, m))) for m in SINGLE]
            report(f"one model, stratified, theta = {theta}, {n} + {n} cases", rows)
    for share in (0.5, 0.1):
        for n in SIZES:
            rows = [(m, list(full(3.0, 2 * n, share, m, np.random.default_rng(n)))) for m in SINGLE]
            report(f"one model, full, theta = 3, {2 * n} cases, {share:.0%} positives", rows)
    for theta, shift, rho in ((1.0, 2.0, 0.3), (3.0, 0.0, 0.6), (3.0, 2.0, 0.9), (3.0, 2.0, 0.0)):
        for n in SIZES:
            methods = DOUBLE if rho or n < 1000 else DOUBLE[:2]
            rows = [(m, list(two_models(theta, shift, rho, n, m, np.random.default_rng(n)))) for m in methods]
            design = f"paired, rho {rho}" if rho else "unpaired"
            report(f"difference, {design}, theta = {theta}, shift {shift}, {n} + {n} cases", rows)


if __name__ == "__main__":
    main()
