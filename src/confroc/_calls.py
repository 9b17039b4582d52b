"""Calls that do not fit a public function: what was meant, and the line to type instead.

`public` stands on every public function and constructor. A call that fits costs a function call more; one
that does not - labels and scores where a `Scores` is wanted, another library's name of an argument, a
position where there is a keyword - is answered by an error that holds the right call.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, NoReturn, TypeVar

import numpy as np

from confroc._check import ArgumentError, ArgumentTypeError, is_estimator, suggest

F = TypeVar("F", bound=Callable[..., Any])

ONE, SEVERAL = "Scores(y_true, y_score)", "PairedScores(y_true, score_a, score_b)"
BEST = f"expected_cost({ONE}, false_negative=10, false_positive=1)"
"""The threshold of least cost, and what it costs."""
OF_MODELS = "PairedScores.from_estimators({'a': model_a, 'b': model_b}, X, y_true)"


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, to be looked up."""
    return tuple(text.split())


LABELS = words_of("y_true y y_test labels label target targets truth outcome y_actual")
SCORES = words_of(
    "y_score y_scores y_pred y_prob y_proba y_probs y_hat score scores pred preds prediction predictions "
    "prob proba probs predict predictor input"
)
LEVELS = words_of("ci level conf_level conf confidence conf_int ci_level coverage credibility")
DIFFERENCES = words_of("delta difference diff")
FROM_FRAME = words_of("from_frame from_dataframe from_df from_pandas from_polars from_csv from_file read_csv")
SPECIFICITY = words_of("specificity spec tnr true_negative_rate")
SIGNIFICANCE = words_of("alpha sig_level significance significance_level")

OTHER_NAMES: Mapping[str, Sequence[str]] = {
    "rng": words_of("seed random_state random_seed generator key"),
    "n_resamples": words_of(
        "n_boot n_boots n_bootstrap n_bootstraps n_bootstrap_samples n_resample num_resamples B R boot_n "
        "nboot bootstraps n_iter n_iterations iterations n_permutations n_rep n_reps reps replications times"
    ),
    "n_jobs": words_of("n_threads num_threads threads workers n_workers processes cores n_cpus njobs"),
    "pos_label": words_of("positive_label pos_class positive_class positive"),
    "nan_policy": words_of("missing na na_policy dropna"),
    "y_true": LABELS,
    "y_score": SCORES,
    "label": words_of("y_true y target labels outcome label_col label_column y_col"),
    "score": words_of("y_score scores s pred prob proba prediction score_col score_column"),
    "source": words_of("data df frame path file filename query table"),
    "scores": words_of("model sample pair"),
    "pair": words_of("scores models samples"),
    "names": words_of("labels model_names columns"),
    "model": words_of("auc auc_a auc1 auc_1 auc0 pilot"),
    "model_b": words_of("auc_b auc2 auc_2"),
    "null_auc": words_of("null baseline null_value auc_null"),
    "width": words_of("precision ci_width"),
    "max_fpr": words_of("partial partial_auc fpr_max"),
    "reference": words_of("baseline control"),
    "adjust": words_of("correction p_adjust adjustment multiple_testing"),
    "fpr": words_of("at false_positive_rate x"),
    "tpr": words_of("at true_positive_rate sensitivity recall"),
    "threshold": words_of("thresholds cutoff cutpoint at"),
    "false_negative": words_of("cost_fn fn_cost fn"),
    "false_positive": words_of("cost_fp fp_cost fp"),
    "prior": words_of("prevalence pi"),
    "title": words_of("name"),
    "path": words_of("output out filename file"),
    "cv_results": words_of("cv results"),
}
"""What other libraries, or habit, call an argument of this one."""

