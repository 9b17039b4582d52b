"""Hostile tables: what a reader returns is what the table says, or a refusal in this package's words.

The table is drawn first, so that what it says is known without reading it; then it is written as CSV in many
ways, as Parquet and Arrow, and handed over as a frame or a relation. `CONFROC_FUZZ_CALLS` says how many tables.
"""

from __future__ import annotations

import csv
import io
import os
import re
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hostile import refusal, settings_of
from hypothesis import given
from hypothesis import strategies as st

from confroc import ConfrocWarning, Scores, read_scores
from confroc._check import NUMBER
from confroc.ingest.files import MISSING

pytestmark = pytest.mark.slow
TABLES = max(100, int(os.environ.get("CONFROC_FUZZ_CALLS", "2000")) // 20)
"""Tables for each of the two tests below."""

FUZZ = settings_of(TABLES)

NAMES = [
    "y",
    "s",
    "a b",
    "Ø",
    'q"q',
    "it's",
    "a;b",
    "a,b",
    "SELECT",
    "_",
    "0",
    "true",
    "y ",
    "S",
    "%s",
    "{x}",
    "*",
    "\u202e",
]
NUMBERS = [
    "0",
    "1",
    "0.5",
    "-3",
    "+2",
    "1e3",
    "1E-3",
    ".5",
    "7.",
    "-0.0",
    "9007199254740992",
    "1e-320",
    "1.7e308",
]
ODD = ["", "NA", "nan", "NULL", "None", " ", "inf", "-Infinity", "1e999", "1_000", "0x1", "+-1", "1,5", "٣", "1e", "--1", "abc",
       "9007199254740993", "1 2", '"', "'", "=1+1", "\t", "x\ny", "null", "N/A", "true", "1.5.2", "１"]  # fmt: skip
LABELS = [("1", "0"), ("a", "b"), ("true", "false"), ("-1", "1"), ("ill, very", 'w"ell'), ("Ø", "ø")]
NUMBER_TEXT = re.compile(NUMBER)


def field_of(text: str) -> str:
    """A score's field: missing, a number, or what must be refused."""
    trimmed = text.strip(" \t")
    if text in MISSING or not trimmed:
        return "missing"
    if not NUMBER_TEXT.fullmatch(trimmed):
        return "refused"
    if re.fullmatch(r"[+-]?[0-9]+", trimmed) and abs(int(trimmed)) > 2**53:
        return "refused"
    return "number" if np.isfinite(float(Decimal(trimmed))) else "refused"


@st.composite
def tables(draw: Any) -> dict[str, Any]:
    """A table of two columns and perhaps a third, its labels, and how it is written."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=3, unique_by=str.strip))
    positive, negative = draw(st.sampled_from(LABELS))
    odd = draw(st.integers(0, 3)) == 0
    score = st.sampled_from(NUMBERS) | st.floats(allow_nan=False, allow_infinity=False).map(repr)
    rows = draw(
        st.lists(
            st.tuples(st.sampled_from([positive, negative]), score | st.sampled_from(ODD) if odd else score),
            min_size=1,
            max_size=12,
        )
    )
    return {
        "names": names,
        "rows": rows,
        "positive": positive,
        "newline": draw(st.sampled_from(["\n", "\r\n"])),
        "delimiter": draw(st.sampled_from([",", ";", "\t"])),
        "quoting": draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
        "encoding": draw(st.sampled_from(["utf-8", "utf-8-sig"])),
        "suffix": draw(st.sampled_from([".csv", ".csv.gz"])),
        "policy": draw(st.sampled_from(["raise", "omit"])),
        "file": draw(
            st.sampled_from(["t", "a b", "d[1]", "e*", "it's", 'q"', "ø", "s=3", "%41", "a;b", "SELECT x"])
        ),
    }


def expected(table: dict[str, Any]) -> Scores | str:
    """What the table says by the rules of the documentation; "refused" where it must be."""
    rows = [(label.strip(), field_of(score), score) for label, score in table["rows"]]
    kinds = {kind for _, kind, _ in rows}
    if "refused" in kinds or ("missing" in kinds and table["policy"] == "raise"):
        return "refused"
    kept = [(label, float(score.strip())) for label, kind, score in rows if kind == "number"]
    classes = {label == table["positive"] for label, _ in kept}
    if classes != {True, False}:
        return "refused"
    labels, scores = zip(*kept, strict=True)
    return Scores([int(label == table["positive"]) for label in labels], scores)


def written(table: dict[str, Any], folder: Path) -> Path:
    import gzip

    text = io.StringIO(newline="")
    out = csv.writer(
        text, delimiter=table["delimiter"], quoting=table["quoting"], lineterminator=table["newline"]
    )
    out.writerow(table["names"])
    for label, score in table["rows"]:
        out.writerow([label, score, "x"][: len(table["names"])])
    content = text.getvalue().encode(table["encoding"])
    path = folder / f"{table['file']}{table['suffix']}"
    path.write_bytes(gzip.compress(content) if table["suffix"].endswith("gz") else content)
    return path


def judged(table: dict[str, Any], source: Any, names: list[str], wanted: Scores | str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConfrocWarning)
        try:
            found = read_scores(
                source,
                label=names[0],
                score=names[1],
                pos_label=table["positive"],
                nan_policy=table["policy"],
            )
        except Exception as error:
            wrong = refusal(error)
            assert wrong is None, f"{table}: {wrong}"
            assert isinstance(wanted, str), f"{table}: refused with {error}"
            return
    assert not isinstance(wanted, str), f"{table}: read as {found}"
    assert np.array_equal(found.score, wanted.score), f"{table}: {found.score} and not {wanted.score}"
    assert np.array_equal(found.pos, wanted.pos), f"{table}: {found.pos} and not {wanted.pos}"
    assert np.array_equal(found.neg, wanted.neg), f"{table}: {found.neg} and not {wanted.neg}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readers")


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_text_files_say_what_their_tables_say(folder: Path) -> None:
    @FUZZ
    @given(tables())
    def attack(table: dict[str, Any]) -> None:
        # The header decides on the delimiter: names hold no other one then.
        if any(d in name for name in table["names"] for d in ",;\t|"):
            table["names"] = ["y", "s"]
        for left in folder.iterdir():
            left.unlink()
        # A neighbour that no pattern may pull in.
        (folder / "e1.csv").write_text("y,s\n1,5\n0,4\n")
        (folder / "d1.csv").write_text("y,s\n1,5\n0,4\n")
        names = [name.strip() for name in table["names"]]
        judged(table, written(table, folder), names, expected(table))

    attack()


KINDS = ["pandas", "polars", "polars lazy", "pyarrow", "relation", "parquet", "arrow"]


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_typed_tables_say_what_their_columns_say(folder: Path) -> None:
    values = st.one_of(
        st.lists(st.floats(width=32, allow_infinity=True), min_size=2, max_size=12),
        st.lists(st.floats(), min_size=2, max_size=12),
        st.lists(st.integers(-(2**53) - 2, 2**53 + 2), min_size=2, max_size=12),
        st.lists(st.booleans(), min_size=2, max_size=12),
        st.lists(st.none() | st.floats(allow_infinity=False), min_size=2, max_size=12),
        st.lists(st.none() | st.integers(-5, 5), min_size=2, max_size=12),
    )

    @FUZZ
    @given(
        values, st.randoms(use_true_random=False), st.sampled_from(KINDS), st.sampled_from(["raise", "omit"])
    )
    def attack(scores: list[Any], random: Any, kind: str, policy: str) -> None:
        import duckdb
        import pyarrow as pa
        from pyarrow import feather

        positive, negative = random.choice(LABELS)
        labels = [random.choice([positive, negative]) for _ in scores]
        table = {"positive": positive, "policy": policy, "scores": scores, "labels": labels, "kind": kind}
        missing = [s is None or s != s for s in scores]
        known = [
            (y == positive, float(s)) for y, s, gone in zip(labels, scores, missing, strict=True) if not gone
        ]
        whole = [s for s in scores if isinstance(s, int) and not isinstance(s, bool)]
        bad = any(np.isinf(s) for _, s in known) or any(abs(s) > 2**53 for s in whole)
        bad = bad or (any(missing) and policy == "raise") or {y for y, _ in known} != {True, False}
        wanted: Scores | str = "refused" if bad else Scores([int(y) for y, _ in known], [s for _, s in known])
        data = pa.table({"y": labels, "s": scores})
        source: Any
        if kind == "pandas":
            source = data.to_pandas(types_mapper={pa.int64(): __import__("pandas").Int64Dtype()}.get)
        elif kind.startswith("polars"):
            source = pl.DataFrame(
                {
                    "y": labels,
                    "s": pl.Series(
                        data["s"].to_pylist(), dtype=pl.Boolean if isinstance(scores[0], bool) else None
                    ),
                }
            )
            source = source.lazy() if "lazy" in kind else source
        elif kind == "relation":
            source = duckdb.from_arrow(data)
        elif kind == "parquet":
            from pyarrow import parquet

            source = folder / "t.parquet"
            parquet.write_table(data, source, compression=random.choice(["none", "snappy", "zstd"]))
        elif kind == "arrow":
            source = folder / "t.arrow"
            feather.write_feather(data, str(source), compression="uncompressed")
        else:
            source = data
        judged(table, source, ["y", "s"], wanted)

    attack()
