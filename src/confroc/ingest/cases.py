"""What reading yields, and the rules for labels and gaps that every source shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from confroc._check import sentence, suggest
from confroc.scores import NanPolicy, PairedScores, Scores

# Label sets that need no pos_label, as text, with the positive one first.
CODED = (("1", "0"), ("1", "-1"), ("true", "false"))
MOST_LABELS = 50


@dataclass(frozen=True, kw_only=True)
class Cases:
    """What was read: one `Scores` per score column, all on the same cases.

    Attributes
    ----------
    source, label : str
        Where the cases come from, and the label column.
    positive, negative : str
        The positive label, and the negative one (several are joined by commas).
    n_rows, n_dropped : int
        Rows read, and rows dropped for a missing label or score.
    models : mapping of str to Scores
    pairs : mapping of (str, str) to PairedScores
        Every two models, in the order given; empty unless asked for.
    """

    source: str
    label: str
    positive: str
    negative: str
    n_rows: int
    n_dropped: int
    models: Mapping[str, Scores]
    pairs: Mapping[tuple[str, str], PairedScores] = field(default_factory=dict)


def split_labels(counts: Mapping[str, int], pos_label: object) -> tuple[list[str], list[str]]:
    """Return which labels mean positive (one, however it is spelled), and the others."""
    labels = sorted(counts)
    listed = ", ".join(repr(v) for v in labels[:5]) + (", ..." if len(labels) > 5 else "")
    if pos_label is None and len(labels) > MOST_LABELS:
        raise ValueError(
            sentence("label", "be a column of classes", f"{len(labels)} different values", "Is it a score?")
        )
    if pos_label is None:
        for one, zero in CODED:
            named = {v for v in labels if _same_label(v, one) or _same_label(v, zero)}
            if named == set(labels):
                found = [v for v in labels if _same_label(v, one)]
                return found, [v for v in labels if v not in found]
        raise ValueError(
            sentence(
                "pos_label",
                "name the positive class unless labels are {0, 1}, {-1, 1} or true/false",
                None,
                f"The labels are {listed}; pass one of them, e.g. pos_label={labels[-1]!r}.",
            )
        )
    wanted = str(pos_label)
    found = [v for v in labels if _same_label(v, wanted)]
    if not found:
        raise ValueError(
            sentence(
                "pos_label",
                "be one of the labels",
                pos_label,
                f"{suggest(wanted, labels)}The labels are {listed}.",
            )
        )
    return found, [v for v in labels if v not in found]


def _same_label(found: str, wanted: str) -> bool:
    if found == wanted:
        return True
    if wanted.lower() in ("true", "false"):
        return found.lower() == wanted.lower()
    try:
        return float(found) == float(wanted)
    except ValueError:
        return False


def missing_column(name: str, column: str, columns: Sequence[str]) -> ValueError:
    """Return the error for a column that is not there."""
    listed = ", ".join(repr(c) for c in columns[:12]) + (", ..." if len(columns) > 12 else "")
    return ValueError(
        sentence(
            name, "be a column of the data", column, f"{suggest(column, columns)}The columns are {listed}."
        )
    )


def refuse_gaps(gaps: Mapping[str, int], nan_policy: NanPolicy) -> None:
    """Raise for missing values that the policy does not allow."""
    gaps = {name: count for name, count in gaps.items() if count}
    if gaps and nan_policy == "raise":
        listed = ", ".join(f"{count} missing in {name!r}" for name, count in gaps.items())
        raise ValueError(
            sentence(
                "source",
                "hold no missing values under nan_policy='raise'",
                listed,
                "Fill them, or pass nan_policy='omit' to drop those rows and keep their count.",
            )
        )


def refuse_one_class(label: str, positives: Sequence[str], negatives: Sequence[str]) -> None:
    """Raise unless both classes occur."""
    if not positives or not negatives:
        raise ValueError(
            sentence(
                "label",
                "hold both classes",
                {label: [*positives, *negatives]},
                "Every row has the same class.",
            )
        )