NOT_HERE: Mapping[str, str] = {
    "sample_weight": "Weights are not supported; whole counts are, by Scores.from_counts(score, pos, neg).",
    "weights": "Weights are not supported; whole counts are, by Scores.from_counts(score, pos, neg).",
    "drop_intermediate": "Every threshold is kept.",
    "multi_class": "Take one class against the rest: Scores(y_true, y_score, pos_label=...).",
    "average": "Take one class against the rest: Scores(y_true, y_score, pos_label=...).",
    "pos_label": "The scores hold it: Scores(y_true, y_score, pos_label=...).",
    "paired": "Models in a PairedScores are compared as paired, those in an UnpairedScores as unpaired.",
    "n_bins": "It needs no bins: it is made from the cases themselves.",
    "name": "One model has no name here; pictures take it, .plot(name=...).",
    "direction": "Where lower scores mean positive, write -Scores(y_true, y_score).",
}
"""Arguments of other libraries that have none beside them here, and what to do."""

SHARED = ("confidence_level", *words_of("rng n_resamples n_jobs nan_policy max_fpr prior reference adjust"))
"""Options that others have where one function has them not, so that naming them helps."""
OF_CASES = ("pos_label", "nan_policy")
"""What only the making of a sample takes."""

EXAMPLES: Mapping[str, str] = {
    "fpr": "0.1",
    "tpr": "0.9",
    "threshold": "0.5",
    "threshold_a": "0.5",
    "threshold_b": "0.5",
    "positive_rate": "0.1",
    "risk": "0.2",
    "auc": "0.8",
    "model": "0.8",
    "n_pos": "100",
    "n_neg": "100",
    "false_negative": "10",
    "false_positive": "1",
    "label": "'y'",
    "score": "'s'",
    "path": "'report.html'",
    "rng": "0",
    "confidence_level": "0.95",
    "n_resamples": "2000",
    "n_jobs": "-1",
    "method": "'bootstrap'",
}
"""What to type for an argument that was left out, or whose value tells nothing."""


def public(target: F) -> F:
    """Answer calls that do not fit by the line to type; signature, types and documentation stay the same."""
    package = sys.modules.get(target.__module__.rpartition(".")[0])
    if package is not None and "." in package.__name__ and type(package) is ModuleType:
        package.__class__ = Package
    if isinstance(target, type):
        # Where the class itself makes its objects.
        target.__init__ = public(target.__init__)  # type: ignore[misc]
        return target

    @functools.wraps(target)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return target(*args, **kwargs)
        except TypeError as error:
            if isinstance(error, ArgumentError) or _fits(target, args, kwargs):
                raise
        raise wrong_call(target, args, kwargs)

    return call  # type: ignore[return-value]


