"""One self-contained HTML page, and the same numbers as JSON, from models already read in.

The page is a list of sections (`confroc.pages.sections`). Each is one small module that calls the
statistics, keeps what they say, and names the template that shows it; a new part of the report is one
more of these.
"""

from confroc.pages.data import ReportData, UnitCosts
from confroc.pages.page import SCHEMA, Report, build_report

__all__ = ["SCHEMA", "Report", "ReportData", "UnitCosts", "build_report"]
