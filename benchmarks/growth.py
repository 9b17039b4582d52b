"""Time against sample size for every public function.

Run it by `python benchmarks/growth.py [--most 1e7] [--only NAME ...] [--memory]`.

Prints, per function, the processor time at each size (of all threads together; other programs' load matters
little to it) and the slope of log time on log n from the time a call takes a hundredth of a second on: 1 is
proportional growth, and `numpy.sort` stands by for comparison. Grids have 49 points and resampling methods
few resamples, whatever n. A function stops growing when a call has taken --patience seconds.

With --memory it prints instead the peak of what each allocates, from the arrays of labels and scores to the
result, over the size of those arrays, which are not counted, at --most cases.

Public names without an entry are an error: those left out say why in `LEFT_OUT`.
"""

from __future__ import annotations

import argparse
import math
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import confroc
from confroc import PairedScores, Scores, ScoreStream, UnpairedScores, _kernels
from confroc.sklearn import CrossValidatedScores, cross_validated_auc, cross_validated_auc_difference

F = np.linspace(0.02, 0.98, 49)
FEW = 50
"""Resamples, the fewest that an interval of level 0.95 has some beyond both its ends."""

MEASURABLE = 0.01
"""Seconds from which a call's time is its work on the data, not its set-up."""

FROM_FILES = ("read_scores", "read_scores resolution", "read_counts")
"""What reads files, which are not counted either."""

PAIRED = ("PairedScores", "read_scores resolution")
"""What makes a pair of its own."""

LEFT_OUT = {
    "statistics": "holds what the three functions for any statistic are measured with",
    "UnpairedScores": "holds two Scores, and does no work",
    "sklearn": "its time is the estimators' own, but for cross-validated areas",
    "cost": "holds the functions below, and arithmetic of costs",
    "methods": "says what methods there are",
    "report": "writes what the functions below return",
    "results": "is what functions return",
    "audit": "simulates samples for the functions below",
    "auditing": "holds `audit`",
    "plot": "draws results; `RocCurve.corners` is what a curve loses before it is drawn",
}
"""Public names that are not measured; results, warnings and exceptions besides."""