def _fits(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def wrong_call(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> ArgumentTypeError:
    """Return the error for a call that does not fit: its first fault, and the whole line put right."""
    parameters = list(inspect.signature(function).parameters.values())
    name = function.__name__
    if parameters[:1] and parameters[0].name in ("self", "cls"):
        owner = args[0] if isinstance(args[0], type) else type(args[0])
        name = owner.__name__ if name == "__init__" else f"{owner.__name__}.{name}"
        parameters, args = parameters[1:], args[1:]
    listed = re.findall(r"^ +(\w+) :", inspect.getdoc(function) or "", re.MULTILINE)
    return _Reading(name, parameters, args, kwargs, listed).error()


class _Reading:
    """A wrong call, read argument by argument: its faults, and the texts of the right one."""

    def __init__(
        self,
        name: str,
        parameters: list[inspect.Parameter],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        methods: Sequence[str],
    ) -> None:
        self.name, self.kwargs, self.lists = name, dict(kwargs), methods
        self.named = {p.name: p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
        self.placed = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        self.open_ended = any(p.kind is p.VAR_POSITIONAL for p in parameters)
        self.faults: list[tuple[str, str, object]] = []
        self.hints: list[str] = []
        self.texts: dict[str, str] = {}
        self.line = ""
        rest = self._data(list(args))
        self._of_cases()
        self._positions(rest)
        self._keywords()
        self._left_out()

    def error(self) -> ArgumentTypeError:
        argument, rule, value = self.faults[0] if self.faults else (self.name, "be called as it says", "")
        line = self.line or f"{self.name}({', '.join(self._written())})"
        return ArgumentTypeError(
            argument, rule, value, " ".join([*dict.fromkeys(self.hints), f"Write {line}."])
        )

    @property
    def _band(self) -> bool:
        return "band" in self.name

    def _written(self) -> Iterable[str]:
        in_place = [p.name for p in self.placed]
        for name in in_place:
            if name in self.texts:
                yield self.texts[name]
        for name, text in self.texts.items():
            if name not in in_place:
                yield f"{name}={text}"

    def _fault(self, argument: str, rule: str, value: object) -> None:
        plain = value is None or isinstance(value, str) or text_of(value, "") != ""
        self.faults.append((argument, rule, value if plain else type(value).__name__))

    def _data(self, given: list[Any]) -> list[Any]:
        """Read what stands for the cases; return the other positions."""
        if self.name in ("Scores", "PairedScores", "UnpairedScores"):
            return self._cases(given)
        if self.name == "PairedScores.from_estimators" and (len(given) > 3 or "names" in self.kwargs):
            self._fault("estimators", "be a mapping of names to classifiers", type(given[0]).__name__)
            self.line = OF_MODELS
            return []
        if self.name == "read_scores" and _leading(given) > 1 and not made_from(given[0]):
            self._fault("source", "be a file or a table", ", ".join(type(v).__name__ for v in given))
            self.line = ONE if len(given) == 2 else SEVERAL
            return []
        if self.name == "auc_scorer" and given and is_estimator(given[0]):
            self._fault("scoring", "be what auc_scorer returns, not itself", type(given[0]).__name__)
            self.line = "scoring=auc_scorer()"
            return []
        data = self.placed[0] if self.placed else None
        wanted = "" if data is None else str(data.annotation)
        if data is not None and wanted.startswith("CrossValidated"):
            return self._folds(data, given)
        if data is None or not ("Scores" in wanted or "Pair" in wanted or "Pilot" in wanted):
            return given
        samples = [k for k, v in self.kwargs.items() if is_sample(v) and k not in self.named]
        columns = [k for k in self.kwargs if k not in (*self.named, *samples) and k in (*LABELS, *SCORES)]
        said = [self.kwargs.pop(k) for k in columns]
        if samples and not given and data.name not in self.kwargs:
            self._fault(samples[0], f"be given as `{data.name}`", type(self.kwargs.pop(samples[0])).__name__)
            self.texts[data.name] = "scores"
            return []
        if (given and is_sample(given[0])) or data.name in self.kwargs:
            for k in columns:
                self._fault(k, f"be left out, as `{data.name}` holds it", "a column")
            chosen = given[1:]
            held = getattr(given[0], "names", ()) if given else ()
            if len(chosen) > 1 and all(isinstance(v, str) and v in held for v in chosen):
                self._fault(data.name, "be the models to compare, and no more", ", ".join(map(repr, chosen)))
                self.texts[data.name] = f"{data.name}[{', '.join(map(repr, chosen))}]"
                return [None]
            found = sum(map(is_sample, given))
            if found > 1 and len(given) > len(self.placed):
                return self._samples(data, wanted, given, found)
            return given
        lead = _leading(given)
        if given and is_number(given[0]) and "Pilot" in wanted:
            return given
        sized = given and is_number(given[0]) and {"n_pos", "n_neg"} <= {*self.kwargs}
        if len(given) <= len(self.placed) and not columns and (given or not lead) and not sized:
            return given
        if given and is_number(given[0]):
            self._fault(data.name, "be a Scores", given[0])
            self.hints.append(
                "For an area alone there is the width that auc_power(0.8, n_pos=100, n_neg=100) has."
            )
            if {"n_pos", "n_neg"} <= {*self.kwargs}:
                sizes = ", ".join(f"{k}={text_of(self.kwargs.pop(k), k)}" for k in ("n_pos", "n_neg"))
                self.line = f"auc_power({text_of(given[0], 'auc')}, {sizes})"
                return []
            self.texts[data.name] = ONE if one_sample(wanted) else SEVERAL
            return [None]
        of_types = ", ".join(columns or [type(v).__name__ for v in given[: max(lead, 1)]])
        several = lead + len(columns) > 2 and not one_sample(wanted)
        one = not several and (wanted.startswith("Scores") or "Pilot" in wanted)
        together = made_from(given[1], several=True) if lead == 1 and not one and len(given) > 1 else ""
        if together.startswith("PairedScores(y_true"):
            self._fault(data.name, "be a PairedScores or an UnpairedScores", of_types)
            self.texts[data.name] = together
            return [None, *given[2:]]
        self._fault(data.name, "be a Scores" if one else "be a PairedScores or an UnpairedScores", of_types)
        source = self._columns(made_from(given[0], several=not one), [*given, *said]) if given else ""
        self.texts[data.name] = source or (ONE if one else SEVERAL)
        if source:
            # With its cases and labels, or the names of columns, wherever they ended up.
            self.kwargs = {k: v for k, v in self.kwargs.items() if k in self.named or k in OF_CASES}
            return [None]
        return [None, *given[min(lead, 2) if one else lead :]] if given else []

    def _of_cases(self) -> None:
        """Put what only the making of a sample takes into the call that makes it."""
        for name, text in self.texts.items():
            if text.startswith(("Scores", "PairedScores", "read_scores")) and text.endswith(")"):
                for key in (*OF_CASES, "names") if text.startswith("Paired") else OF_CASES:
                    if key in self.kwargs and key not in self.named:
                        text = f"{text[:-1]}, {key}={text_of(self.kwargs.pop(key), key)})"
                self.texts[name] = text

    def _folds(self, data: inspect.Parameter, given: list[Any]) -> list[Any]:
        """Read what stands for the scores of a cross-validation."""
        if not given or type(given[0]).__name__ == "CrossValidatedScores":
            return given
        self._fault(data.name, "be CrossValidatedScores", type(given[0]).__name__)
        folds = self.kwargs.pop("cv", None)
        kept = "return_estimator=True, return_indices=True" + (f", cv={folds}" if is_number(folds) else "")
        self.texts[data.name] = f"from_cv_results(cross_validate(model, X, y, {kept}), X, y)"
        return [None]

    def _samples(self, data: inspect.Parameter, wanted: str, given: list[Any], n: int) -> list[Any]:
        """Read two samples, or more, where one argument takes them together."""
        listed = ", ".join(f"scores_{letter}" for letter in "abcdefghij"[:n])
        apart = f"UnpairedScores({listed})"
        if one_sample(wanted):
            self._fault(data.name, "be one Scores", f"{n} of them")
            self.hints.append(f"Compare them by auc_comparison({apart}).")
            self.texts[data.name] = "scores_a"
            return [None, *given[n:]]
        self._fault(data.name, "be a PairedScores or an UnpairedScores", f"{n} Scores")
        if n == 2 and isinstance(paired := self.kwargs.pop("paired", None), bool):
            self.hints.append(NOT_HERE["paired"])
            self.texts[data.name] = SEVERAL if paired else apart
        elif n == 2 and len({(v.n_pos, v.n_neg) for v in given[:2]}) == 1:
            self.hints.append(f"Both have as many cases: if these are not the same, make an {apart}.")
            self.texts[data.name] = SEVERAL
        else:
            self.hints.append(f"For models on the same cases make a {SEVERAL}; cases of their own take this.")
            self.texts[data.name] = apart
        return [None, *given[n:]]

    def _cases(self, given: list[Any]) -> list[Any]:
        """Read arguments of the constructors of samples."""
        first = given[0] if given else None
        kept = "".join(f", {k}={text_of(v, k)}" for k, v in self.kwargs.items() if k in OF_CASES)
        own = [k for k, v in self.kwargs.items() if k not in self.named and _leading([first, v]) == 2]
        if self.name == "PairedScores" and len(given) == 1 and len(own) > 1:
            self._fault("y_scores", "be given by position", ", ".join(own))
            self.line = f"PairedScores(y_true, {', '.join(f'score_{k}' for k in own)}, names={own}{kept})"
            self.kwargs = {k: v for k, v in self.kwargs.items() if k not in own}
            return []
        framed = any(hasattr(type(v), "columns") for v in self.kwargs.values())
        if framed and len(given) > 1 and all(isinstance(v, str) for v in given):
            self._fault("y_true", "be the labels of the cases", first)
            score = repr(given[1]) if len(given) == 2 else repr(tuple(given[1:]))
            self.line, self.kwargs = f"read_scores(frame, label={first!r}, score={score}{kept})", {}
            return []
        source = self._columns(made_from(first), given) if given else ""
        if source and self.name != "UnpairedScores":
            self._fault("y_true", "be the labels of the cases", type(first).__name__)
            self.line = source
            return []
        if self.name == "Scores" and len(given) > 2 and _leading(given) > 2:
            self._fault("y_score", "be the scores of one model", f"{len(given) - 1} columns")
            self.line = SEVERAL
            return []
        return given

    def _columns(self, source: str, given: Sequence[Any]) -> str:
        """Put the columns that the user named into the call that reads them."""
        columns = (*LABELS, *SCORES)
        own = [v for k, v in self.kwargs.items() if k in columns or k not in (*self.named, *OF_CASES)]
        said = [v for v in (*given[1:], *own) if isinstance(v, str)]
        if source.startswith("read_scores(") and len(said) > 1:
            score = repr(said[1]) if len(said) == 2 else repr(tuple(said[1:]))
            return f"{source[: source.index(', label=')]}, label={said[0]!r}, score={score})"
        return source

    def _positions(self, given: list[Any]) -> None:
        for parameter, value in zip(self.placed, given, strict=False):
            if parameter.name not in self.texts:
                own = "" if isinstance(value, str) else EXAMPLES["path"]
                self.texts[parameter.name] = (parameter.name == "path" and own) or text_of(
                    value, parameter.name
                )
            if parameter.name in self.kwargs:
                self._fault(parameter.name, "be given once", self.kwargs.pop(parameter.name))
        beyond = [] if self.open_ended else given[len(self.placed) :]
        for value in beyond:
            found = self._keyword_of(value)
            if found is None:
                self._fault(self.name, f"be given at most {len(self.named)} arguments", len(given))
                break
            keyword, text = found
            self._fault(keyword, "be given by keyword", value)
            self.texts[keyword] = text

    def _keyword_of(self, value: Any) -> tuple[str, str] | None:
        """Guess which keyword a value at a position was meant for."""
        free = [k for k in self.named if k not in self.texts and k not in self.kwargs]
        if isinstance(value, str):
            wish = "alternative" if value in ("two-sided", "less", "greater") else "method"
            if wish in free:
                return wish, repr(value)
        elif is_number(value):
            if "model_b" in free and 0.0 < value < 1.0:
                return "model_b", text_of(value, "model_b")
            needed = [
                k for k in free if self.named[k].default is inspect.Parameter.empty or k in ("n_pos", "n_neg")
            ]
            if needed:
                return needed[0], text_of(value, needed[0])
            if "confidence_level" in free and (0.5 < value < 1.0 or 0.0 < value <= 0.2):
                return "confidence_level", confidence(value, of_alpha=True)
            if "n_resamples" in free and value == int(value) and value >= 50:
                return "n_resamples", repr(int(value))
        return (free[0], text_of(value, free[0])) if free else None

    def _keywords(self) -> None:
        for key, value in self.kwargs.items():
            if key in self.named:
                self.texts[key] = text_of(value, key)
                continue
            self._rename(key, value)

    def _rename(self, key: str, value: Any) -> None:
        free = [k for k in self.named if k not in self.texts and k not in self.kwargs]
        found = meant(key, value, free)
        if found is not None:
            name, text = found
            self._fault(key, f"be given as `{name}`", value)
            self.texts[name] = text
            if name == "n_resamples" and "method" in free and "bootstrap" in self.lists and not self._band:
                # The default seldom resamples, but for bands.
                self.texts["method"] = "'bootstrap'"
            return
        if key in DIFFERENCES and "model_b" in free and is_number(value):
            first = re.fullmatch(r"0?\.\d+", self.texts.get("model", ""))
            self._fault(key, "be given as `model_b`, the other area", value)
            self.texts["model_b"] = _short(float(first[0]) - value) if first else "0.75"
            return
        if key in ("n_pos", "n_neg") and self.name == "auc_sample_size":
            self._fault(key, "be left out, being what is asked for", value)
            self.name = "auc_power"
            self.texts[key] = text_of(value, key)
            return
        if self.name.startswith("cost_") and {"false_negative", "false_positive"} <= {
            *self.kwargs,
            *self.texts,
        }:
            self._fault(key, "be left out, as a cost curve is for all ratios of the two costs", value)
            self.name = "expected_cost_difference" if "difference" in self.name else "expected_cost"
            self.texts |= {k: text_of(self.kwargs[k], k) for k in ("false_negative", "false_positive")}
            return
        other = {"tpr_at_fpr": "fpr_at_tpr", "fpr_at_tpr": "tpr_at_fpr"}.get(self.name)
        if other is not None and (found := meant(key, value, [other[-3:]])) is not None:
            self._fault(key, f"be given to {other} as `{other[-3:]}`", value)
            self.name, self.named = other, {k: v for k, v in self.named.items() if k not in ("fpr", "tpr")}
            self.placed = [p for p in self.placed if p.name in self.named]
            self.texts[other[-3:]] = found[1]
            return
        self._fault(key, f"be an argument of {self.name}", value)
        hint = NOT_HERE.get(key) or suggest(key, free).strip()
        if hint.startswith("Did you mean"):
            if "'pos_label'" in hint and isinstance(value, list | tuple) and len(value) == 2:
                # scikit-learn's pair of labels, the positive one last.
                value = value[1]
            self.texts[hint.split("'")[1]] = text_of(value, hint.split("'")[1])
        intended = meant(key, value, SHARED)
        if not hint and intended is not None:
            hint = f"It takes no `{intended[0]}`."
        others = ", ".join(k for k in self.named if k not in self.texts)
        self.hints.append(hint or (f"Besides it takes {others}." if others else "It takes nothing besides."))

    def _left_out(self) -> None:
        """Read what is needed and was not given."""
        if self.line:
            return
        for name, parameter in self.named.items():
            if parameter.default is not parameter.empty or name in self.texts:
                continue
            # No number that could be taken for one that was given by another name.
            dropped = any(is_number(value) for _, _, value in self.faults)
            self.faults.append((name, "be given", inspect.Parameter.empty))
            self.texts[name] = name if dropped else EXAMPLES.get(name, name)
        if self.open_ended:
            line = SEVERAL if self.name == "PairedScores" else "UnpairedScores(scores_a, scores_b)"
            kept = (
                f", {k}={v}" for k, v in self.texts.items() if self.named[k].kind is parameter.KEYWORD_ONLY
            )
            self.line = f"{line[:-1]}{''.join(kept)})"


def meant(key: str, value: Any, allowed: Iterable[str]) -> tuple[str, str] | None:
    """Return which of these arguments another library's name means, and what to type for its value."""
    names = list(allowed)
    for here, of_alpha in ((LEVELS, False), (SIGNIFICANCE, True)):
        if key in here and "confidence_level" in names:
            return "confidence_level", confidence(value, of_alpha=of_alpha)
        if key in here and "significance_level" in names:
            return "significance_level", _short(1.0 - float(confidence(value, of_alpha=of_alpha)))
    if key == "confidence_level" and "significance_level" in names and is_number(value):
        return "significance_level", _short(1.0 - value)
    if is_number(value) and 0.0 < value < 1.0:
        if key in SPECIFICITY and "fpr" in names:
            return "fpr", _short(1.0 - value)
        if key in ("prior", *OTHER_NAMES["prior"]) and "ratio" in names:
            return "ratio", _short((1.0 - value) / value)
        if key == "beta" and "power" in names:
            return "power", _short(1.0 - value)
    for name in names:
        if key in OTHER_NAMES.get(name, ()):
            text = "'omit'" if name == "nan_policy" else text_of(value, EXAMPLES.get(name, name))
            return name, text
    return None


def confidence(value: Any, *, of_alpha: bool) -> str:
    """Return the text of a confidence level that was given in percent, or as what it leaves out."""
    if not is_number(value) or isinstance(value, bool) or not 0.0 < value < 100.0:
        return EXAMPLES["confidence_level"]
    level = value / 100.0 if value >= 1.0 else float(value)
    return _short(1.0 - level if of_alpha and level <= 0.5 else level)


def _short(value: float) -> str:
    return f"{value:.12g}"


def text_of(value: Any, name: str) -> str:
    """Return a plain value as one types it, and for anything else its argument's name."""
    plain = value.item() if isinstance(value, np.generic) else value
    simple = isinstance(plain, bool | int | float | str | None)
    if not simple and isinstance(plain, list | tuple):
        simple = len(plain) < 5 and all(isinstance(v, bool | int | float | str) for v in plain)
    return text if simple and len(text := repr(plain)) <= 60 else name


def is_number(value: Any) -> bool:
    """Whether a value is a plain number."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def is_sample(value: Any) -> bool:
    """Whether a value is one of the types that hold cases, which are made further down."""
    names = {kind.__name__ for kind in type(value).__mro__}
    return not names.isdisjoint(("Scores", "PairedScores", "UnpairedScores"))


def made_from(value: Any, *, name: str = "", several: bool = False) -> str:
    """Return how scores are made from classifiers, samples, columns, a frame or a file; empty for all else.

    `name` is what a list or mapping of them is called.
    """
    if is_estimator(value):
        if several:
            return OF_MODELS
        return "Scores.from_estimator(model, X, y_true)"
    if isinstance(value, list | tuple | Mapping) and len(value) > 0:
        items = list(value.values() if isinstance(value, Mapping) else value)
        classifiers = all(map(is_estimator, items))
        # A forest has a length, too.
        columns = all(hasattr(v, "__len__") and not isinstance(v, str | bytes | Mapping) for v in items)
        if several and columns and not classifiers:
            called = name or "y_scores"
            apart = f"{called}.values(), names=list({called})" if isinstance(value, Mapping) else called
            return f"PairedScores(y_true, *{apart})"
        name = name or "models"
        first = f"{name}[{next(iter(value)) if isinstance(value, Mapping) else 0!r}]"
        if classifiers:
            if not several:
                return f"Scores.from_estimator({first}, X, y_true)"
            letters = "abcdefghijklmnopqrstuvwxyz"[: len(items)]
            called = repr(letters) if len(letters) == len(items) else f"map(str, range({len(items)}))"
            mapping = name if isinstance(value, Mapping) else f"dict(zip({called}, {name}))"
            return f"PairedScores.from_estimators({mapping}, X, y_true)"
        if all(map(is_sample, items)):
            if not several:
                return first
            apart = f"*{name}.values(), names=list({name})" if isinstance(value, Mapping) else f"*{name}"
            return f"UnpairedScores({apart})"
    if not is_sample(value) and not isinstance(value, type) and hasattr(type(value), "columns"):
        score = ("a", "b") if several else "s"
        return f"read_scores(frame, label='y', score={score!r})"
    if isinstance(value, str):
        score = ("a", "b") if several else "s"
        return f"read_scores({text_of(value, 'path')}, label='y', score={score!r})"
    return ""


AS_FUNCTIONS: Mapping[str, str] = {"auc": f"roc_curve({ONE}).auc", "plot": f"roc_curve({ONE}).plot()"}
"""Packages of this one whose names other libraries give to a function, and what to write for that."""


class Package(ModuleType):
    """A package of this one, which may be called, as other libraries have a function of that name."""

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse, and say what to write."""
        name = self.__name__.rpartition(".")[2]
        found = ", ".join(each for each in self.__all__ if each.islower())
        remedy = f"Write {AS_FUNCTIONS[name]}." if name in AS_FUNCTIONS else f"Call one of {found}."
        raise ArgumentTypeError(name, "be no function but some", "a call", remedy)


def one_sample(wanted: str) -> bool:
    """Whether an argument so annotated takes the scores of one model only."""
    return wanted.startswith("Scores") and "Paired" not in wanted


def _leading(given: Sequence[Any]) -> int:
    """Return how many values from the first on are columns of the same cases, or made into such."""
    count, length = 0, None
    for value in given:
        if isinstance(value, str | bytes | Mapping) or is_estimator(value) or not hasattr(value, "__len__"):
            break
        try:
            n = len(value)
        except TypeError:
            break
        if length is not None and n != length:
            break
        count, length = count + 1, n
    return count
