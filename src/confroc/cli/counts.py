"""The `counts` command."""

from __future__ import annotations

import click

from confroc.cli.group import misused
from confroc.cli.options import BOTH, Data, command, data_options, output_options
from confroc.cli.output import Output


@command(f"{BOTH} -o counts.parquet")
@data_options(level=False)
@click.option("-o", "--output", required=True, metavar="PATH", help="Parquet file to write.")
@output_options()
def counts(data: Data, output: str, out: Output) -> None:
    """Write the counts per distinct score (or pair of scores) to a compact Parquet file.

    Every other command takes the file instead of the rows: share a curve's whole inference without
    sharing rows.
    """
    if len(data.scores) > 2:
        raise misused("counts takes one --score column, or two of them as a pair.")
    with out:
        from confroc.ingest import write_counts

        cases = data.read(out, pairs=True)
        path = write_counts(cases, output)
        tables = cases.pairs or cases.models
        (table,) = tables.values()
        levels = len(table.pos)
        out.wrote(path)
        if out.as_json:
            out.json({"counts": {"path": str(path), "levels": levels}}, cases)
        else:
            of = "pairs of scores" if cases.pairs else "scores"
            out.line(f"{table.n_pos + table.n_neg} cases in {levels} distinct {of}")
