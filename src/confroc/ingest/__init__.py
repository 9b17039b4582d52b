"""From files, queries and data frames to counts.

Rows stay where they are: in files that DuckDB reads out of core, in a database, in memory or on a cluster.
Only counts per distinct score (or row of scores) are returned. Labels are compared as text, so that a file
is read the same way whatever type an engine infers for its label column.
"""

from confroc.ingest.cases import Cases
from confroc.ingest.counts import read_counts, write_counts
from confroc.ingest.reading import read_cases, read_scores
from confroc.ingest.segments import read_segments

__all__ = ["Cases", "read_cases", "read_counts", "read_scores", "read_segments", "write_counts"]
