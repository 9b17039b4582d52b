"""Areas of many models on very many rows: with joint counts and without, side by side.

Run it by `python benchmarks/engines.py [--rows 1e8] [--models 2] [--ways sums joint] [--resolution 4096]`.

DuckDB writes a Parquet file of correlated normal scores with six decimals (millions of distinct ones) out of
core; each way then reads it and compares the models in a process of its own, twice in turn, which prints its
time and the most memory that it ever held. "sums" is what `read_scores` does with so many rows: each model
by itself, and the sums that covariances of areas need; "joint" keeps the joint counts whatever they take;
"levels" rounds to `--resolution` levels and keeps the joint counts of these. The file goes to --folder, a
temporary one by default, and is deleted at the end. 10⁸ rows and two models take 1.3 GB of disk, and "joint"
some 13 GB of memory.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WAYS = ("sums", "joint", "levels")


def write_rows(path: Path, rows: int, models: int) -> None:
    """Write labels, a quarter of them positive, and scores of models that share most of what they know."""
    import duckdb

    def uniform(stream: int) -> str:
        return f"(((hash(i * 1024 + {stream}) >> 11)::DOUBLE + 0.5) / 9007199254740992)"

    def normal(stream: int) -> str:
        return f"sqrt(-2 * ln({uniform(2 * stream)})) * cos(2 * pi() * {uniform(2 * stream + 1)})"

    scores = ", ".join(
        f"round(0.75 * (0.8 * shared + 0.6 * {normal(m + 1)} + {1.0 - 0.02 * m} * y), 6) AS m{m}"
        for m in range(models)
    )
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = false")
        label = "(hash(i * 1024 + 1023) % 4 = 0)::TINYINT AS y"
        cases = f"SELECT i, {label}, {normal(0)} AS shared FROM range({rows}) AS t(i)"
        connection.execute(f"COPY (SELECT y, {scores} FROM ({cases})) TO '{path}' (FORMAT parquet)")


def measure(path: str, models: int, way: str, resolution: int) -> None:
    """Read and compare in this process, and print what it took."""
    from confroc import PairedScores, auc_comparison, auc_difference, read_scores
    from confroc.ingest import counting

    if way != "levels":
        counting.MOST_JOINT = 0 if way == "sums" else 10**18
    begin = time.perf_counter()
    names = [f"m{m}" for m in range(models)]
    scores = read_scores(path, label="y", score=names, resolution=resolution if way == "levels" else None)
    assert isinstance(scores, PairedScores)
    read = time.perf_counter() - begin
    first = auc_difference(scores) if models == 2 else auc_comparison(scores)["m0", "m1"]
    total = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    distinct = " + ".join(f"{len(model.score) / 1e6:.1f}" for model in scores.models[:2])
    print(
        f"{way:7} {total:7.1f} s (reading {read:.1f} s) {peak:6.2f} GiB   {first.estimate:+.15f} "
        f"standard error {first.standard_error:.12e}   {distinct} million distinct scores",
        flush=True,
    )


def main() -> None:
    """Write the rows, and measure each way in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=float, default=1e8)
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=["sums", "joint"])
    parser.add_argument("--resolution", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--folder")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        measure(asked.measure, asked.models, asked.ways[0], asked.resolution)
        return
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        path = Path(folder) / "rows.parquet"
        write_rows(path, int(asked.rows), asked.models)
        print(
            f"{int(asked.rows):,} rows, {asked.models} models, {path.stat().st_size / 1e9:.2f} GB", flush=True
        )
        for way in asked.ways * asked.rounds:
            options = ["--models", str(asked.models), "--ways", way, "--resolution", str(asked.resolution)]
            subprocess.run([sys.executable, __file__, "--measure", str(path), *options], check=True)


if __name__ == "__main__":
    main()