class Sample:
    """One sample of each size, shared by the functions."""

    def __init__(self, n: int, folder: Path) -> None:
        rng = np.random.default_rng(n)
        self.y = rng.integers(0, 2, n)
        self.a = rng.normal(size=n) + self.y
        self.b = 0.5 * self.a + rng.normal(size=n)
        self.folder, self.n = folder, n

    @cached_property
    def scores(self) -> Scores:
        """Model a's scores."""
        return Scores(self.y, self.a)

    @cached_property
    def pair(self) -> PairedScores:
        """Both models' scores."""
        return PairedScores(self.y, self.a, self.b)

    @cached_property
    def three(self) -> PairedScores:
        """Three models' scores."""
        return PairedScores(self.y, self.a, self.b, self.b - 0.5 * self.a)

    @cached_property
    def halves(self) -> tuple[Scores, Scores]:
        """Two test sets."""
        half = self.n // 2
        return Scores(self.y[:half], self.a[:half]), Scores(self.y[half:], self.a[half:])

    @cached_property
    def counts(self) -> Path:
        """A file of counts."""
        return confroc.write_counts(self.scores, path=self.folder / f"counts{self.n}.parquet")

    @cached_property
    def rows(self) -> Path:
        """A file of rows."""
        import pandas as pd

        path = self.folder / f"rows{self.n}.parquet"
        pd.DataFrame({"y": self.y, "a": self.a, "b": self.b}).to_parquet(path)
        return path

    @cached_property
    def cut(self) -> float:
        """A threshold in the middle."""
        return float(self.scores.score[len(self.scores.score) // 2])


def cross_validated(s: Sample, score: NDArray[np.float64]) -> CrossValidatedScores:
    """Five folds."""
    return CrossValidatedScores(s.y, [(np.arange(i, s.n, 5), score[i::5]) for i in range(5)])


def stream(s: Sample) -> None:
    counter = ScoreStream.even(-5.0, 6.0)
    counter.update(s.y, s.a)
    counter.scores()


Work = Callable[[Sample], object]

BANDS = (
    "vertical_averaging",
    "threshold_averaging",
    "ks_regions",
    "fixed_width",
    "working_hotelling",
    "bootstrap",
    "auc_hull",
)


def band(method: str) -> Work:
    few = confroc.methods.FAMILIES["roc_band"].taken(method, {"n_resamples": FEW})
    return lambda s: confroc.roc_band(s.scores, method=method, rng=0, **few)


GROUPS: dict[str, dict[str, Work]] = {
    "Data": {
        "numpy.sort": lambda s: np.sort(s.a),
        "Scores": lambda s: Scores(s.y, s.a),
        "PairedScores": lambda s: PairedScores(s.y, s.a, s.b),
        "Scores.merge": lambda s: s.halves[0].merge(s.halves[1]),
        "ScoreStream": stream,
        "read_scores": lambda s: confroc.read_scores(s.rows, label="y", score="a"),
        "read_scores resolution": lambda s: confroc.read_scores(
            s.rows, label="y", score=("a", "b"), resolution=1000
        ),
        "write_counts": lambda s: confroc.write_counts(s.scores, path=s.folder / "written.parquet"),
        "read_counts": lambda s: confroc.read_counts(s.counts),
        "roc_curve": lambda s: confroc.roc_curve(s.scores),
        "RocCurve.convex_hull": lambda s: confroc.roc_curve(s.scores).convex_hull(),
        "RocCurve.corners": lambda s: confroc.roc_curve(s.scores).corners(),
        "RocCurve.partial_auc": lambda s: confroc.roc_curve(s.scores).partial_auc(max_fpr=0.2),
    },
    "Points": {
        "rates_at_threshold": lambda s: confroc.rates_at_threshold(s.scores, threshold=F),
        "tpr_at_fpr": lambda s: confroc.tpr_at_fpr(s.scores, fpr=F),
        "tpr_at_fpr exact_bootstrap": lambda s: confroc.tpr_at_fpr(s.scores, fpr=F, method="exact_bootstrap"),
        "tpr_at_fpr bootstrap": lambda s: confroc.tpr_at_fpr(
            s.scores, fpr=F, method="bootstrap", n_resamples=FEW, rng=0
        ),
        "tpr_at_fpr kernel": lambda s: confroc.tpr_at_fpr(s.scores, fpr=F, method="kernel"),
        "fpr_at_tpr": lambda s: confroc.fpr_at_tpr(s.scores, tpr=F),
        "tpr_at_fpr smoothed_bootstrap": lambda s: confroc.tpr_at_fpr(
            s.scores, fpr=F, method="smoothed_bootstrap", n_resamples=FEW, rng=0
        ),
        "rates_at_positive_rate": lambda s: confroc.rates_at_positive_rate(s.scores, positive_rate=F),
        "rates_at_positive_rate stratified": lambda s: confroc.rates_at_positive_rate(
            s.scores, positive_rate=F, sampling="stratified"
        ),
        "risk_coverage_curve": lambda s: confroc.risk_coverage_curve(s.scores, coverage=F),
        "confusion_at_threshold": lambda s: confroc.confusion_at_threshold(s.scores, threshold=0.5),
        "exact.tpr_pmf": lambda s: confroc.exact.tpr_pmf(s.scores, fpr=0.2),
        "exact.threshold_pmf": lambda s: confroc.exact.threshold_pmf(s.scores, fpr=0.2),
    },
    "Points of two models": {
        "rates_difference_at_threshold": lambda s: confroc.rates_difference_at_threshold(
            s.pair, threshold_a=F, threshold_b=F
        ),
        "rates_difference_at_positive_rate": lambda s: confroc.rates_difference_at_positive_rate(
            s.pair, positive_rate=F[::8]
        ),
        "aligned_thresholds": lambda s: confroc.aligned_thresholds(s.pair, threshold_a=F, by="calibration"),
        "dominance_at_threshold": lambda s: confroc.dominance_at_threshold(
            s.pair, threshold_a=F, threshold_b=F
        ),
        "tpr_difference_at_fpr": lambda s: confroc.tpr_difference_at_fpr(s.pair, fpr=F),
        "tpr_difference_at_fpr exact_bootstrap": lambda s: confroc.tpr_difference_at_fpr(
            s.pair, fpr=F[::8], method="exact_bootstrap"
        ),
        "tpr_difference_at_fpr unpaired": lambda s: confroc.tpr_difference_at_fpr(
            UnpairedScores(*s.halves), fpr=F
        ),
    },
    "Area and drift": {
        "auc_interval": lambda s: confroc.auc_interval(s.scores),
        "auc_interval delong": lambda s: confroc.auc_interval(s.scores, method="delong"),
        "auc_interval bootstrap": lambda s: confroc.auc_interval(
            s.scores, method="bootstrap", n_resamples=FEW, rng=0
        ),
        "auc_difference": lambda s: confroc.auc_difference(s.pair),
        "interval": lambda s: confroc.interval(s.scores, confroc.statistics.AveragePrecision()),
        "difference": lambda s: confroc.difference(s.pair, confroc.statistics.AveragePrecision()),
        "comparison": lambda s: confroc.comparison(s.three, confroc.statistics.AveragePrecision()),
        "ratio": lambda s: confroc.ratio(s.pair, confroc.statistics.Metric("ppv", threshold=0.5)),
        "average_precision": lambda s: confroc.average_precision(s.scores),
        "average_precision_difference": lambda s: confroc.average_precision_difference(s.pair),
        "equal_error_rate": lambda s: confroc.equal_error_rate(s.scores),
        "precision_at_recall": lambda s: confroc.precision_at_recall(s.scores, recall=F[::8]),
        "pr_curve": lambda s: confroc.pr_curve(s.scores),
        "pr_band": lambda s: confroc.pr_band(s.scores, n_resamples=FEW, rng=0),
        "auc_comparison": lambda s: confroc.auc_comparison(s.three),
        "curve_test": lambda s: confroc.curve_test(s.pair, n_resamples=FEW, rng=0),
        "reader_comparison": lambda s: confroc.reader_comparison(
            s.y, {"u": {"x": s.a, "y": s.b}, "v": {"x": s.b, "y": s.a + s.b}}
        ),
        "CrossValidatedScores": lambda s: cross_validated(s, s.a),
        "cross_validated_auc": lambda s: cross_validated_auc(cross_validated(s, s.a)),
        "cross_validated_auc_difference": lambda s: cross_validated_auc_difference(
            cross_validated(s, s.a), cross_validated(s, s.b)
        ),
        "auc_test": lambda s: confroc.auc_test(
            s.scores, null_auc=0.76, method="nearest_population", n_resamples=FEW, rng=0
        ),
        "auc_equality_test": lambda s: confroc.auc_equality_test(s.pair, n_resamples=FEW, rng=0),
        "auc_power": lambda s: confroc.auc_power(s.scores, n_pos=100, n_neg=100),
        "auc_sample_size": lambda s: confroc.auc_sample_size(s.scores, power=0.8),
        "threshold_at": lambda s: confroc.threshold_at(s.scores, fpr=0.1),
        "rate_sample_size": lambda _: confroc.rate_sample_size(0.8, fpr=0.1, width=0.1),
        "power": lambda s: confroc.power(s.pair, confroc.statistics.Auc(), n_pos=100),
        "sample_size": lambda s: confroc.sample_size(s.scores, confroc.statistics.Auc(), width=0.1),
        "BinormalModel.fit": lambda s: confroc.BinormalModel.fit(s.scores),
        "KernelModel.fit": lambda s: confroc.KernelModel.fit(s.scores),
        "auc_forecast": lambda s: confroc.auc_forecast(s.scores, radius=0.02),
        "auc_forecast difference": lambda s: confroc.auc_forecast(s.pair, radius=0.02),
        "auc_forecast segments": lambda s: confroc.auc_forecast(s.scores, segments=s.halves),
        "forecast_curve": lambda s: confroc.forecast_curve(s.scores, radius=[0.01, 0.02]),
        "nearest_distribution": lambda s: confroc.nearest_distribution(s.scores, auc=0.7),
        "drift_monitor": lambda s: confroc.drift_monitor(s.scores, s.halves),
    },
    "Bands": {
        "calibration_band": lambda s: confroc.calibration_band(s.scores),
        "roc_band": lambda s: confroc.roc_band(s.scores, n_resamples=FEW, rng=0),
        **{f"roc_band {method}": band(method) for method in BANDS},
        "roc_difference_band": lambda s: confroc.roc_difference_band(s.pair, n_resamples=FEW, rng=0),
    },
    "Costs": {
        "cost.lower_envelope": lambda s: confroc.cost.lower_envelope(s.scores),
        "cost_curve": lambda s: confroc.cost_curve(s.scores, w=F),
        "cost_curve exact_bootstrap": lambda s: confroc.cost_curve(s.scores, w=F, method="exact_bootstrap"),
        "cost_difference": lambda s: confroc.cost_difference(s.pair, w=F),
        "cost_band": lambda s: confroc.cost_band(s.scores, w=F, n_resamples=FEW, rng=0),
        "cost_difference_band": lambda s: confroc.cost_difference_band(s.pair, w=F, n_resamples=FEW, rng=0),
        "cost.cost_optimism": lambda s: confroc.cost.cost_optimism(s.scores, w=F, folds=5, repeats=1, rng=0),
        "best_threshold": lambda s: confroc.best_threshold(s.scores, criterion="f1", n_resamples=FEW, rng=0),
        "expected_cost": lambda s: confroc.expected_cost(
            s.scores, false_negative=5, false_positive=1, n_resamples=FEW, rng=0
        ),
        "expected_cost_difference": lambda s: confroc.expected_cost_difference(
            s.pair, false_negative=5, false_positive=1, threshold_a=s.cut, threshold_b=s.cut
        ),
        "net_benefit": lambda s: confroc.net_benefit(s.scores, risk=F, threshold=s.cut),
        "net_benefit_difference": lambda s: confroc.net_benefit_difference(
            s.pair, risk=F, threshold_a=s.cut, threshold_b=s.cut
        ),
    },
}  # fmt: skip
FUNCTIONS = {name: work for group in GROUPS.values() for name, work in group.items()}


def unmeasured() -> list[str]:
    """Public functions and data classes that neither `FUNCTIONS` nor `LEFT_OUT` knows."""
    from confroc.results import Result

    known = {name.split()[0].split(".")[0] for name in FUNCTIONS} | set(LEFT_OUT)
    missing = []
    for name in confroc.__all__:
        value = getattr(confroc, name)
        passive = isinstance(value, type) and issubclass(value, Result | Warning | tuple)
        if name not in known and not passive:
            missing.append(name)
    return missing


def least(work: Work, sample: Sample, warm: bool) -> float:
    """Least processor time of three calls, or of one if calls take long; one to `warm` up is not counted."""
    if warm:
        work(sample)
    times: list[float] = []
    while len(times) < 3 and sum(times) < 0.5:
        start = time.process_time()
        work(sample)
        times.append(time.process_time() - start)
    return min(times)


def measure(sizes: list[int], patience: float, functions: dict[str, Work]) -> dict[str, dict[int, float]]:
    """Seconds per function and size."""
    found: dict[str, dict[int, float]] = {name: {} for name in functions}
    stopped: set[str] = set()
    # Where a sample, a class or one of five folds of it is first that long, kernels are compiled, and that is
    # not growth.
    compiled = range(_kernels.BIG, 16 * _kernels.BIG)
    with tempfile.TemporaryDirectory(prefix="confroc-") as folder:
        for n in sizes:
            sample = Sample(n, Path(folder))
            # The sample's own parts are not growth either.
            for part in ("scores", "pair", "three", "halves", "counts", "rows"):
                getattr(sample, part)
            for name, function in functions.items():
                if name in stopped:
                    continue
                try:
                    found[name][n] = least(function, sample, warm=n == sizes[0] or n in compiled)
                except (TypeError, ValueError) as error:
                    print(f"{name}: left out at n = {n:.0e}: {error}")
                    stopped.add(name)
                    continue
                if found[name][n] > patience:
                    stopped.add(name)
                print(f"{n:9.0e} {found[name][n]:9.4f} s  {name}", flush=True)
    return found


def peak(name: str, n: int, folder: Path) -> float:
    """Most bytes held at once on the way from arrays to the result, over the bytes of those arrays."""
    function = FUNCTIONS[name]
    function(Sample(min(n, 300_000), folder))
    sample = Sample(n, folder)
    if name in FROM_FILES:
        function(sample)
    tracemalloc.start()
    function(sample)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if "three" in vars(sample):
        models = 3
    elif "pair" in vars(sample) or name in PAIRED or name.endswith("difference"):
        models = 2
    else:
        models = 1
    return most / (sample.y.nbytes + models * sample.a.nbytes)


def slope(times: dict[int, float]) -> float:
    """Slope of log time on log n where the time is measurable, by least squares; NaN from one point."""
    kept = {n: t for n, t in times.items() if t >= MEASURABLE}
    if len(kept) < 2:
        return math.nan
    return float(np.polyfit(np.log(list(kept)), np.log(list(kept.values())), 1)[0])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=float, default=1e7)
    parser.add_argument("--steps", type=int, default=2, help="sizes a decade")
    parser.add_argument("--patience", type=float, default=20.0)
    parser.add_argument("--only", nargs="+", default=list(FUNCTIONS), metavar="NAME")
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    if unmeasured():
        parser.error(f"public names that are not measured: {', '.join(unmeasured())}")
    warnings.simplefilter("ignore")
    if options.memory:
        print(f"peak memory over the input arrays, n = {options.most:.0e}")
        with tempfile.TemporaryDirectory(prefix="confroc-") as folder:
            for name in options.only:
                print(f"{name:40}{peak(name, int(options.most), Path(folder)):9.2f}", flush=True)
        return
    steps = range(3 * options.steps, round(options.steps * math.log10(options.most)) + 1)
    sizes = [round(10 ** (k / options.steps)) for k in steps]
    found = measure(sizes, options.patience, {name: FUNCTIONS[name] for name in options.only})
    print(f"{'':40}" + "".join(f"{n:>9.0e}" for n in sizes) + "    slope")
    for name, times in found.items():
        cells = "".join(f"{times[n]:9.4f}" if n in times else f"{'':9}" for n in sizes)
        print(f"{name:40}{cells}{slope(times):9.2f}", flush=True)
    for name, why in LEFT_OUT.items():
        print(f"{name}: not measured, {why}")


if __name__ == "__main__":
    main()
