"""From files, queries and data frames to counts.

Wherever the rows are - in files that DuckDB reads out of core, in a database, in memory, on a cluster -
they stay there, and only the counts per distinct score (or pair of scores) come back. Labels are compared
as text, so that a file means the same whatever type an engine guesses for its label column.
"""

from confroc.ingest.cases import Cases
from confroc.ingest.counts import read_counts, write_counts
from confroc.ingest.reading import read_cases, read_scores
from confroc.ingest.segments import read_segments

__all__ = ["Cases", "read_cases", "read_counts", "read_scores", "read_segments", "write_counts"]
